"""The vector index: nearest first, one tenant's alone, whatever else is in it. By pgvector in a
real PostgreSQL, and by Qdrant as far as `tests/tools/qdrant.py` is one."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias
from uuid import UUID

import numpy as np
import pytest

from remem.adapters.database.embedded.cluster import SUPERUSER
from remem.adapters.vector_index import ADAPTERS, pgvector
from remem.adapters.vector_index.sizes import WALK_POLICY, WalkPolicy
from remem.bootstrap import open_ports
from remem.core.db import Tx
from remem.core.filters import ALL, Filters
from remem.core.ports import Near, Point, Ports, Vector
from remem.core.projects.resolve import resolve
from remem.core.scope import Scope
from remem.core.time import new_id
from remem.settings import Settings
from tests.conftest import Server, new_scope
from tests.core.scratch import scratch_database, url
from tests.tools.qdrant import FakeQdrant, qdrant_server

pytestmark = pytest.mark.anyio
# What is said of the graph in PostgreSQL, and of no other.
in_postgres = pytest.mark.parametrize("ports", ["pgvector"], indirect=True)

KIND = "chunk"
Walks: TypeAlias = Callable[..., None]
# What half precision may change of a cosine.
ROUNDING = 2e-3
# The ways of the planner to be closed, so that the answer is exact, or the approximate index's.
EXACTLY, BY_THE_INDEX = ("indexscan",), ("seqscan", "bitmapscan", "sort")


def unit(values: Vector) -> Vector:
    return (values / np.linalg.norm(values)).astype(np.float32)


def some(count: int, width: int) -> list[Vector]:
    return [unit(np.random.normal(size=width).astype(np.float32)) for _ in range(count)]


def towards(vector: Vector, cosine: float) -> Vector:
    """A vector at that angle from another."""
    across = some(1, len(vector))[0]
    across = unit(across - np.dot(across, vector) * vector)
    return unit(cosine * vector + np.sqrt(1 - cosine**2) * across)


@dataclass
class Index:
    """One tenant's vectors of one model, under test beside what they should be."""

    ports: Ports
    scope: Scope
    width: int = 8
    model: str = "model-a"
    held: dict[UUID, Vector] = field(default_factory=dict)

    async def project(self, name: str = "p") -> UUID:
        async with self.ports.db.transaction(self.scope) as tx:
            return (await resolve(tx, self.scope, name, create=True)).id

    async def put(self, project: UUID, vectors: Sequence[Vector], kind: str = KIND) -> list[UUID]:
        made = {new_id(): vector for vector in vectors}
        await self.replace(project, made, kind)
        return list(made)

    async def replace(self, project: UUID, vectors: dict[UUID, Vector], kind: str = KIND) -> None:
        points = [Point(kind, id, project, vector) for id, vector in vectors.items()]
        async with self.ports.db.transaction(self.scope) as tx:
            await self.ports.vectors.put(tx, self.scope, self.model, points)
        if kind == KIND:
            self.held.update(vectors)

    async def remove(self, ids: Sequence[UUID], kind: str = KIND) -> None:
        async with self.ports.db.transaction(self.scope) as tx:
            await self.ports.vectors.remove(tx, self.scope, kind, ids)

    async def search(
        self,
        vector: Vector,
        projects: list[UUID] | None = None,
        limit: int = 1_000,
        kind: str = KIND,
        without: Sequence[str] = EXACTLY,
    ) -> list[Near]:
        async with self.ports.db.transaction(self.scope) as tx:
            for way in without:
                await tx.execute(f"SET LOCAL enable_{way} = off")
            return await self.search_in(tx, vector, projects, limit, kind)

    async def search_in(
        self, tx: Tx, vector: Vector, projects: list[UUID] | None, limit: int, kind: str = KIND
    ) -> list[Near]:
        return await self.ports.vectors.search(
            tx, self.scope, self.model, kind, vector, projects, limit
        )

    async def ids(self, vector: Vector, projects: list[UUID] | None = None) -> list[UUID]:
        return [near.id for near in await self.search(vector, projects)]

    def check_nearest(self, query: Vector, found: Sequence[Near], limit: int) -> None:
        """As good as the exact order, up to what half precision confounds."""
        exact = {id: float(np.dot(vector, query)) for id, vector in self.held.items()}
        best = sorted(exact.values(), reverse=True)[:limit]
        assert [near.cosine for near in found] == sorted(
            (near.cosine for near in found), reverse=True
        )
        assert [near.cosine for near in found] == pytest.approx(best, abs=ROUNDING)
        assert [exact[near.id] for near in found] == pytest.approx(best, abs=ROUNDING)


@pytest.fixture(scope="module")
def qdrant() -> Iterator[FakeQdrant]:
    with qdrant_server() as running:
        yield running
        assert running.wrong == []


@pytest.fixture(scope="module")
async def qdrant_ports(server: Server, qdrant: FakeQdrant) -> AsyncIterator[Ports]:
    """A store of its own, whose vectors are found by Qdrant."""
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


@pytest.fixture(params=list(ADAPTERS))
async def ports(request: pytest.FixtureRequest, ports: Ports, qdrant_ports: Ports) -> Ports:
    return {"pgvector": ports, "qdrant": qdrant_ports}[request.param]


@pytest.fixture
async def index(ports: Ports, scope: Scope) -> Index:
    return Index(ports, scope)


@pytest.fixture
async def theirs(ports: Ports) -> Index:
    return Index(ports, await new_scope(ports))


@pytest.fixture
def walks(index: Index, monkeypatch: pytest.MonkeyPatch) -> Walks:
    """However few vectors there are, more than so many are walked through by the graph."""

    def force(exact_rows: int = 0, **others: int) -> None:
        policy = WalkPolicy(exact_rows, exact_rows, cache_s=0.0, **others)
        monkeypatch.setattr(index.ports.vectors, "policy", policy)

    return force


async def test_the_nearest_come_first_in_the_exact_order(index: Index) -> None:
    await index.put(await index.project(), some(300, 8))
    for query in some(5, 8):
        index.check_nearest(query, await index.search(query, limit=20), 20)


@in_postgres
async def test_the_approximate_index_finds_nearly_all_of_them(index: Index, walks: Walks) -> None:
    await index.ports.vectors.prepare(index.model, 8)
    await index.put(await index.project(), some(300, 8))
    right = 0
    for query in some(10, 8):
        walks(5_000)
        exact = {near.id for near in await index.search(query, limit=20)}
        walks(0)
        found = await index.search(query, limit=20, without=BY_THE_INDEX)
        assert len(found) == 20
        assert found == sorted(found, key=lambda near: -near.cosine)
        right += len(exact & {near.id for near in found})
    assert right >= 0.9 * 200


async def test_at_the_width_of_the_default_model_too(ports: Ports, scope: Scope) -> None:
    index = Index(ports, scope, width=384, model=ports.embedder.model)
    await index.put(await index.project(), some(100, 384))
    query = some(1, 384)[0]
    index.check_nearest(query, await index.search(query, limit=10), 10)


async def test_a_cosine_goes_from_one_to_minus_one(index: Index) -> None:
    query, *_ = some(1, 8)
    for cosine in (1.0, 0.5, 0.0, -0.5, -1.0):
        await index.put(await index.project(), [towards(query, cosine)])
    found = await index.search(query)
    assert [near.cosine for near in found] == pytest.approx([1, 0.5, 0, -0.5, -1], abs=ROUNDING)


async def test_an_empty_index_finds_nothing(index: Index) -> None:
    assert await index.search(some(1, 8)[0]) == []


async def test_putting_again_replaces(index: Index) -> None:
    project, moved_to = await index.project(), await index.project("other")
    before, after = some(2, 8)
    [id] = await index.put(project, [before])
    await index.replace(moved_to, {id: after})
    [near] = await index.search(after)
    assert (near.id, near.cosine) == (id, pytest.approx(1, abs=ROUNDING))
    assert await index.ids(after, [project]) == []
    assert await index.ids(after, [moved_to]) == [id]


async def test_what_is_removed_is_not_found(index: Index) -> None:
    gone, kept = await index.put(await index.project(), some(2, 8))
    await index.remove([gone, new_id()])
    assert await index.ids(some(1, 8)[0]) == [kept]
    await index.remove([])
    assert await index.ids(some(1, 8)[0]) == [kept]


async def test_a_removed_project_takes_its_vectors_along(index: Index) -> None:
    one, two = await index.project("one"), await index.project("two")
    await index.put(one, some(3, 8))
    kept = await index.put(two, some(2, 8))
    async with index.ports.db.transaction(index.scope) as tx:
        await index.ports.vectors.remove_project(tx, index.scope, one)
    assert set(await index.ids(some(1, 8)[0])) == set(kept)


async def test_what_is_rolled_back_was_never_there(index: Index) -> None:
    project = await index.project()
    with pytest.raises(RuntimeError):
        async with index.ports.db.transaction(index.scope) as tx:
            point = Point(KIND, new_id(), project, some(1, 8)[0])
            await index.ports.vectors.put(tx, index.scope, index.model, [point])
            raise RuntimeError
    assert await index.search(some(1, 8)[0]) == []


async def test_projects_narrow_what_is_found(index: Index) -> None:
    one, two, three = [await index.project(name) for name in ("one", "two", "three")]
    in_one, in_two = await index.put(one, some(3, 8)), await index.put(two, some(3, 8))
    query = some(1, 8)[0]
    assert set(await index.ids(query, [one])) == set(in_one)
    assert set(await index.ids(query, [one, two])) == {*in_one, *in_two}
    assert await index.ids(query, [three]) == []
    assert await index.ids(query, []) == []


async def test_kinds_are_kept_apart(index: Index) -> None:
    project = await index.project()
    [chunk] = await index.put(project, some(1, 8))
    [memory] = await index.put(project, some(1, 8), kind="memory")
    query = some(1, 8)[0]
    assert [near.id for near in await index.search(query, kind="memory")] == [memory]
    await index.remove([chunk], kind="memory")
    assert await index.ids(query) == [chunk]


async def test_another_tenants_vectors_are_neither_found_nor_removed(
    index: Index, theirs: Index
) -> None:
    vector = some(1, 8)[0]
    [id] = await theirs.put(await theirs.project(), [vector])
    assert await index.search(vector) == []
    await index.remove([id])
    async with index.ports.db.transaction(index.scope) as tx:
        await index.ports.vectors.remove_project(tx, index.scope, await theirs.project())
    assert await theirs.ids(vector) == [id]


async def test_models_are_never_compared(ports: Ports, scope: Scope) -> None:
    vector = some(1, 8)[0]
    one = Index(ports, scope, model="model-a")
    two = Index(ports, scope, model="model-b")
    [in_one] = await one.put(await one.project(), [vector])
    assert await two.search(vector) == []
    await two.replace(await two.project(), {in_one: vector})
    assert await one.ids(vector) == await two.ids(vector) == [in_one]


async def test_different_widths_live_side_by_side(ports: Ports, scope: Scope) -> None:
    narrow = Index(ports, scope, width=8, model="narrow")
    wide = Index(ports, scope, width=384, model="wide")
    await ports.vectors.prepare("narrow", 8)
    await ports.vectors.prepare("wide", 384)
    for index in (narrow, wide):
        await index.put(await index.project(), some(50, index.width))
    for index in (narrow, wide):
        query = some(1, index.width)[0]
        index.check_nearest(query, await index.search(query, limit=10), 10)


async def indexes(ports: Ports) -> dict[str, str]:
    async with ports.db.pool.acquire() as connection:
        rows = await connection.fetch(
            "SELECT indexname, indexdef FROM pg_indexes WHERE tablename = 'embeddings'"
        )
    return {row["indexname"]: row["indexdef"] for row in rows}


@in_postgres
@pytest.mark.parametrize("width", [3, 4_000])
async def test_preparing_makes_the_index_of_a_width(ports: Ports, width: int) -> None:
    await ports.vectors.prepare("any", width)
    made = (await indexes(ports))[f"embeddings_near_{width}"]
    assert "USING hnsw" in made
    assert f"halfvec({width})" in made
    assert f"vector_dims(vector) = {width}" in made


@in_postgres
async def test_preparing_in_several_processes_at_once_makes_one(ports: Ports) -> None:
    await asyncio.gather(*(ports.vectors.prepare("any", 17) for _ in range(8)))
    assert "embeddings_near_17" in await indexes(ports)


@in_postgres
async def test_preparing_what_is_there_waits_for_nobody(ports: Ports, scope: Scope) -> None:
    """A server that starts must not wait for another's running save, nor delay it."""
    await ports.vectors.prepare("any", 8)
    index = Index(ports, scope)
    project = await index.project()
    async with ports.db.transaction(scope) as tx:
        point = Point(KIND, new_id(), project, some(1, 8)[0])
        await ports.vectors.put(tx, scope, "any", [point])
        await asyncio.wait_for(ports.vectors.prepare("any", 8), timeout=10)


async def tag(index: Index, project: UUID, ids: Sequence[UUID]) -> Filters:
    """Chunks of a document with a tag of its own, for these vectors; the filter for that tag."""
    document, name = new_id(), f"tag-{new_id().hex}"
    async with index.ports.db.transaction(index.scope) as tx:
        await tx.execute(
            "INSERT INTO documents (tenant_id, id, project_id, user_id, root_id, tags, title,"
            " content, content_hash, content_type) VALUES ($1, $2, $3, $4, $2, $5, 't', 'c', $6,"
            " 'note')",
            index.scope.tenant_id, document, project, index.scope.user_id, [name], document.hex,
        )  # fmt: skip
        await tx.executemany(
            "INSERT INTO chunks (tenant_id, id, project_id, document_id, chunk_index, content,"
            " start_offset, end_offset) VALUES ($1, $2, $3, $4, $5, 'c', 0, 1)",
            [(index.scope.tenant_id, id, project, document, n) for n, id in enumerate(ids)],
        )
    # An index elsewhere has what is said of a text from when its vector was put.
    await index.replace(project, {id: index.held[id] for id in ids})
    return Filters(tags=(name,))


@in_postgres
async def test_few_rows_among_many_are_all_found(index: Index, theirs: Index, walks: Walks) -> None:
    """By the approximate index itself: a filter must not eat the neighbours it walks through."""
    await index.ports.vectors.prepare(index.model, 8)
    query = some(1, 8)[0]
    crowd = [towards(query, cosine) for cosine in np.random.uniform(0.7, 1, size=400)]
    await theirs.put(await theirs.project(), crowd)
    await index.put(await index.project("crowd"), crowd)
    few = await index.project("few")
    wanted = await index.put(few, [towards(query, cosine) for cosine in (0.1, 0.2, -0.3)])
    walks(0)
    async with index.ports.db.transaction(index.scope) as tx:
        # The planner would rather sort so few rows exactly; a large tenant's it could not.
        for way in BY_THE_INDEX:
            await tx.execute(f"SET LOCAL enable_{way} = off")
        seen = Seen(tx)
        # Of three rows one is asked for: the walk has all it needs, and nothing is compared after.
        found = await index.search_in(seen, query, [few], 1)
        assert [near.id for near in found] == [wanted[1]]
        assert seen.walked == [True]
        assert await tx.fetchval("SHOW hnsw.iterative_scan") == "relaxed_order"
        await tx.execute("SET LOCAL hnsw.iterative_scan = off")
        walked = await tx.fetch(
            "SELECT owner_id FROM embeddings WHERE tenant_id = $1 AND project_id = $2"
            " AND vector_dims(vector) = 8"
            " ORDER BY vector::halfvec(8) <=> $3::text::halfvec(8) LIMIT 10",
            index.scope.tenant_id,
            few,
            str([float(value) for value in query]),
        )
    assert not walked, "the index was walked, and without looking on it would have found none"


class Seen:
    """A transaction that notes which searches walk the graph and which compare with all."""

    def __init__(self, tx: Tx) -> None:
        self._tx = tx
        self.walked: list[bool] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._tx, name)

    async def fetch(self, statement: str, *values: Any) -> Any:
        if "ORDER BY" in statement:
            self.walked.append("+ 0 LIMIT" not in statement)
        return await self._tx.fetch(statement, *values)


async def searched(
    index: Index, query: Vector, limit: int, filters: Filters = ALL
) -> tuple[list[Near], list[bool]]:
    """What is found, and whether it was walked for, try by try."""
    async with index.ports.db.transaction(index.scope) as tx:
        seen = Seen(tx)
        found = await index.ports.vectors.search(
            seen, index.scope, index.model, KIND, query, None, limit, filters
        )
    return found, seen.walked


@in_postgres
async def test_up_to_some_thousand_rows_nothing_is_missed(index: Index) -> None:
    await index.ports.vectors.prepare(index.model, 8)
    await index.put(await index.project(), some(200, 8))
    query = some(1, 8)[0]
    found, walked = await searched(index, query, 200)
    assert walked == [False]
    index.check_nearest(query, found, 200)


@in_postgres
async def test_above_that_the_graph_is_walked(index: Index, walks: Walks) -> None:
    await index.ports.vectors.prepare(index.model, 8)
    await index.put(await index.project(), some(100, 8))
    walks(99)
    query = some(1, 8)[0]
    found, walked = await searched(index, query, 10)
    assert walked == [True]
    assert len(found) == 10
    walks(100)
    assert (await searched(index, query, 10))[1] == [False]


@in_postgres
async def test_what_was_counted_is_believed_and_answers_are_right_all_the_same(
    index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index.ports.vectors, "policy", WalkPolicy(all_rows=100))
    await index.ports.vectors.prepare(index.model, 8)
    project = await index.project()
    query = some(1, 8)[0]
    ids = await index.put(project, some(90, 8))
    assert (await searched(index, query, 10))[1] == [False]
    ids += await index.put(project, some(30, 8))
    found, walked = await searched(index, query, 120)
    assert walked == [False], "120 are more than are compared, and 90 were counted"
    index.check_nearest(query, found, 120)
    index.ports.vectors._sizes._cached.clear()  # type: ignore[attr-defined]
    assert (await searched(index, query, 10))[1] == [True]
    await index.remove(ids[:60])
    index.held = {id: vector for id, vector in index.held.items() if id not in ids[:60]}
    found, walked = await searched(index, query, 70)
    assert walked == [True, False], "fewer than were asked for"
    index.check_nearest(query, found, 70)


async def test_a_filter_that_leaves_three_of_hundreds_gives_those_three(
    index: Index, walks: Walks
) -> None:
    """Whether all are compared, or the graph is walked past everything nearer, which is more than
    one walk looks at."""
    await index.ports.vectors.prepare(index.model, 8)
    query = some(1, 8)[0]
    project = await index.project()
    assert WALK_POLICY.ef(10) < 400
    await index.put(project, [towards(query, 0.95) for _ in range(400)])
    wanted = await index.put(project, [towards(query, cosine) for cosine in (0.3, -0.2, 0.6)])
    tagged = await tag(index, project, wanted)
    for exact_rows in (0, 5_000):
        walks(exact_rows)
        found, _ = await searched(index, query, 10, tagged)
        assert [near.id for near in found] == [wanted[2], wanted[0], wanted[1]]
        assert [near.cosine for near in found] == pytest.approx([0.6, 0.3, -0.2], abs=ROUNDING)


@in_postgres
async def test_a_walk_that_comes_back_with_too_few_is_not_believed(
    index: Index, walks: Walks
) -> None:
    await index.ports.vectors.prepare(index.model, 8)
    query = some(1, 8)[0]
    project = await index.project()
    await index.put(project, [towards(query, 0.95) for _ in range(200)])
    wanted = await index.put(project, [towards(query, cosine) for cosine in (-0.9, -0.4, 0.1)])
    tagged = await tag(index, project, wanted)
    walks(0, scan_rows=50, ef_search=40)
    async with index.ports.db.transaction(index.scope) as tx:
        for way in BY_THE_INDEX:
            await tx.execute(f"SET LOCAL enable_{way} = off")
        seen = Seen(tx)
        found = await index.ports.vectors.search(
            seen, index.scope, index.model, KIND, query, None, 3, tagged
        )
    assert seen.walked == [True, False]
    assert [near.id for near in found] == wanted[::-1]


@pytest.mark.parametrize("exact_rows", [0, 5_000])
async def test_fewer_than_the_limit_are_all_found(
    index: Index, walks: Walks, exact_rows: int
) -> None:
    await index.ports.vectors.prepare(index.model, 8)
    ids = await index.put(await index.project(), some(7, 8))
    walks(exact_rows)
    query = some(1, 8)[0]
    found, _ = await searched(index, query, 100)
    assert {near.id for near in found} == set(ids)
    assert (await searched(index, query, 100, Filters(tags=("nowhere",))))[0] == []


async def test_a_filter_does_not_reach_into_another_tenant(index: Index, theirs: Index) -> None:
    vector = some(1, 8)[0]
    project = await theirs.project()
    tagged = await tag(theirs, project, await theirs.put(project, [vector]))
    assert len((await searched(theirs, vector, 10, tagged))[0]) == 1
    assert (await searched(index, vector, 10, tagged))[0] == []


async def cosines(index: Index, vector: Vector, ids: Sequence[UUID]) -> list[Near]:
    async with index.ports.db.transaction(index.scope) as tx:
        return await index.ports.vectors.cosines(tx, index.scope, index.model, KIND, vector, ids)


async def test_cosines_measure_what_is_named_and_nothing_else(index: Index) -> None:
    query = some(1, 8)[0]
    project = await index.project()
    near, far, _ = await index.put(project, [towards(query, cosine) for cosine in (0.8, -0.4, 0.9)])
    found = await cosines(index, query, [far, near, new_id()])
    assert [one.id for one in found] == [near, far]
    assert [one.cosine for one in found] == pytest.approx([0.8, -0.4], abs=ROUNDING)
    assert await cosines(index, query, []) == []


async def test_cosines_are_those_a_search_gives(index: Index) -> None:
    ids = await index.put(await index.project(), some(50, 8))
    query = some(1, 8)[0]
    measured, found = await cosines(index, query, ids), await index.search(query)
    assert dict(measured) == pytest.approx(dict(found), abs=ROUNDING)


async def test_cosines_know_neither_other_tenants_nor_other_models_nor_widths(
    index: Index, theirs: Index
) -> None:
    vector = some(1, 8)[0]
    ids = await theirs.put(await theirs.project(), [vector])
    assert await cosines(index, vector, ids) == []
    other = Index(theirs.ports, theirs.scope, model="model-b")
    assert await cosines(other, vector, ids) == []
    assert await cosines(theirs, some(1, 16)[0], ids) == []


async def test_what_was_put_is_read_again(ports: Ports, scope: Scope) -> None:
    index = Index(ports, scope)
    project = await index.project()
    ids = await index.put(project, some(3, index.width))
    async with ports.db.transaction(scope) as tx:
        read = await ports.vectors.read(tx, scope, index.model, KIND, [*ids[:2], new_id()])
        other = await ports.vectors.read(tx, scope, "model-b", KIND, ids)
    assert {point.id for point in read} == set(ids[:2])
    assert all((point.kind, point.project_id) == (KIND, project) for point in read)
    for point in read:
        assert point.vector == pytest.approx(index.held[point.id], abs=ROUNDING)
    assert other == []
    stranger = await new_scope(ports)
    async with ports.db.transaction(stranger) as tx:
        assert await ports.vectors.read(tx, stranger, index.model, KIND, ids) == []


@in_postgres
async def test_each_of_several_has_its_near_ones(ports: Ports, scope: Scope) -> None:
    """Compared here where there are few, by a search for each where there are many."""
    width = 384
    first, other = some(2, width)
    vectors = [first, towards(first, 0.97), towards(first, 0.95), towards(first, 0.5), other]
    ids = [new_id() for _ in vectors]
    async with ports.db.transaction(scope) as tx:
        project = await resolve(tx, scope, None)
        points = [Point(KIND, id, project.id, one) for id, one in zip(ids, vectors, strict=True)]
        await ports.vectors.put(tx, scope, "m", points)
        for rows in (10_000, 0):
            index = pgvector.PgVectorIndex(ports.db, WalkPolicy(all_rows=rows))
            asked = (tx, scope, "m", KIND, project.id, [ids[0], ids[4], new_id()])
            near = await index.near_each(*asked, 0.9, 2)
            assert [one.id for one in near[ids[0]]] == [ids[1], ids[2]]
            assert [one.cosine for one in near[ids[0]]] == pytest.approx([0.97, 0.95], abs=ROUNDING)
            assert near[ids[4]] == [] and len(near) == 2
            assert len((await index.near_each(*asked, 0.9, 1))[ids[0]]) == 1
