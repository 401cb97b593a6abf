"""Users, tenants, members, keys, and what they may do."""
