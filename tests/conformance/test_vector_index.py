"""The vector index: nearest first, and only vectors of one tenant, whatever else it contains. With
pgvector in a real PostgreSQL, and with the two fake Qdrants of `tests/tools/qdrant.py`."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, TypeAlias
from uuid import UUID

import numpy as np
import pytest

from remem.adapters.database.embedded.cluster import SUPERUSER
from remem.adapters.vector_index import ADAPTERS, pgvector
from remem.adapters.vector_index.sizes import WALK_POLICY, WalkPolicy
from remem.bootstrap import open_ports
from remem.core.filters import ALL, Filters
from remem.core.ports import Near, Point, Ports, Vector
from remem.core.projects.resolve import resolve
from remem.core.scope import Scope
from remem.core.time import new_id
from remem.core.transaction import AnyTx, Tx
from remem.settings import Settings
from tests.conftest import Server, new_scope
from tests.core.scratch import scratch_database, url
from tests.tools.qdrant import LocalMode, Points, qdrant_server
from tests.tools.qdrant_engine import EngineShards
from tests.tools.waiting import until_async

pytestmark = pytest.mark.anyio
# For tests of the HNSW graph in PostgreSQL.
in_postgres = pytest.mark.parametrize("ports", ["pgvector"], indirect=True)

KIND = "chunk"
ForceWalk: TypeAlias = Callable[..., None]
# How much half precision may change a cosine.
ROUNDING = 2e-3
# Plans to disable so that a search is exact, or uses the approximate index.
EXACT_ONLY, INDEX_ONLY = ("indexscan",), ("seqscan", "bitmapscan", "sort")


def unit(values: Vector) -> Vector:
    return (values / np.linalg.norm(values)).astype(np.float32)


def random_vectors(count: int, width: int) -> list[Vector]:
    return [unit(np.random.normal(size=width).astype(np.float32)) for _ in range(count)]


def vector_at(vector: Vector, cosine: float) -> Vector:
    """A vector with the given cosine to another one."""
    orthogonal = random_vectors(1, len(vector))[0]
    orthogonal = unit(orthogonal - np.dot(orthogonal, vector) * vector)
    return unit(cosine * vector + np.sqrt(1 - cosine**2) * orthogonal)


@dataclass
class Index:
    """The vectors of one tenant and model in the index, and what they are expected to be."""

    ports: Ports
    scope: Scope
    width: int = 8
    model: str = "model-a"
    expected: dict[UUID, Vector] = field(default_factory=dict)

    async def project(self, name: str = "p") -> UUID:
        async with self.ports.db.transaction(self.scope) as tx:
            return (await resolve(tx, name, create=True)).id

    async def put(self, project: UUID, vectors: Sequence[Vector], kind: str = KIND) -> list[UUID]:
        by_id = {new_id(): vector for vector in vectors}
        await self.replace(project, by_id, kind)
        return list(by_id)

    async def replace(self, project: UUID, vectors: dict[UUID, Vector], kind: str = KIND) -> None:
        points = [Point(kind, id, project, vector) for id, vector in vectors.items()]
        async with self.ports.db.transaction(self.scope) as tx:
            await self.ports.vectors.put(tx, self.model, points)
        if kind == KIND:
            self.expected.update(vectors)

    async def remove(self, ids: Sequence[UUID], kind: str = KIND) -> None:
        async with self.ports.db.transaction(self.scope) as tx:
            await self.ports.vectors.remove(tx, kind, ids)

    async def search(
        self,
        vector: Vector,
        projects: list[UUID] | None = None,
        limit: int = 1_000,
        kind: str = KIND,
        without: Sequence[str] = EXACT_ONLY,
    ) -> list[Near]:
        async with self.ports.db.transaction(self.scope) as tx:
            for plan in without:
                await tx.system.execute(f"SET LOCAL enable_{plan} = off")
            return await self.search_in(tx, vector, projects, limit, kind)

    async def search_in(
        self, tx: Tx, vector: Vector, projects: list[UUID] | None, limit: int, kind: str = KIND
    ) -> list[Near]:
        return await self.ports.vectors.search(tx, self.model, kind, vector, projects, limit)

    async def ids(self, vector: Vector, projects: list[UUID] | None = None) -> list[UUID]:
        return [near.id for near in await self.search(vector, projects)]

    def assert_nearest(self, query: Vector, results: Sequence[Near], limit: int) -> None:
        """Check that the result is as good as the exact order, up to half precision."""
        exact = {id: float(np.dot(vector, query)) for id, vector in self.expected.items()}
        best = sorted(exact.values(), reverse=True)[:limit]
        assert [near.cosine for near in results] == sorted(
            (near.cosine for near in results), reverse=True
        )
        assert [near.cosine for near in results] == pytest.approx(best, abs=ROUNDING)
        assert [exact[near.id] for near in results] == pytest.approx(best, abs=ROUNDING)


@asynccontextmanager
async def qdrant_store(server: Server, points: Points) -> AsyncIterator[Ports]:
    """A separate store whose vector index is Qdrant."""
    with qdrant_server(points) as qdrant:
        async with scratch_database(server) as name:
            settings = Settings(
                data_dir=server.data_dir,
                database_url=url(server, name, SUPERUSER),
                vector_index="qdrant",
                qdrant_url=qdrant.url,
                analysis_processes=0,
            )
            async with open_ports(settings) as opened:
                yield opened
        assert qdrant.violations == []


@pytest.fixture(scope="module")
async def qdrant_ports(server: Server) -> AsyncIterator[Ports]:
    async with qdrant_store(server, LocalMode()) as opened:
        yield opened


@pytest.fixture(scope="module")
async def engine_ports(server: Server) -> AsyncIterator[Ports]:
    async with qdrant_store(server, EngineShards()) as opened:
        yield opened


@pytest.fixture(params=[*ADAPTERS, "qdrant's engine"])
async def ports(
    request: pytest.FixtureRequest, ports: Ports, qdrant_ports: Ports, engine_ports: Ports
) -> Ports:
    return {"pgvector": ports, "qdrant": qdrant_ports, "qdrant's engine": engine_ports}[
        request.param
    ]


@pytest.fixture
async def index(ports: Ports, scope: Scope) -> Index:
    return Index(ports, scope)


@pytest.fixture
async def other_index(ports: Ports) -> Index:
    return Index(ports, await new_scope(ports))


@pytest.fixture
def force_walk(index: Index, monkeypatch: pytest.MonkeyPatch) -> ForceWalk:
    """Return a function that forces searches of more than so many rows to walk the graph."""

    def force(exact_rows: int = 0, **others: int) -> None:
        policy = WalkPolicy(exact_rows, exact_rows, cache_s=0.0, **others)
        monkeypatch.setattr(index.ports.vectors, "policy", policy)

    return force


async def test_the_nearest_come_first_in_the_exact_order(index: Index) -> None:
    await index.put(await index.project(), random_vectors(300, 8))
    for query in random_vectors(5, 8):
        index.assert_nearest(query, await index.search(query, limit=20), 20)


@in_postgres
async def test_the_approximate_index_finds_nearly_all_of_them(
    index: Index, force_walk: ForceWalk
) -> None:
    await index.ports.vectors.prepare(index.model, 8)
    await index.put(await index.project(), random_vectors(300, 8))
    correct = 0
    for query in random_vectors(10, 8):
        force_walk(5_000)
        exact = {near.id for near in await index.search(query, limit=20)}
        force_walk(0)
        results = await index.search(query, limit=20, without=INDEX_ONLY)
        assert len(results) == 20
        assert results == sorted(results, key=lambda near: -near.cosine)
        correct += len(exact & {near.id for near in results})
    assert correct >= 0.9 * 200


async def test_vectors_of_the_default_model(ports: Ports, scope: Scope) -> None:
    index = Index(ports, scope, width=384, model=ports.embedder.model)
    await index.put(await index.project(), random_vectors(100, 384))
    query = random_vectors(1, 384)[0]
    index.assert_nearest(query, await index.search(query, limit=10), 10)


async def test_a_cosine_goes_from_one_to_minus_one(index: Index) -> None:
    query, *_ = random_vectors(1, 8)
    for cosine in (1.0, 0.5, 0.0, -0.5, -1.0):
        await index.put(await index.project(), [vector_at(query, cosine)])
    results = await index.search(query)
    assert [near.cosine for near in results] == pytest.approx([1, 0.5, 0, -0.5, -1], abs=ROUNDING)


async def test_an_empty_index_finds_nothing(index: Index) -> None:
    assert await index.search(random_vectors(1, 8)[0]) == []


async def test_putting_again_replaces(index: Index) -> None:
    project, moved_to = await index.project(), await index.project("other")
    old, new = random_vectors(2, 8)
    [id] = await index.put(project, [old])
    await index.replace(moved_to, {id: new})
    [near] = await index.search(new)
    assert (near.id, near.cosine) == (id, pytest.approx(1, abs=ROUNDING))
    assert await index.ids(new, [project]) == []
    assert await index.ids(new, [moved_to]) == [id]


async def test_removed_vectors_are_not_found(index: Index) -> None:
    removed, remaining = await index.put(await index.project(), random_vectors(2, 8))
    await index.remove([removed, new_id()])
    assert await index.ids(random_vectors(1, 8)[0]) == [remaining]
    await index.remove([])
    assert await index.ids(random_vectors(1, 8)[0]) == [remaining]


async def test_removing_a_project_removes_its_vectors(index: Index) -> None:
    removed, other = await index.project("one"), await index.project("two")
    await index.put(removed, random_vectors(3, 8))
    remaining = await index.put(other, random_vectors(2, 8))
    async with index.ports.db.transaction(index.scope) as tx:
        await index.ports.vectors.remove_project(tx, removed)
    assert set(await index.ids(random_vectors(1, 8)[0])) == set(remaining)


async def test_a_rolled_back_put_stores_nothing(index: Index) -> None:
    project = await index.project()
    with pytest.raises(RuntimeError):
        async with index.ports.db.transaction(index.scope) as tx:
            point = Point(KIND, new_id(), project, random_vectors(1, 8)[0])
            await index.ports.vectors.put(tx, index.model, [point])
            raise RuntimeError
    assert await index.search(random_vectors(1, 8)[0]) == []


async def test_search_is_limited_to_projects(index: Index) -> None:
    first, second, empty = [await index.project(name) for name in ("one", "two", "three")]
    in_first, in_second = (
        await index.put(first, random_vectors(3, 8)),
        await index.put(second, random_vectors(3, 8)),
    )
    query = random_vectors(1, 8)[0]
    assert set(await index.ids(query, [first])) == set(in_first)
    assert set(await index.ids(query, [first, second])) == {*in_first, *in_second}
    assert await index.ids(query, [empty]) == []
    assert await index.ids(query, []) == []


async def test_kinds_are_separate(index: Index) -> None:
    project = await index.project()
    [chunk] = await index.put(project, random_vectors(1, 8))
    [memory] = await index.put(project, random_vectors(1, 8), kind="memory")
    query = random_vectors(1, 8)[0]
    assert [near.id for near in await index.search(query, kind="memory")] == [memory]
    await index.remove([chunk], kind="memory")
    assert await index.ids(query) == [chunk]


async def test_another_tenants_vectors_are_neither_found_nor_removed(
    index: Index, other_index: Index
) -> None:
    vector = random_vectors(1, 8)[0]
    [id] = await other_index.put(await other_index.project(), [vector])
    assert await index.search(vector) == []
    await index.remove([id])
    async with index.ports.db.transaction(index.scope) as tx:
        await index.ports.vectors.remove_project(tx, await other_index.project())
    assert await other_index.ids(vector) == [id]


async def test_models_are_never_compared(ports: Ports, scope: Scope) -> None:
    vector = random_vectors(1, 8)[0]
    first = Index(ports, scope, model="model-a")
    second = Index(ports, scope, model="model-b")
    [id] = await first.put(await first.project(), [vector])
    assert await second.search(vector) == []
    await second.replace(await second.project(), {id: vector})
    assert await first.ids(vector) == await second.ids(vector) == [id]


async def test_different_widths_coexist(ports: Ports, scope: Scope) -> None:
    narrow = Index(ports, scope, width=8, model="narrow")
    wide = Index(ports, scope, width=384, model="wide")
    await ports.vectors.prepare("narrow", 8)
    await ports.vectors.prepare("wide", 384)
    for index in (narrow, wide):
        await index.put(await index.project(), random_vectors(50, index.width))
    for index in (narrow, wide):
        query = random_vectors(1, index.width)[0]
        index.assert_nearest(query, await index.search(query, limit=10), 10)


async def indexes(ports: Ports) -> dict[str, str]:
    async with ports.db.pool.acquire() as connection:
        rows = await connection.fetch(
            "SELECT indexname, indexdef FROM pg_indexes WHERE tablename = 'embeddings'"
        )
    return {row["indexname"]: row["indexdef"] for row in rows}


@in_postgres
@pytest.mark.parametrize("width", [3, 4_000])
async def test_preparing_creates_the_index_of_a_width(ports: Ports, width: int) -> None:
    await ports.vectors.prepare("any", width)
    definition = (await indexes(ports))[f"embeddings_near_{width}"]
    assert "USING hnsw" in definition
    assert f"halfvec({width})" in definition
    assert f"vector_dims(vector) = {width}" in definition


@in_postgres
async def test_concurrent_prepares_create_one_index(ports: Ports) -> None:
    await asyncio.gather(*(ports.vectors.prepare("any", 17) for _ in range(8)))
    assert "embeddings_near_17" in await indexes(ports)


@in_postgres
async def test_preparing_an_existing_index_does_not_wait(ports: Ports, scope: Scope) -> None:
    """A starting server must neither wait for a running save of another one nor delay it."""
    await ports.vectors.prepare("any", 8)
    index = Index(ports, scope)
    project = await index.project()
    async with ports.db.transaction(scope) as tx:
        point = Point(KIND, new_id(), project, random_vectors(1, 8)[0])
        await ports.vectors.put(tx, "any", [point])
        await asyncio.wait_for(ports.vectors.prepare("any", 8), timeout=120)


@in_postgres
async def test_saves_go_on_while_the_index_of_a_new_width_is_created(
    ports: Ports, scope: Scope
) -> None:
    """Creating it waits for the save that began before, and must not make others wait as well."""
    project = await Index(ports, scope).project()
    points = [Point(KIND, new_id(), project, vector) for vector in random_vectors(2, 21)]
    async with ports.db.transaction(scope) as tx:
        await ports.vectors.put(tx, "any", points[:1])
        preparing = asyncio.create_task(ports.vectors.prepare("any", 21))
        await until_async(lambda: _is_waiting(ports, "CREATE INDEX"))

        async def save() -> None:
            async with ports.db.transaction(scope) as other:
                await ports.vectors.put(other, "any", points[1:])

        await asyncio.wait_for(asyncio.create_task(save()), timeout=60)
        assert not preparing.done()
    await preparing
    assert "embeddings_near_21" in await indexes(ports)


async def _is_waiting(ports: Ports, statement: str) -> bool:
    async with ports.db.pool.acquire() as connection:
        return await connection.fetchval(
            "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
            " AND query LIKE $1 || '%')",
            statement,
        )


@in_postgres
async def test_an_index_that_was_not_finished_is_created_again(ports: Ports, scope: Scope) -> None:
    project = await Index(ports, scope).project()
    async with ports.db.transaction(scope) as tx:
        point = Point(KIND, new_id(), project, random_vectors(1, 22)[0])
        await ports.vectors.put(tx, "any", [point])
        preparing = asyncio.create_task(ports.vectors.prepare("any", 22))
        await until_async(lambda: _is_waiting(ports, "CREATE INDEX"))
        preparing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await preparing
    assert not await _is_valid(ports, "embeddings_near_22")
    await ports.vectors.prepare("any", 22)
    assert await _is_valid(ports, "embeddings_near_22")


async def _is_valid(ports: Ports, name: str) -> bool:
    async with ports.db.pool.acquire() as connection:
        return await connection.fetchval(
            "SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass($1)", name
        )


async def tag_vectors(index: Index, project: UUID, ids: Sequence[UUID]) -> Filters:
    """Add chunks of a document with a unique tag for these vectors; return the filter for it."""
    document, name = new_id(), f"tag-{new_id().hex}"
    async with index.ports.db.transaction(index.scope) as tx:
        await tx.execute(
            "INSERT INTO documents (tenant_id, id, project_id, user_id, root_id, tags, title,"
            " content, content_hash, content_type) VALUES ($1, $2, $3, $4, $2, $5, 't', 'c', $6,"
            " 'note')",
            document, project, index.scope.user_id, [name], document.hex)  # fmt: skip
        await tx.executemany(
            "INSERT INTO chunks (tenant_id, id, project_id, document_id, chunk_index, content,"
            " start_offset, end_offset) VALUES ($1, $2, $3, $4, $5, 'c', 0, 1)",
            [(id, project, document, n) for n, id in enumerate(ids)],
        )
    # An external index stores the tags at the time when a vector is put.
    await index.replace(project, {id: index.expected[id] for id in ids})
    return Filters(tags=(name,))


@in_postgres
async def test_few_rows_among_many_are_all_found(
    index: Index, other_index: Index, force_walk: ForceWalk
) -> None:
    """With the approximate index: a filter must not discard the neighbours it walks through."""
    await index.ports.vectors.prepare(index.model, 8)
    query = random_vectors(1, 8)[0]
    crowd = [vector_at(query, cosine) for cosine in np.random.uniform(0.7, 1, size=400)]
    await other_index.put(await other_index.project(), crowd)
    await index.put(await index.project("crowd"), crowd)
    few = await index.project("few")
    ids = await index.put(few, [vector_at(query, cosine) for cosine in (0.1, 0.2, -0.3)])
    force_walk(0)
    async with index.ports.db.transaction(index.scope) as tx:
        # The planner prefers to sort so few rows exactly, unlike those of a large tenant.
        for plan in INDEX_ONLY:
            await tx.system.execute(f"SET LOCAL enable_{plan} = off")
        recording = RecordingTx(tx)
        # One of three rows is requested: the walk finds enough, so no exact comparison follows.
        results = await index.search_in(recording, query, [few], 1)
        assert [near.id for near in results] == [ids[1]]
        assert recording.walked == [True]
        assert await tx.system.fetchval("SHOW hnsw.iterative_scan") == "relaxed_order"
        await tx.system.execute("SET LOCAL hnsw.iterative_scan = off")
        walked_rows = await tx.fetch(
            "SELECT owner_id FROM embeddings WHERE tenant_id = $1 AND project_id = $2"
            " AND vector_dims(vector) = 8"
            " ORDER BY vector::halfvec(8) <=> $3::text::halfvec(8) LIMIT 10",
            few,
            str([float(value) for value in query]),
        )
    assert not walked_rows, "without iterative scan the index finds none"


class RecordingTx:
    """A transaction that records which searches walk the graph and which compare all rows."""

    def __init__(self, tx: AnyTx, walked: list[bool] | None = None) -> None:
        self._tx = tx
        self.walked: list[bool] = [] if walked is None else walked

    @property
    def system(self) -> "RecordingTx":
        return RecordingTx(self._tx.system, self.walked)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._tx, name)

    async def fetch(self, statement: str, *values: Any) -> Any:
        if "ORDER BY" in statement:
            self.walked.append("+ 0 LIMIT" not in statement)
        return await self._tx.fetch(statement, *values)


async def search_recorded(
    index: Index, query: Vector, limit: int, filters: Filters = ALL
) -> tuple[list[Near], list[bool]]:
    """The result, and for each try whether it walked the graph."""
    async with index.ports.db.transaction(index.scope) as tx:
        recording = RecordingTx(tx)
        results = await index.ports.vectors.search(
            recording, index.model, KIND, query, None, limit, filters
        )
    return results, recording.walked


@in_postgres
async def test_few_rows_are_compared_exactly(index: Index) -> None:
    await index.ports.vectors.prepare(index.model, 8)
    await index.put(await index.project(), random_vectors(200, 8))
    query = random_vectors(1, 8)[0]
    results, walked = await search_recorded(index, query, 200)
    assert walked == [False]
    index.assert_nearest(query, results, 200)


@in_postgres
async def test_many_rows_are_searched_by_walking_the_graph(
    index: Index, force_walk: ForceWalk
) -> None:
    await index.ports.vectors.prepare(index.model, 8)
    await index.put(await index.project(), random_vectors(100, 8))
    force_walk(99)
    query = random_vectors(1, 8)[0]
    results, walked = await search_recorded(index, query, 10)
    assert walked == [True]
    assert len(results) == 10
    force_walk(100)
    assert (await search_recorded(index, query, 10))[1] == [False]


@in_postgres
async def test_results_are_correct_with_an_outdated_row_count(
    index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index.ports.vectors, "policy", WalkPolicy(all_rows=100))
    await index.ports.vectors.prepare(index.model, 8)
    project = await index.project()
    query = random_vectors(1, 8)[0]
    ids = await index.put(project, random_vectors(90, 8))
    assert (await search_recorded(index, query, 10))[1] == [False]
    ids += await index.put(project, random_vectors(30, 8))
    results, walked = await search_recorded(index, query, 120)
    assert walked == [False], "the cached count is 90, below the limit of 100"
    index.assert_nearest(query, results, 120)
    index.ports.vectors._sizes._cached.clear()  # type: ignore[attr-defined]
    assert (await search_recorded(index, query, 10))[1] == [True]
    await index.remove(ids[:60])
    index.expected = {id: vector for id, vector in index.expected.items() if id not in ids[:60]}
    results, walked = await search_recorded(index, query, 70)
    assert walked == [True, False], "the walk found fewer than requested"
    index.assert_nearest(query, results, 70)


async def test_a_filter_with_three_matches_in_hundreds_finds_them(
    index: Index, force_walk: ForceWalk
) -> None:
    """Both when all rows are compared and when the graph is walked past everything nearer, which is
    more than one walk visits."""
    await index.ports.vectors.prepare(index.model, 8)
    query = random_vectors(1, 8)[0]
    project = await index.project()
    assert WALK_POLICY.ef(10) < 400
    await index.put(project, [vector_at(query, 0.95) for _ in range(400)])
    matching = await index.put(project, [vector_at(query, cosine) for cosine in (0.3, -0.2, 0.6)])
    tagged = await tag_vectors(index, project, matching)
    for exact_rows in (0, 5_000):
        force_walk(exact_rows)
        results, _ = await search_recorded(index, query, 10, tagged)
        assert [near.id for near in results] == [matching[2], matching[0], matching[1]]
        assert [near.cosine for near in results] == pytest.approx([0.6, 0.3, -0.2], abs=ROUNDING)


@in_postgres
async def test_a_walk_with_too_few_results_is_followed_by_an_exact_search(
    index: Index, force_walk: ForceWalk
) -> None:
    await index.ports.vectors.prepare(index.model, 8)
    query = random_vectors(1, 8)[0]
    project = await index.project()
    await index.put(project, [vector_at(query, 0.95) for _ in range(200)])
    matching = await index.put(project, [vector_at(query, cosine) for cosine in (-0.9, -0.4, 0.1)])
    tagged = await tag_vectors(index, project, matching)
    force_walk(0, scan_rows=50, ef_search=40)
    async with index.ports.db.transaction(index.scope) as tx:
        for plan in INDEX_ONLY:
            await tx.system.execute(f"SET LOCAL enable_{plan} = off")
        recording = RecordingTx(tx)
        results = await index.ports.vectors.search(
            recording, index.model, KIND, query, None, 3, tagged
        )
    assert recording.walked == [True, False]
    assert [near.id for near in results] == matching[::-1]


@pytest.mark.parametrize("exact_rows", [0, 5_000])
async def test_all_rows_are_found_when_the_limit_is_higher(
    index: Index, force_walk: ForceWalk, exact_rows: int
) -> None:
    await index.ports.vectors.prepare(index.model, 8)
    ids = await index.put(await index.project(), random_vectors(7, 8))
    force_walk(exact_rows)
    query = random_vectors(1, 8)[0]
    results, _ = await search_recorded(index, query, 100)
    assert {near.id for near in results} == set(ids)
    assert (await search_recorded(index, query, 100, Filters(tags=("nowhere",))))[0] == []


async def test_a_flag_is_of_the_member_who_set_it(index: Index) -> None:
    """It is set after the vectors were written, and no external index knows it."""
    vectors = random_vectors(6, 8)
    project = await index.project()
    ids = await index.put(project, vectors)
    await tag_vectors(index, project, ids[:2])
    await tag_vectors(index, project, ids[2:])
    async with index.ports.db.transaction(index.scope) as tx:
        for flag, chunk in (("unread_by", ids[0]), ("favourite_of", ids[2])):
            await tx.execute(
                f"UPDATE documents SET {flag} = ARRAY[$2::uuid] WHERE tenant_id = $1 AND id ="
                " (SELECT document_id FROM chunks WHERE tenant_id = $1 AND id = $3)",
                index.scope.user_id,
                chunk,
            )
    unread = (await search_recorded(index, vectors[3], 10, Filters(flags=("unread",))))[0]
    assert {near.id for near in unread} == set(ids[:2])
    assert (await search_recorded(index, vectors[3], 10, Filters(flags=("archived",))))[0] == []


async def test_a_filter_does_not_match_another_tenant(index: Index, other_index: Index) -> None:
    vector = random_vectors(1, 8)[0]
    project = await other_index.project()
    tagged = await tag_vectors(other_index, project, await other_index.put(project, [vector]))
    assert len((await search_recorded(other_index, vector, 10, tagged))[0]) == 1
    assert (await search_recorded(index, vector, 10, tagged))[0] == []


async def cosines(index: Index, vector: Vector, ids: Sequence[UUID]) -> list[Near]:
    async with index.ports.db.transaction(index.scope) as tx:
        return await index.ports.vectors.cosines(tx, index.model, KIND, vector, ids)


async def test_cosines_are_measured_for_the_given_ids_only(index: Index) -> None:
    query = random_vectors(1, 8)[0]
    project = await index.project()
    near, far, _ = await index.put(
        project, [vector_at(query, cosine) for cosine in (0.8, -0.4, 0.9)]
    )
    results = await cosines(index, query, [far, near, new_id()])
    assert [neighbour.id for neighbour in results] == [near, far]
    assert [neighbour.cosine for neighbour in results] == pytest.approx([0.8, -0.4], abs=ROUNDING)
    assert await cosines(index, query, []) == []


async def test_cosines_equal_those_of_a_search(index: Index) -> None:
    ids = await index.put(await index.project(), random_vectors(50, 8))
    query = random_vectors(1, 8)[0]
    measured, results = await cosines(index, query, ids), await index.search(query)
    assert dict(measured) == pytest.approx(dict(results), abs=ROUNDING)


async def test_cosines_ignore_other_tenants_models_and_widths(
    index: Index, other_index: Index
) -> None:
    vector = random_vectors(1, 8)[0]
    ids = await other_index.put(await other_index.project(), [vector])
    assert await cosines(index, vector, ids) == []
    other = Index(other_index.ports, other_index.scope, model="model-b")
    assert await cosines(other, vector, ids) == []
    assert await cosines(other_index, random_vectors(1, 16)[0], ids) == []


async def test_vectors_can_be_read_back(ports: Ports, scope: Scope) -> None:
    index = Index(ports, scope)
    project = await index.project()
    ids = await index.put(project, random_vectors(3, index.width))
    async with ports.db.transaction(scope) as tx:
        read = await ports.vectors.read(tx, index.model, KIND, [*ids[:2], new_id()])
        other = await ports.vectors.read(tx, "model-b", KIND, ids)
    assert {point.id for point in read} == set(ids[:2])
    assert all((point.kind, point.project_id) == (KIND, project) for point in read)
    for point in read:
        assert point.vector == pytest.approx(index.expected[point.id], abs=ROUNDING)
    assert other == []
    stranger = await new_scope(ports)
    async with ports.db.transaction(stranger) as tx:
        assert await ports.vectors.read(tx, index.model, KIND, ids) == []


@in_postgres
async def test_near_each_finds_neighbours_of_several_items(ports: Ports, scope: Scope) -> None:
    """Few rows are compared in the process; many are searched one by one."""
    width = 384
    first, other = random_vectors(2, width)
    vectors = [first, vector_at(first, 0.97), vector_at(first, 0.95), vector_at(first, 0.5), other]
    ids = [new_id() for _ in vectors]
    async with ports.db.transaction(scope) as tx:
        project = await resolve(tx, None)
        points = [
            Point(KIND, id, project.id, vector) for id, vector in zip(ids, vectors, strict=True)
        ]
        await ports.vectors.put(tx, "m", points)
        for rows in (10_000, 0):
            index = pgvector.PgVectorIndex(ports.db, WalkPolicy(all_rows=rows))
            arguments = (tx, "m", KIND, project.id, [ids[0], ids[4], new_id()])
            neighbours = await index.near_each(*arguments, 0.9, 2)
            assert [neighbour.id for neighbour in neighbours[ids[0]]] == [ids[1], ids[2]]
            assert [neighbour.cosine for neighbour in neighbours[ids[0]]] == pytest.approx(
                [0.97, 0.95], abs=ROUNDING
            )
            assert neighbours[ids[4]] == [] and len(neighbours) == 2
            assert len((await index.near_each(*arguments, 0.9, 1))[ids[0]]) == 1
