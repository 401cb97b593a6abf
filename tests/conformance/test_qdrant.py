"""Qdrant beside PostgreSQL: what is written there, found by filters, and done while it is down."""

import json
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest

from remem.adapters.circuit import Circuit, Tolerance
from remem.adapters.database.embedded.cluster import SUPERUSER
from remem.adapters.vector_index.pgvector import PgVectorIndex
from remem.adapters.vector_index.qdrant import QdrantIndex
from remem.adapters.vector_index.qdrant_api import REPLY_BYTES, QdrantApi
from remem.adapters.vector_index.qdrant_filters import MAX_VALUES
from remem.adapters.vector_index.sizes import WalkPolicy
from remem.bootstrap import open_ports
from remem.core.documents.change import DocumentEdit, change_document
from remem.core.documents.forget import forget_document
from remem.core.documents.ingest import ingest
from remem.core.documents.model import Draft
from remem.core.errors import CannotStart, Unavailable
from remem.core.filters import ALL, Filters
from remem.core.identity.account import delete_account
from remem.core.index.kinds import CHUNK, MEMORY
from remem.core.memories.edit import MemoryEdit, edit_memory
from remem.core.memories.forget import forget_memory
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.search.model import MODES, Query
from remem.core.search.recall import recall
from remem.core.time import new_id
from remem.core.upkeep.index_vectors import complete_copy, index_vectors
from remem.core.upkeep.move_vectors import count_vectors, end_copy, fill_copy
from remem.settings import Settings
from tests.conftest import Server, new_scope
from tests.core.memories import save
from tests.core.scratch import scratch_database, url
from tests.tools.qdrant import FakeQdrant, qdrant_server

pytestmark = pytest.mark.anyio


def on(year: int) -> datetime:
    return datetime(year, 5, 1, tzinfo=UTC)


# Each leaves some of what `saved_ships` saves and not all of it, unless it says so.
FILTERS = {
    "all": ALL,
    "content type": Filters(content_types=("text", "code")),
    "no such type": Filters(content_types=("epub",)),
    "category": Filters(categories=("preference", "decision")),
    "a tag in another case": Filters(tags=("HARBOUR",)),
    "both tags": Filters(tags=("harbour", "night")),
    "no such tag": Filters(tags=("nowhere",)),
    "after": Filters(created_after=on(2021)),
    "before": Filters(created_before=on(2021)),
    "between": Filters(created_after=on(2019), created_before=on(2022)),
    "metadata": Filters(metadata={"berth": 4}),
    "a number is a number": Filters(metadata={"berth": 4.0}),
    "nested metadata": Filters(metadata={"crew": {"cook": "Ada"}}),
    "one of a list": Filters(metadata={"ports": ["Oslo"]}),
    "nothing in particular": Filters(metadata={"crew": {}}),
    "null": Filters(metadata={"ended": None}),
    "odd names": Filters(metadata={'a.b "c"': "[]"}),
    "one of very many": Filters(metadata={"n600": 600}),
    "windows": Filters(windows=((on(2018), on(2019)), (on(2021), on(2025)))),
    "several": Filters(tags=("harbour",), created_after=on(2018), metadata={"berth": 5}),
}
METADATA: list[dict[str, Any]] = [
    {"berth": 4, "crew": {"cook": "Ada", "mate": "Bo"}},
    {"berth": 5, "ports": ["Oslo", "Bergen"]},
    {"berth": "4", "ended": None},
    {'a.b "c"': "[]", "ports": []},
    {f"n{n}": n for n in range(MAX_VALUES + 200)},
]


@pytest.fixture(scope="module")
def qdrant() -> Iterator[FakeQdrant]:
    with qdrant_server() as running:
        yield running
        assert running.wrong == []


@pytest.fixture(scope="module")
async def database(server: Server) -> AsyncIterator[str]:
    async with scratch_database(server) as name:
        yield url(server, name, SUPERUSER)


def settings(server: Server, database: str, qdrant: FakeQdrant, index: str) -> Settings:
    return Settings(
        data_dir=server.data_dir,
        database_url=database,
        vector_index=index,
        qdrant_url=qdrant.url,
        analysis_processes=0,
        distil=False,
        reader=False,
    )


@pytest.fixture(scope="module")
async def ports(server: Server, database: str, qdrant: FakeQdrant) -> AsyncIterator[Ports]:
    async with open_ports(settings(server, database, qdrant, "qdrant")) as opened:
        yield opened


@pytest.fixture
def copy(ports: Ports) -> Iterator[QdrantIndex]:
    """Asked again at once after a failure."""
    index = ports.vectors
    assert isinstance(index, QdrantIndex)
    before = index._api.circuit
    index._api.circuit = Circuit("qdrant", Tolerance(1, 0.0, 0.0))
    yield index
    index._api.circuit = before


@pytest.fixture
def down(qdrant: FakeQdrant, copy: QdrantIndex) -> Iterator[FakeQdrant]:
    qdrant.status = 503
    yield qdrant
    qdrant.status = 200


async def document(ports: Ports, scope: Scope, content: str, **fields: Any) -> UUID:
    return (await ingest(ports, scope, Draft(content, **fields))).document.id


async def saved_ships(ports: Ports, scope: Scope) -> None:
    for n, metadata in enumerate(METADATA):
        tags = ["Harbour", "night"][: n % 3]
        fields = {"metadata": metadata, "tags": tags, "created_at": on(2018 + n)}
        await document(ports, scope, f"The ship number {n} lies in the harbour.", **fields)
        await save(
            ports,
            scope,
            f"Captain number {n} wants coffee at {n} o'clock.",
            context=metadata,
            tags=tags,
            category=["fact", "preference", "decision"][n % 3],
        )
    await document(ports, scope, "def moor(ship):\n    return ship.berth\n", content_type="code")


async def found(
    index: Any, ports: Ports, scope: Scope, kind: str, filters: Filters
) -> dict[UUID, float]:
    vector = await ports.embedder.embed_query("ships and captains")
    model = ports.embedder.model
    async with ports.db.transaction(scope) as tx:
        return dict(await index.search(tx, scope, model, kind, vector, None, 100, filters))


async def with_very_many(ports: Ports, scope: Scope) -> set[UUID]:
    async with ports.db.transaction(scope) as tx:
        rows = await tx.fetch(
            "SELECT c.id FROM chunks c JOIN documents d ON d.id = c.document_id"
            " WHERE d.metadata ? 'n600' UNION ALL SELECT id FROM memories WHERE context ? 'n600'"
        )
    return {row["id"] for row in rows}


async def test_filters_leave_what_they_leave_in_postgresql(
    ports: Ports, scope: Scope, qdrant: FakeQdrant, copy: QdrantIndex
) -> None:
    await saved_ships(ports, scope)
    here = PgVectorIndex(ports.db)
    left: dict[str, int] = {}
    many = await with_very_many(ports, scope)
    for name, filters in FILTERS.items():
        for kind in (CHUNK, MEMORY):
            qdrant.asked.clear()
            there = await found(copy, ports, scope, kind, filters)
            assert [path for _, path, _ in qdrant.asked] == ["/collections/remem_384/points/query"]
            expected = await found(here, ports, scope, kind, filters)
            if filters.metadata:
                # One with very many values is always given, and left out when it is read.
                there = {
                    id: cosine for id, cosine in there.items() if id not in many or id in expected
                }
            assert there == pytest.approx(expected, abs=2e-3), (name, kind)
            left[name] = left.get(name, 0) + len(there)
    assert left["all"] == 2 * len(METADATA) + 1
    nothing = {"no such type", "no such tag"}
    assert {name for name, count in left.items() if not count} == nothing


async def test_every_request_names_the_tenant(
    ports: Ports, scope: Scope, qdrant: FakeQdrant, copy: QdrantIndex
) -> None:
    await document(ports, scope, "A note about lighthouses.")
    await recall(ports, scope, Query("lighthouses"))
    asked = [sent for _, path, sent in qdrant.asked if path.endswith(("/query", "/count"))]
    must = [{"key": "tenant_id", "match": {"value": str(scope.tenant_id)}}]
    assert all(sent["filter"]["must"][:1] == must for sent in asked[-2:])


async def test_a_point_has_the_payload_of_the_source(
    ports: Ports, scope: Scope, qdrant: FakeQdrant
) -> None:
    id = await document(
        ports, scope, "Buoys are red to port.", title="Buoys", source_url="https://x.org/buoys"
    )
    [payload] = [one for one in qdrant.payloads() if one.get("document_id") == str(id)]
    assert payload["content"] == "Buoys are red to port."
    assert payload["title"] == "Buoys"
    assert payload["source_url"] == "https://x.org/buoys"
    assert payload["content_type"] == "text"
    assert payload["user_id"] == str(scope.user_id)
    assert datetime.fromisoformat(payload["created_at"]).tzinfo
    assert {"memory_id", "project_id", "tenant_id", "kind", "model"} <= set(payload)


def of(qdrant: FakeQdrant, scope: Scope) -> list[dict[str, Any]]:
    return [one for one in qdrant.payloads() if one["tenant_id"] == str(scope.tenant_id)]


async def test_what_is_said_of_a_text_changes_there_too(
    ports: Ports, scope: Scope, qdrant: FakeQdrant
) -> None:
    id = await document(ports, scope, "Anchors hold in clay.", tags=["old"])
    saved = await save(ports, scope, "I like anchors.", tags=["old"])
    fields = frozenset({"tags"})
    await change_document(ports, scope, id, DocumentEdit(fields, tags=["New"]))
    await edit_memory(ports, scope, saved.memory.id, MemoryEdit(fields, tags=["New"]))
    assert [one["tags"] for one in of(qdrant, scope)] == [["new"], ["new"]]


async def test_what_is_deleted_is_gone_there(
    ports: Ports, scope: Scope, qdrant: FakeQdrant
) -> None:
    id = await document(ports, scope, "Ropes are spliced.")
    saved = await save(ports, scope, "I like ropes.")
    assert len(of(qdrant, scope)) == 2
    await forget_document(ports, scope, id)
    await forget_memory(ports, scope, saved.memory.id)
    assert of(qdrant, scope) == []


async def test_a_tenant_that_is_gone_leaves_nothing_there(ports: Ports, qdrant: FakeQdrant) -> None:
    scope = await new_scope(ports)
    await document(ports, scope, "Sails are canvas.")
    await delete_account(ports, scope)
    await complete_copy(ports)
    assert of(qdrant, scope) == []
    async with ports.db.unbound() as tx:
        assert await tx.fetchval("SELECT count(*) FROM erased_tenants") == 0


async def test_while_it_is_down_things_are_saved_and_found_and_indexed_when_it_is_back(
    ports: Ports, scope: Scope, down: FakeQdrant, monkeypatch: pytest.MonkeyPatch
) -> None:
    await document(ports, scope, "The rudder is made of oak.")
    by_meaning = await recall(ports, scope, Query("what wood is the helm made from?"))
    assert len(by_meaning.results) == 1, "few vectors are compared in PostgreSQL"
    monkeypatch.setattr(ports.vectors, "policy", WalkPolicy(all_rows=0, cache_s=0.0))
    ports.vectors._sizes._cached.clear()  # type: ignore[attr-defined]
    by_word = await recall(ports, scope, Query("rudder oak"))
    assert len(by_word.results) == 1, "of many, words alone are looked for"
    assert of(down, scope) == []
    async with ports.db.transaction(scope) as tx:
        assert await tx.fetchval("SELECT name FROM jobs WHERE tenant_id = $1", scope.tenant_id)
    with pytest.raises(Unavailable):
        await index_vectors(ports, scope, scope.tenant_id)
    down.status = 200
    await index_vectors(ports, scope, scope.tenant_id)
    assert len(of(down, scope)) == 1
    assert len((await recall(ports, scope, Query("what wood is the helm made from?"))).results) == 1


NO_ANSWERS = {
    "a page": b"<html>busy</html>",
    "cut off": b'{"result": {"poi',
    "a list": b"[]",
    "null": b"null",
    "too deep": b'{"result": ' + b"[" * 200_000,
    "too large": b'{"result": {"points": []}}' + b" " * REPLY_BYTES,
}


@pytest.mark.parametrize("body", NO_ANSWERS.values(), ids=NO_ANSWERS)
async def test_an_answer_that_is_none_is_not_believed(
    ports: Ports, scope: Scope, qdrant: FakeQdrant, copy: QdrantIndex, body: bytes
) -> None:
    await document(ports, scope, f"The keel is {len(body)} metres long.")
    qdrant.body = body
    try:
        assert len((await recall(ports, scope, Query("how long is the keel?"))).results) == 1
    finally:
        qdrant.body = None


POINT = '{"result": {"points": [%s]}}'
BAD_POINTS = {
    "no point": "1",
    "empty": "{}",
    "no payload": '{"score": 0.9, "payload": null}',
    "no id": '{"score": 0.9, "payload": {"memory_id": "x"}}',
    "a number": '{"score": 0.9, "payload": {"memory_id": 7}}',
    "no score": '{"score": "much", "payload": {"memory_id": "%s"}}',
    "not a number": '{"score": NaN, "payload": {"memory_id": "%s"}}',
    "endless": '{"score": Infinity, "payload": {"memory_id": "%s"}}',
}


@pytest.mark.parametrize("point", BAD_POINTS.values(), ids=BAD_POINTS)
async def test_a_point_that_is_none_is_not_believed(
    ports: Ports, scope: Scope, qdrant: FakeQdrant, copy: QdrantIndex, point: str
) -> None:
    await document(ports, scope, "The mast is ten metres high.")
    qdrant.body = (POINT % point.replace("%s", str(new_id()))).encode()
    try:
        assert len((await recall(ports, scope, Query("how high is the mast?"))).results) == 1
    finally:
        qdrant.body = None


async def test_points_of_another_tenant_are_shown_to_nobody(
    ports: Ports, scope: Scope, qdrant: FakeQdrant, copy: QdrantIndex
) -> None:
    """Whatever Qdrant gives: texts are read from PostgreSQL, under row-level security."""
    other = await new_scope(ports)
    await document(ports, other, "The safe opens with xyzzy.")
    await save(ports, other, "My secret word is xyzzy.")
    await document(ports, scope, "The hull is painted green.")
    theirs = [one["memory_id"] for one in of(qdrant, other)]
    assert len(theirs) == 2
    points = [
        {"id": id, "version": 1, "score": 0.99, "payload": {"memory_id": id}}
        for id in (*theirs, str(new_id()))
    ]
    qdrant.body = json.dumps({"result": {"points": points}}).encode()
    try:
        for mode in MODES:
            found = await recall(ports, scope, Query("hull secret word xyzzy", mode=mode))
            assert "xyzzy" not in repr(found.results)
            assert "green" in repr(found.results), "what is theirs is found by word"
    finally:
        qdrant.body = None


async def test_points_that_it_lost_are_found_by_word_and_put_back(
    ports: Ports, scope: Scope, qdrant: FakeQdrant, copy: QdrantIndex
) -> None:
    await document(ports, scope, "The galley has two stoves.")
    own = {"filter": {"must": [{"key": "tenant_id", "match": {"value": str(scope.tenant_id)}}]}}
    await copy._api.delete("remem_384", own)
    assert of(qdrant, scope) == []
    assert len((await recall(ports, scope, Query("galley stoves"))).results) == 1
    async with ports.db.transaction(scope) as tx:
        counts = await copy.count(tx, scope)
        assert (counts.stored, counts.indexed) == (1, 0), "the difference is seen"
        await copy.mark_all(tx, scope)
    await copy.catch_up(scope)
    assert len(of(qdrant, scope)) == 1


async def test_one_that_hangs_is_waited_for_once(
    qdrant: FakeQdrant, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("remem.adapters.vector_index.qdrant_api.SEARCH_S", 0.1)
    api = QdrantApi(qdrant.url, None)
    qdrant.hangs.set()
    try:
        with pytest.raises(Unavailable, match="cannot answer now"):
            await api.query("remem_8", {"query": [1.0] * 8})
        before = len(qdrant.asked)
        for _ in range(20):
            with pytest.raises(Unavailable, match="paused after failures"):
                await api.query("remem_8", {"query": [1.0] * 8})
        assert len(qdrant.asked) == before
    finally:
        qdrant.hangs.clear()
        qdrant.released.set()
    await api.close()


async def test_an_answer_without_an_end_is_not_read_to_its_end(qdrant: FakeQdrant) -> None:
    api = QdrantApi(qdrant.url, None)
    qdrant.body = b'{"result": {"collections": []}}'.ljust(REPLY_BYTES)
    try:
        assert await api.collections("remem") == []
        qdrant.body += b" "
        with pytest.raises(Unavailable, match="unexpected answer"):
            await api.collections("remem")
    finally:
        qdrant.body = None
    await api.close()


async def test_a_key_is_sent_and_a_wrong_one_is_named(qdrant: FakeQdrant) -> None:
    qdrant.key = "secret"
    try:
        right, wrong = QdrantApi(qdrant.url, "secret"), QdrantApi(qdrant.url, "other")
        assert await right.collections("nothing") == []
        with pytest.raises(Unavailable, match="REMEM_QDRANT_KEY"):
            await wrong.collections("nothing")
    finally:
        qdrant.key = None
    await right.close()
    await wrong.close()


def test_an_address_that_is_none_is_said_at_the_start() -> None:
    with pytest.raises(CannotStart, match="REMEM_QDRANT_URL"):
        QdrantApi("qdrant:6333", None)


async def test_a_store_moves_there_while_it_is_used_and_back(
    server: Server, qdrant: FakeQdrant
) -> None:
    """By processes that know nothing of Qdrant, and one that moves."""
    async with scratch_database(server) as name:
        address = url(server, name, SUPERUSER)
        async with open_ports(settings(server, address, qdrant, "pgvector")) as old:
            scope = await new_scope(old)
            before = await document(old, scope, "Lanterns burn oil.")
            chosen = settings(server, address, qdrant, "qdrant")
            progress_seen: list[tuple[int, int | None]] = []
            moving = chosen.model_copy(update={"qdrant_collection": "moved"})
            async with open_ports(moving) as new:
                moved = await fill_copy(
                    new, lambda done, total: progress_seen.append((done, total))
                )
                assert (moved.stored, moved.indexed, moved.differing) == (1, 1, [])
                assert progress_seen[-1] == (1, 1)
                await document(old, scope, "Lamps burn gas.")
                await forget_document(old, scope, before)
                assert (await count_vectors(new)).indexed == 1
                [payload] = of(qdrant, scope)
                assert payload["content"] == "Lamps burn gas."
                assert len((await recall(new, scope, Query("gas lamps"))).results) == 1
                await end_copy(new)
            assert of(qdrant, scope) == []
            await document(old, scope, "Torches burn pitch.")
            async with old.db.transaction(scope) as tx:
                assert await tx.fetchval("SELECT count(*) FROM vector_changes") == 0


async def test_an_index_that_was_lost_is_filled_again(
    server: Server, database: str, qdrant: FakeQdrant, scope: Scope, ports: Ports
) -> None:
    await document(ports, scope, "The mast is of pine.")
    with qdrant.lock:
        qdrant.client.delete_collection("remem_384")
    async with open_ports(settings(server, database, qdrant, "qdrant")) as again:
        assert await complete_copy(again)
        await index_vectors(again, scope, scope.tenant_id)
    assert len(of(qdrant, scope)) == 1
