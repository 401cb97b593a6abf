"""PostgreSQL as part of remem: started on demand, shared by all processes of a data folder."""

from remem.adapters.database.embedded.server import EmbeddedPostgres

__all__ = ["EmbeddedPostgres"]
