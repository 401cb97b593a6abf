"""The embedding model that each tenant's vectors belong to."""
