"""Qdrant beside PostgreSQL: what it stores, filters, and behaviour while it is down."""

import json
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from remem.adapters.circuit import Circuit, Tolerance
from remem.adapters.database.embedded.cluster import SUPERUSER
from remem.adapters.embedding.local import LocalEmbedder
from remem.adapters.embedding.networks import MODELS
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
from remem.core.errors import CannotStart, Unavailable, WorkRemains
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
from remem.core.upkeep import move_model, reembed
from remem.core.upkeep.index_vectors import complete_copy, index_vectors
from remem.core.upkeep.move_vectors import count_vectors, end_copy, fill_copy
from remem.core.upkeep.reembed import choose_model, reembed_tenant
from remem.settings import Settings
from tests.conftest import Server, new_scope
from tests.core.memories import save
from tests.core.scratch import scratch_database, url
from tests.tools.qdrant import FakeQdrant, LocalMode, qdrant_server
from tests.tools.qdrant_engine import EngineShards
from tests.tools.second_model import FIRST, ROTATED, SECOND

pytestmark = pytest.mark.anyio


def may_first(year: int) -> datetime:
    return datetime(year, 5, 1, tzinfo=UTC)


# Each matches some but not all items of `save_ships`, except where the name says otherwise.
FILTERS = {
    "all": ALL,
    "content type": Filters(content_types=("text", "code")),
    "no such type": Filters(content_types=("epub",)),
    "category": Filters(categories=("preference", "decision")),
    "a tag in another case": Filters(tags=("HARBOUR",)),
    "both tags": Filters(tags=("harbour", "night")),
    "no such tag": Filters(tags=("nowhere",)),
    "after": Filters(created_after=may_first(2021)),
    "before": Filters(created_before=may_first(2021)),
    "between": Filters(created_after=may_first(2019), created_before=may_first(2022)),
    "metadata": Filters(metadata={"berth": 4}),
    "a number is a number": Filters(metadata={"berth": 4.0}),
    "nested metadata": Filters(metadata={"crew": {"cook": "Ada"}}),
    "one of a list": Filters(metadata={"ports": ["Oslo"]}),
    "nothing in particular": Filters(metadata={"crew": {}}),
    "null": Filters(metadata={"ended": None}),
    "odd names": Filters(metadata={'a.b "c"': "[]"}),
    "one of very many": Filters(metadata={"n600": 600}),
    "windows": Filters(
        windows=((may_first(2018), may_first(2019)), (may_first(2021), may_first(2025)))
    ),
    "several": Filters(tags=("harbour",), created_after=may_first(2018), metadata={"berth": 5}),
}
METADATA: list[dict[str, Any]] = [
    {"berth": 4, "crew": {"cook": "Ada", "mate": "Bo"}},
    {"berth": 5, "ports": ["Oslo", "Bergen"]},
    {"berth": "4", "ended": None},
    {'a.b "c"': "[]", "ports": []},
    {f"n{n}": n for n in range(MAX_VALUES + 200)},
]


@pytest.fixture(scope="module", params=[LocalMode, EngineShards])
def qdrant(request: pytest.FixtureRequest) -> Iterator[FakeQdrant]:
    with qdrant_server(request.param()) as running:
        yield running
        assert running.violations == []


@pytest.fixture(scope="module")
async def database(server: Server, qdrant: FakeQdrant) -> AsyncIterator[str]:
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
    """The index, with a circuit that allows a new call right after a failure."""
    index = ports.vectors
    assert isinstance(index, QdrantIndex)
    old_circuit = index._api.circuit
    index._api.circuit = Circuit("qdrant", Tolerance(1, 0.0, 0.0))
    yield index
    index._api.circuit = old_circuit


@pytest.fixture
def qdrant_down(qdrant: FakeQdrant, copy: QdrantIndex) -> Iterator[FakeQdrant]:
    qdrant.status = 503
    yield qdrant
    qdrant.status = 200


async def save_document(ports: Ports, scope: Scope, content: str, **fields: Any) -> UUID:
    return (await ingest(ports, scope, Draft(content, **fields))).document.id


async def save_ships(ports: Ports, scope: Scope) -> None:
    for n, metadata in enumerate(METADATA):
        tags = ["Harbour", "night"][: n % 3]
        fields = {"metadata": metadata, "tags": tags, "created_at": may_first(2018 + n)}
        await save_document(ports, scope, f"The ship number {n} lies in the harbour.", **fields)
        await save(
            ports,
            scope,
            f"Captain number {n} wants coffee at {n} o'clock.",
            context=metadata,
            tags=tags,
            category=["fact", "preference", "decision"][n % 3],
        )
    await save_document(
        ports, scope, "def moor(ship):\n    return ship.berth\n", content_type="code"
    )


async def search_all(
    index: Any, ports: Ports, scope: Scope, kind: str, filters: Filters
) -> dict[UUID, float]:
    vector = await ports.embedder.embed_query("ships and captains")
    model = ports.embedder.model
    async with ports.db.transaction(scope) as tx:
        return dict(await index.search(tx, model, kind, vector, None, 100, filters))


async def ids_with_large_metadata(ports: Ports, scope: Scope) -> set[UUID]:
    async with ports.db.transaction(scope) as tx:
        rows = await tx.system.fetch(
            "SELECT c.id FROM chunks c JOIN documents d ON d.id = c.document_id"
            " WHERE d.metadata ? 'n600' UNION ALL SELECT id FROM memories WHERE context ? 'n600'"
        )
    return {row["id"] for row in rows}


async def test_filters_match_the_same_items_as_in_postgresql(
    ports: Ports, scope: Scope, qdrant: FakeQdrant, copy: QdrantIndex
) -> None:
    await save_ships(ports, scope)
    pg_index = PgVectorIndex(ports.db)
    counts: dict[str, int] = {}
    with_large_metadata = await ids_with_large_metadata(ports, scope)
    for name, filters in FILTERS.items():
        for kind in (CHUNK, MEMORY):
            qdrant.requests.clear()
            found = await search_all(copy, ports, scope, kind, filters)
            assert [path for _, path, _ in qdrant.requests] == [
                "/collections/remem_384/points/query"
            ]
            expected = await search_all(pg_index, ports, scope, kind, filters)
            if filters.metadata:
                # Qdrant always returns items with very many values; they are filtered later.
                found = {
                    id: cosine
                    for id, cosine in found.items()
                    if id not in with_large_metadata or id in expected
                }
            assert found == pytest.approx(expected, abs=2e-3), (name, kind)
            counts[name] = counts.get(name, 0) + len(found)
    assert counts["all"] == 2 * len(METADATA) + 1
    without_matches = {"no such type", "no such tag"}
    assert {name for name, count in counts.items() if not count} == without_matches


async def test_every_request_names_the_tenant(
    ports: Ports, scope: Scope, qdrant: FakeQdrant, copy: QdrantIndex
) -> None:
    await save_document(ports, scope, "A note about lighthouses.")
    await recall(ports, scope, Query("lighthouses"))
    bodies = [body for _, path, body in qdrant.requests if path.endswith(("/query", "/count"))]
    must = [{"key": "tenant_id", "match": {"value": str(scope.tenant_id)}}]
    assert all(body["filter"]["must"][:1] == must for body in bodies[-2:])


async def test_a_point_has_the_payload_of_the_source(
    ports: Ports, scope: Scope, qdrant: FakeQdrant
) -> None:
    id = await save_document(
        ports, scope, "Buoys are red to port.", title="Buoys", source_url="https://x.org/buoys"
    )
    [payload] = [point for point in qdrant.payloads() if point.get("document_id") == str(id)]
    assert payload["content"] == "Buoys are red to port."
    assert payload["title"] == "Buoys"
    assert payload["source_url"] == "https://x.org/buoys"
    assert payload["content_type"] == "text"
    assert payload["user_id"] == str(scope.user_id)
    assert datetime.fromisoformat(payload["created_at"]).tzinfo
    assert {"memory_id", "project_id", "tenant_id", "kind", "model"} <= set(payload)


def payloads_of(qdrant: FakeQdrant, scope: Scope) -> list[dict[str, Any]]:
    return [
        payload for payload in qdrant.payloads() if payload["tenant_id"] == str(scope.tenant_id)
    ]


async def test_changed_tags_change_the_payload(
    ports: Ports, scope: Scope, qdrant: FakeQdrant
) -> None:
    id = await save_document(ports, scope, "Anchors hold in clay.", tags=["old"])
    saved = await save(ports, scope, "I like anchors.", tags=["old"])
    fields = frozenset({"tags"})
    await change_document(ports, scope, id, DocumentEdit(fields, tags=["New"]))
    await edit_memory(ports, scope, saved.memory.id, MemoryEdit(fields, tags=["New"]))
    assert [payload["tags"] for payload in payloads_of(qdrant, scope)] == [["new"], ["new"]]


async def test_deleted_items_are_removed(ports: Ports, scope: Scope, qdrant: FakeQdrant) -> None:
    id = await save_document(ports, scope, "Ropes are spliced.")
    saved = await save(ports, scope, "I like ropes.")
    assert len(payloads_of(qdrant, scope)) == 2
    await forget_document(ports, scope, id)
    await forget_memory(ports, scope, saved.memory.id)
    assert payloads_of(qdrant, scope) == []


async def test_a_deleted_tenant_leaves_no_points(ports: Ports, qdrant: FakeQdrant) -> None:
    scope = await new_scope(ports)
    await save_document(ports, scope, "Sails are canvas.")
    await delete_account(ports, scope)
    await complete_copy(ports)
    assert payloads_of(qdrant, scope) == []
    async with ports.db.unbound() as tx:
        assert await tx.fetchval("SELECT count(*) FROM erased_tenants") == 0


async def test_items_saved_while_it_is_down_are_found_and_indexed_later(
    ports: Ports, scope: Scope, qdrant_down: FakeQdrant, monkeypatch: pytest.MonkeyPatch
) -> None:
    await save_document(ports, scope, "The rudder is made of oak.")
    by_meaning = await recall(ports, scope, Query("what wood is the helm made from?"))
    assert len(by_meaning.results) == 1, "few vectors are compared in PostgreSQL"
    monkeypatch.setattr(ports.vectors, "policy", WalkPolicy(all_rows=0, cache_s=0.0))
    ports.vectors._sizes._cached.clear()  # type: ignore[attr-defined]
    by_word = await recall(ports, scope, Query("rudder oak"))
    assert len(by_word.results) == 1, "with many vectors, the search uses only words"
    assert payloads_of(qdrant_down, scope) == []
    async with ports.db.transaction(scope) as tx:
        assert await tx.fetchval("SELECT name FROM jobs WHERE tenant_id = $1")
    with pytest.raises(Unavailable):
        await index_vectors(ports, scope, scope.tenant_id)
    qdrant_down.status = 200
    await index_vectors(ports, scope, scope.tenant_id)
    assert len(payloads_of(qdrant_down, scope)) == 1
    assert len((await recall(ports, scope, Query("what wood is the helm made from?"))).results) == 1


BAD_REPLIES = {
    "a page": b"<html>busy</html>",
    "cut off": b'{"result": {"poi',
    "a list": b"[]",
    "null": b"null",
    "too deep": b'{"result": ' + b"[" * 200_000,
    "too large": b'{"result": {"points": []}}' + b" " * REPLY_BYTES,
}


@pytest.mark.parametrize("body", BAD_REPLIES.values(), ids=BAD_REPLIES)
async def test_an_invalid_reply_is_ignored(
    ports: Ports, scope: Scope, qdrant: FakeQdrant, copy: QdrantIndex, body: bytes
) -> None:
    await save_document(ports, scope, f"The keel is {len(body)} metres long.")
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
async def test_an_invalid_point_is_ignored(
    ports: Ports, scope: Scope, qdrant: FakeQdrant, copy: QdrantIndex, point: str
) -> None:
    await save_document(ports, scope, "The mast is ten metres high.")
    qdrant.body = (POINT % point.replace("%s", str(new_id()))).encode()
    try:
        assert len((await recall(ports, scope, Query("how high is the mast?"))).results) == 1
    finally:
        qdrant.body = None


async def test_points_of_another_tenant_are_never_returned(
    ports: Ports, scope: Scope, qdrant: FakeQdrant, copy: QdrantIndex
) -> None:
    """Whatever Qdrant returns: texts are read from PostgreSQL, with row-level security."""
    other = await new_scope(ports)
    await save_document(ports, other, "The safe opens with xyzzy.")
    await save(ports, other, "My secret word is xyzzy.")
    await save_document(ports, scope, "The hull is painted green.")
    other_ids = [payload["memory_id"] for payload in payloads_of(qdrant, other)]
    assert len(other_ids) == 2
    points = [
        {"id": id, "version": 1, "score": 0.99, "payload": {"memory_id": id}}
        for id in (*other_ids, str(new_id()))
    ]
    qdrant.body = json.dumps({"result": {"points": points}}).encode()
    try:
        for mode in MODES:
            recalled = await recall(ports, scope, Query("hull secret word xyzzy", mode=mode))
            assert "xyzzy" not in repr(recalled.results)
            assert "green" in repr(recalled.results), "the own text is found by word"
    finally:
        qdrant.body = None


async def test_lost_points_are_found_by_word_and_restored(
    ports: Ports, scope: Scope, qdrant: FakeQdrant, copy: QdrantIndex
) -> None:
    await save_document(ports, scope, "The galley has two stoves.")
    own = {"filter": {"must": [{"key": "tenant_id", "match": {"value": str(scope.tenant_id)}}]}}
    await copy._api.delete("remem_384", own)
    assert payloads_of(qdrant, scope) == []
    assert len((await recall(ports, scope, Query("galley stoves"))).results) == 1
    async with ports.db.transaction(scope) as tx:
        counts = await copy.count(tx)
        assert (counts.stored, counts.indexed) == (1, 0), "the difference is counted"
        await copy.mark_all(tx)
    await copy.catch_up(scope)
    assert len(payloads_of(qdrant, scope)) == 1


async def test_a_hanging_server_is_waited_for_once(
    qdrant: FakeQdrant, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("remem.adapters.vector_index.qdrant_api.SEARCH_S", 0.1)
    api = QdrantApi(qdrant.url, None)
    qdrant.hangs.set()
    try:
        with pytest.raises(Unavailable, match="cannot answer now"):
            await api.query("remem_8", {"query": [1.0] * 8})
        request_count = len(qdrant.requests)
        for _ in range(20):
            with pytest.raises(Unavailable, match="paused after failures"):
                await api.query("remem_8", {"query": [1.0] * 8})
        assert len(qdrant.requests) == request_count
    finally:
        qdrant.hangs.clear()
        qdrant.released.set()
    await api.close()


async def test_a_reply_that_is_too_long_is_refused(qdrant: FakeQdrant) -> None:
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


async def test_a_key_is_sent_and_a_wrong_one_is_reported(qdrant: FakeQdrant) -> None:
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


def test_an_invalid_url_is_refused_at_the_start() -> None:
    with pytest.raises(CannotStart, match="REMEM_QDRANT_URL"):
        QdrantApi("qdrant:6333", None)


async def test_a_store_moves_to_qdrant_and_back_while_it_is_used(
    server: Server, qdrant: FakeQdrant
) -> None:
    """One process without Qdrant keeps working while another one moves the store."""
    async with scratch_database(server) as name:
        address = url(server, name, SUPERUSER)
        async with open_ports(settings(server, address, qdrant, "pgvector")) as old:
            scope = await new_scope(old)
            before = await save_document(old, scope, "Lanterns burn oil.")
            qdrant_settings = settings(server, address, qdrant, "qdrant")
            progress: list[tuple[int, int | None]] = []
            moving_settings = qdrant_settings.model_copy(update={"qdrant_collection": "moved"})
            async with open_ports(moving_settings) as new:
                moved = await fill_copy(new, lambda done, total: progress.append((done, total)))
                assert (moved.stored, moved.indexed, moved.differing) == (1, 1, [])
                assert progress[-1] == (1, 1)
                await save_document(old, scope, "Lamps burn gas.")
                await forget_document(old, scope, before)
                assert (await count_vectors(new)).indexed == 1
                [payload] = payloads_of(qdrant, scope)
                assert payload["content"] == "Lamps burn gas."
                assert len((await recall(new, scope, Query("gas lamps"))).results) == 1
                await end_copy(new)
            assert payloads_of(qdrant, scope) == []
            await save_document(old, scope, "Torches burn pitch.")
            async with old.db.transaction(scope) as tx:
                assert await tx.system.fetchval("SELECT count(*) FROM vector_changes") == 0


async def test_a_lost_collection_is_filled_again(
    server: Server, database: str, qdrant: FakeQdrant, scope: Scope, ports: Ports
) -> None:
    await save_document(ports, scope, "The mast is of pine.")
    with qdrant.lock:
        qdrant.points.drop("remem_384")
    async with open_ports(settings(server, database, qdrant, "qdrant")) as again:
        assert await complete_copy(again)
        await index_vectors(again, scope, scope.tenant_id)
    assert len(payloads_of(qdrant, scope)) == 1


async def test_vectors_of_another_model_are_searched_once_all_are_copied(
    qdrant: FakeQdrant,
    copy: QdrantIndex,
    scope: Scope,
    ports: Ports,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def found(moment: Ports) -> list[UUID]:
        query = Query("Which vessel is in the port, and who drinks espresso?", weak=True)
        return [result.id for result in (await recall(moment, scope, query)).results]

    monkeypatch.setitem(MODELS, SECOND, ROTATED)
    monkeypatch.setattr(reembed, "KEPT", timedelta())
    first = replace(ports, embedder=LocalEmbedder(model=FIRST))
    second = replace(ports, embedder=LocalEmbedder(model=SECOND))
    await save_ships(first, scope)
    before = await found(first)
    await choose_model(second, scope)
    assert await found(second) == before
    with monkeypatch.context() as patch:
        patch.setattr(move_model, "READ_BATCH", 2)
        patch.setattr(reembed, "PART_S", 0.0)
        with pytest.raises(WorkRemains):
            await reembed_tenant(second, scope, scope.tenant_id)
    assert {payload["model"] for payload in payloads_of(qdrant, scope)} == {FIRST, SECOND}
    assert await found(second) == before
    qdrant.status = 503
    with pytest.raises(Unavailable):
        await reembed_tenant(second, scope, scope.tenant_id)
    qdrant.status = 200
    await reembed_tenant(second, scope, scope.tenant_id)
    assert {payload["model"] for payload in payloads_of(qdrant, scope)} == {SECOND}
    assert await found(second) == before
    await first.embedder.close()
    await second.embedder.close()
