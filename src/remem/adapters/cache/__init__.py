"""Caches for results that can be computed again."""

from remem.adapters.table import Adapter

ADAPTERS = {
    "memory": Adapter("remem.adapters.cache.memory:MemoryCache", "the memory of each process"),
    "redis": Adapter(
        "remem.adapters.cache.redis:RedisCache", "a Redis or Valkey", {"url": "redis_url"}
    ),
}
