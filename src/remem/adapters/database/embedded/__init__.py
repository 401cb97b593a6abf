"""PostgreSQL inside the product: started on demand, shared by every process on one data folder."""

from remem.adapters.database.embedded.server import EmbeddedPostgres

__all__ = ["EmbeddedPostgres"]
