"""Count requests across processes, for rate limits."""

from remem.adapters.table import Adapter

ADAPTERS = {
    "postgres": Adapter(
        "remem.adapters.rate.postgres:PostgresRateCounter",
        "a table of the same PostgreSQL",
        shares=("db",),
    ),
    "redis": Adapter(
        "remem.adapters.rate.redis:RedisRateCounter",
        "a Redis or Valkey",
        {"url": "redis_url"},
        shares=("db",),
    ),
}
