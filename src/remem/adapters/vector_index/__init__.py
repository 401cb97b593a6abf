"""Indexes that find the nearest vectors."""

from remem.adapters.table import Adapter

ADAPTERS = {
    "pgvector": Adapter(
        "remem.adapters.vector_index.pgvector:PgVectorIndex",
        "pgvector in the same PostgreSQL",
        shares=("db",),
    ),
    "qdrant": Adapter(
        "remem.adapters.vector_index.qdrant:QdrantIndex",
        "a Qdrant server or cluster",
        {"url": "qdrant_url", "api_key": "qdrant_key", "collection": "qdrant_collection"},
        required=("qdrant_url",),
        shares=("db",),
    ),
}
