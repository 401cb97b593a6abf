"""The graph that Qdrant's own engine builds of a collection, with the parameters that we choose."""

from uuid import UUID

import numpy as np
import pytest

from remem.adapters.vector_index.qdrant_api import QdrantApi
from remem.adapters.vector_index.qdrant_filters import conditions
from remem.core.filters import ALL
from remem.core.ports import Vector
from remem.core.time import new_id
from tests.tools.qdrant import qdrant_server
from tests.tools.qdrant_engine import EngineShards

pytestmark = pytest.mark.anyio

COLLECTION, WIDTH, COUNT, TENANTS, NEAREST = "remem_32", 32, 3_000, 10, 10
BATCH = 500


async def add_points(api: QdrantApi, vectors: Vector, tenants: list[UUID]) -> None:
    """Each vector belongs to the next tenant, and its number is the id of its memory."""
    points = [
        {
            "id": str(new_id()),
            "vector": vector.tolist(),
            "payload": {
                "tenant_id": str(tenants[number % TENANTS]),
                "kind": "memory",
                "model": "m",
                "memory_id": str(number),
            },
        }
        for number, vector in enumerate(vectors)
    ]
    for start in range(0, COUNT, BATCH):
        await api.upsert(COLLECTION, points[start : start + BATCH])


async def search(api: QdrantApi, query: Vector, tenant: UUID) -> list[int]:
    body = {
        "query": query.tolist(),
        "filter": conditions(tenant, "memory", "m", None, ALL),
        "limit": NEAREST,
        "with_payload": ["memory_id"],
    }
    return [int(point["payload"]["memory_id"]) for point in await api.query(COLLECTION, body)]


async def test_a_search_in_the_graph_finds_the_nearest_of_one_tenant() -> None:
    random = np.random.default_rng(7)
    vectors, queries = random.normal(size=(COUNT, WIDTH)), random.normal(size=(TENANTS, WIDTH))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    tenants = [new_id() for _ in range(TENANTS)]
    shards = EngineShards(indexing_kb=10, full_scan_kb=10)
    correct = 0
    with qdrant_server(shards) as qdrant:
        api = QdrantApi(qdrant.url, None)
        await api.create(COLLECTION, WIDTH)
        await add_points(api, vectors, tenants)
        assert shards.build_graph(COLLECTION) == COUNT
        for number, query in enumerate(queries):
            found = await search(api, query, tenants[number])
            assert all(memory % TENANTS == number for memory in found)
            own = np.arange(number, COUNT, TENANTS)
            nearest = own[np.argsort(-(vectors[own] @ query))[:NEAREST]]
            correct += len(set(found) & set(nearest.tolist()))
        await api.close()
    assert correct >= 0.9 * TENANTS * NEAREST
