"""Users, tenants, members, keys and their rights."""
