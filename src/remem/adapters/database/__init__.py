"""The PostgreSQL server: embedded, or at a URL."""

from remem.adapters.table import Adapter

ADAPTERS = {
    "embedded": Adapter(
        "remem.adapters.database.embedded:EmbeddedPostgres",
        "the PostgreSQL that comes with remem",
        {"data_dir": "data_dir"},
    ),
    "url": Adapter(
        "remem.adapters.database.url:PostgresAtUrl",
        "a PostgreSQL by its URL",
        {"url": "database_url"},
    ),
}
