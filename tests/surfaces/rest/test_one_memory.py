"""Documents and memories are searched together: what one API saved, every other finds."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest

from remem.core.documents.distil import distil_document
from remem.core.ports import Ports
from remem.core.scope import Scope
from tests.conftest import Person

pytestmark = pytest.mark.anyio

PASSPORT = "My passport number is P1234567"
FERRY = "The ferry to Naxos leaves from gate E7 at a quarter past seven."

Ask = Callable[[Person, str], list[dict[str, Any]]]


def recall(person: Person, query: str) -> list[dict[str, Any]]:
    return person.recall(query)


def search_v1(person: Person, query: str) -> list[dict[str, Any]]:
    return person.post("/v1/search", {"query": query}).json()["results"]


def search_memories(person: Person, query: str) -> list[dict[str, Any]]:
    return person.http.get("/api/memories/search", params={"query": query}).json()["memories"]


def search_index(person: Person, query: str) -> list[dict[str, Any]]:
    return person.http.get("/api/memories/search-index", params={"query": query}).json()["hits"]


def list_memories(person: Person, query: str) -> list[dict[str, Any]]:
    return person.http.get("/api/memories", params={"q": query}).json()["memories"]


EVERY_SEARCH = [recall, search_v1, search_memories, search_index, list_memories]


def remember(person: Person, content: str, **fields: Any) -> dict[str, Any]:
    return person.post("/api/memories", {"content": content, **fields}).json()


@pytest.mark.parametrize("ask", EVERY_SEARCH)
def test_a_memory_and_a_document_are_found_by_every_search(user: Person, ask: Ask) -> None:
    saved = remember(user, PASSPORT)
    user.save(FERRY)
    passport = ask(user, "what is my passport number?")[0]
    assert (passport["id"], passport["kind"]) == (saved["id"], "memory")
    assert "gate E7" in str(ask(user, "when does the boat to Naxos leave?")[0])


@pytest.mark.parametrize("ask", EVERY_SEARCH)
def test_every_hit_is_readable_at_its_url(user: Person, ask: Ask) -> None:
    remember(user, PASSPORT)
    user.save(FERRY)
    for query in ("passport number", "ferry to Naxos"):
        for hit in ask(user, query):
            for item in (hit, *hit.get("chunks", ())):
                reply = user.http.get(item["url"])
                assert reply.status_code == 200, item["url"]
                assert reply.json()["id"] == item.get("id", item.get("memory_id"))


SOURCE = "I adopted a grey cat named Miso from the shelter in Porto."


async def save_and_distil(user: Person, ports: Ports, text: str) -> tuple[str, dict[str, Any]]:
    """Save a document; return its id and the memory that was distilled from it."""
    document = user.save(text)
    scope = Scope(UUID(user.tenant_id), UUID(user.user_id), "test")
    await distil_document(ports, scope, UUID(document["id"]))
    (memory,) = user.http.get("/api/memories").json()["memories"]
    return document["id"], memory


@pytest.mark.parametrize("ask", [search_v1, search_memories, search_index])
async def test_a_memory_and_its_chunk_are_one_hit_with_both_ids_and_texts(
    user: Person, ports: Ports, ask: Ask
) -> None:
    document, memory = await save_and_distil(user, ports, SOURCE)
    (hit,) = ask(user, "which pet did I get from the shelter?")
    body = {name.replace("_", "").lower(): value for name, value in hit.items()}
    assert (body["memoryid"], body["documentid"]) == (memory["id"], document)
    assert (body["memory"], body["chunk"]) == (memory["content"], SOURCE)
    chunk = user.http.get(f"/v3/chunks/{body['chunkid']}").json()
    assert (chunk["document_id"], chunk["content"]) == (document, SOURCE)


async def test_recall_groups_chunk_and_memory_under_their_document(
    user: Person, ports: Ports
) -> None:
    document, memory = await save_and_distil(user, ports, SOURCE)
    (result,) = user.recall("which pet did I get from the shelter?")
    (chunk,) = result["chunks"]
    assert (result["kind"], result["id"], chunk["kind"]) == ("document", document, "chunk")
    assert [entry["id"] for entry in chunk["memories"]] == [memory["id"]]
    assert user.http.get(chunk["memories"][0]["url"]).json()["content"] == memory["content"]


async def test_results_can_be_limited_to_one_kind(user: Person, ports: Ports) -> None:
    document, memory = await save_and_distil(user, ports, SOURCE)
    query = "which pet did I get from the shelter?"
    (chunk,) = user.recall(query, kinds=["document"])[0]["chunks"]
    assert chunk["memories"] == []
    (alone,) = user.recall(query, kinds=["memory"])
    assert (alone["kind"], alone["id"], alone["document_id"]) == ("memory", memory["id"], document)
    results = user.post("/v1/search", {"query": query, "kinds": ["document"]}).json()["results"]
    assert [(result["kind"], result["memory_id"]) for result in results] == [("chunk", None)]
    params = {"query": query, "documents": False}
    for path in ("/api/memories/search", "/api/memories/search-index"):
        body = user.http.get(path, params=params).json()
        assert [hit["id"] for hit in body.get("memories", body.get("hits"))] == [memory["id"]]


async def test_filters_by_category_and_by_content_type(user: Person, ports: Ports) -> None:
    _, memory = await save_and_distil(user, ports, SOURCE)
    remember(user, "The shelter in Porto is closed on Mondays", category="lesson")
    query = "the shelter in Porto"
    (lesson,) = user.recall(query, filters={"category": ["lesson"]})
    assert (lesson["kind"], lesson["category"]) == ("memory", "lesson")
    (text,) = user.recall(query, filters={"content_type": ["text"]})
    assert text["kind"] == "document"
    (distilled,) = user.recall(query, kinds=["memory"], filters={"content_type": ["text"]})
    assert distilled["id"] == memory["id"]
    assert user.recall(query, filters={"content_type": ["pdf"]}) == []


async def test_a_cached_answer_is_recomputed_when_its_hit_is_gone(
    user: Person, ports: Ports
) -> None:
    """The database is changed directly, so that the server's cache does not notice."""
    remember(user, "The spare key is under the blue pot")
    remember(user, "The spare key of the shed hangs in the kitchen")
    query = "where is the spare key?"
    first = user.recall(query, limit=1)[0]["id"]
    scope = Scope(UUID(user.tenant_id), UUID(user.user_id), "test")
    async with ports.db.transaction(scope) as tx:
        await tx.system.execute("UPDATE memories SET deleted_at = now() WHERE id = $1", UUID(first))
    again = user.recall(query, limit=1)
    assert len(again) == 1
    assert again[0]["id"] != first


def test_an_empty_query_lists_recent_items_of_both_kinds(user: Person) -> None:
    user.save(FERRY)
    remember(user, PASSPORT)
    assert [result["kind"] for result in user.recall("")] == ["memory", "document"]


def test_a_short_id_is_a_prefix_or_suffix_of_an_id(user: Person) -> None:
    memory, document = remember(user, PASSPORT)["id"], user.save(FERRY)["id"]
    for id, kind in ((memory, "memory"), (document, "document")):
        for short in (id, id[-8:], id[-12:].upper(), id[:26]):
            body = user.http.get(f"/v3/ids/{short}").json()
            assert (body["id"], body["kind"]) == (id, kind), short
    assert user.http.get(f"/v3/ids/{document[-8:]}?kind=memory").status_code == 404
    assert user.http.get(f"/v3/ids/{memory[:8]}").status_code == 409, (
        "ids of the same time share a prefix"
    )
    for wrong in ("abc", "zzzzzzzz", "%25%25%25%25%25%25%25%25", "1" * 40):
        assert user.http.get(f"/v3/ids/{wrong}").status_code == 400, wrong


def test_ids_and_chunks_of_other_users_are_not_found(
    user: Person, make_person: Callable[[], Person]
) -> None:
    user.save(FERRY)
    chunk = user.recall("ferry to Naxos")[0]["chunks"][0]
    other = make_person()
    assert other.http.get(chunk["url"]).status_code == 404
    assert other.http.get(f"/v3/ids/{chunk['memory_id'][-8:]}").status_code == 404
