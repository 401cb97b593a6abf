"""Documents and memories are one memory: what was saved by one API is found by every other."""

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


def recalled(person: Person, query: str) -> list[dict[str, Any]]:
    return person.recall(query)


def searched(person: Person, query: str) -> list[dict[str, Any]]:
    return person.post("/v1/search", {"query": query}).json()["results"]


def found_by_agents(person: Person, query: str) -> list[dict[str, Any]]:
    return person.http.get("/api/memories/search", params={"query": query}).json()["memories"]


def indexed(person: Person, query: str) -> list[dict[str, Any]]:
    return person.http.get("/api/memories/search-index", params={"query": query}).json()["hits"]


def listed(person: Person, query: str) -> list[dict[str, Any]]:
    return person.http.get("/api/memories", params={"q": query}).json()["memories"]


EVERY_SEARCH = [recalled, searched, found_by_agents, indexed, listed]


def remember(person: Person, content: str, **fields: Any) -> dict[str, Any]:
    return person.post("/api/memories", {"content": content, **fields}).json()


@pytest.mark.parametrize("ask", EVERY_SEARCH)
def test_a_memory_and_a_document_are_found_by_every_search(keeper: Person, ask: Ask) -> None:
    saved = remember(keeper, PASSPORT)
    keeper.save(FERRY)
    passport = ask(keeper, "what is my passport number?")[0]
    assert (passport["id"], passport["kind"]) == (saved["id"], "memory")
    assert "gate E7" in str(ask(keeper, "when does the boat to Naxos leave?")[0])


@pytest.mark.parametrize("ask", EVERY_SEARCH)
def test_every_id_is_read_at_the_address_it_names(keeper: Person, ask: Ask) -> None:
    remember(keeper, PASSPORT)
    keeper.save(FERRY)
    for query in ("passport number", "ferry to Naxos"):
        for hit in ask(keeper, query):
            for named in (hit, *hit.get("chunks", ())):
                read = keeper.http.get(named["url"])
                assert read.status_code == 200, named["url"]
                assert read.json()["id"] == named.get("id", named.get("memory_id"))


SOURCE = "I adopted a grey cat named Miso from the shelter in Porto."


async def distilled(keeper: Person, ports: Ports, text: str) -> tuple[str, dict[str, Any]]:
    """A document, and the memory that was taken from it."""
    document = keeper.save(text)
    scope = Scope(UUID(keeper.tenant_id), UUID(keeper.user_id), "test")
    await distil_document(ports, scope, UUID(document["id"]))
    (memory,) = keeper.http.get("/api/memories").json()["memories"]
    return document["id"], memory


@pytest.mark.parametrize("ask", [searched, found_by_agents, indexed])
async def test_a_memory_and_its_chunk_are_one_hit_with_both_ids_and_texts(
    keeper: Person, ports: Ports, ask: Ask
) -> None:
    document, memory = await distilled(keeper, ports, SOURCE)
    (hit,) = ask(keeper, "which pet did I get from the shelter?")
    body = {name.replace("_", "").lower(): value for name, value in hit.items()}
    assert (body["memoryid"], body["documentid"]) == (memory["id"], document)
    assert (body["memory"], body["chunk"]) == (memory["content"], SOURCE)
    chunk = keeper.http.get(f"/v3/chunks/{body['chunkid']}").json()
    assert (chunk["document_id"], chunk["content"]) == (document, SOURCE)


async def test_recall_groups_both_below_their_document(keeper: Person, ports: Ports) -> None:
    document, memory = await distilled(keeper, ports, SOURCE)
    (result,) = keeper.recall("which pet did I get from the shelter?")
    (chunk,) = result["chunks"]
    assert (result["kind"], result["id"], chunk["kind"]) == ("document", document, "chunk")
    assert [one["id"] for one in chunk["memories"]] == [memory["id"]]
    assert keeper.http.get(chunk["memories"][0]["url"]).json()["content"] == memory["content"]


async def test_one_kind_can_be_asked_for(keeper: Person, ports: Ports) -> None:
    document, memory = await distilled(keeper, ports, SOURCE)
    asked = "which pet did I get from the shelter?"
    (chunk,) = keeper.recall(asked, kinds=["document"])[0]["chunks"]
    assert chunk["memories"] == []
    (alone,) = keeper.recall(asked, kinds=["memory"])
    assert (alone["kind"], alone["id"], alone["document_id"]) == ("memory", memory["id"], document)
    found = keeper.post("/v1/search", {"query": asked, "kinds": ["document"]}).json()["results"]
    assert [(one["kind"], one["memory_id"]) for one in found] == [("chunk", None)]
    params = {"query": asked, "documents": False}
    for path in ("/api/memories/search", "/api/memories/search-index"):
        body = keeper.http.get(path, params=params).json()
        assert [one["id"] for one in body.get("memories", body.get("hits"))] == [memory["id"]]


async def test_a_category_leaves_memories_and_a_content_type_what_came_from_it(
    keeper: Person, ports: Ports
) -> None:
    _, memory = await distilled(keeper, ports, SOURCE)
    remember(keeper, "The shelter in Porto is closed on Mondays", category="lesson")
    asked = "the shelter in Porto"
    (lesson,) = keeper.recall(asked, filters={"category": ["lesson"]})
    assert (lesson["kind"], lesson["category"]) == ("memory", "lesson")
    (text,) = keeper.recall(asked, filters={"content_type": ["text"]})
    assert text["kind"] == "document"
    (taken,) = keeper.recall(asked, kinds=["memory"], filters={"content_type": ["text"]})
    assert taken["id"] == memory["id"]
    assert keeper.recall(asked, filters={"content_type": ["pdf"]}) == []


async def test_a_cached_answer_is_made_anew_when_what_it_names_has_gone(
    keeper: Person, ports: Ports
) -> None:
    """The store is written behind the server's back, so that its cache does not know."""
    remember(keeper, "The spare key is under the blue pot")
    remember(keeper, "The spare key of the shed hangs in the kitchen")
    asked = "where is the spare key?"
    first = keeper.recall(asked, limit=1)[0]["id"]
    scope = Scope(UUID(keeper.tenant_id), UUID(keeper.user_id), "test")
    async with ports.db.transaction(scope) as tx:
        await tx.execute("UPDATE memories SET deleted_at = now() WHERE id = $1", UUID(first))
    again = keeper.recall(asked, limit=1)
    assert len(again) == 1
    assert again[0]["id"] != first


def test_the_most_recent_are_of_both_kinds(keeper: Person) -> None:
    keeper.save(FERRY)
    remember(keeper, PASSPORT)
    assert [one["kind"] for one in keeper.recall("")] == ["memory", "document"]


def test_a_short_id_names_what_ends_or_begins_so(keeper: Person) -> None:
    memory, document = remember(keeper, PASSPORT)["id"], keeper.save(FERRY)["id"]
    for id, kind in ((memory, "memory"), (document, "document")):
        for short in (id, id[-8:], id[-12:].upper(), id[:26]):
            body = keeper.http.get(f"/v3/ids/{short}").json()
            assert (body["id"], body["kind"]) == (id, kind), short
    assert keeper.http.get(f"/v3/ids/{document[-8:]}?kind=memory").status_code == 404
    assert keeper.http.get(f"/v3/ids/{memory[:8]}").status_code == 409, "both were made just now"
    for wrong in ("abc", "zzzzzzzz", "%25%25%25%25%25%25%25%25", "1" * 40):
        assert keeper.http.get(f"/v3/ids/{wrong}").status_code == 400, wrong


def test_nobody_resolves_ids_or_reads_chunks_of_others(
    keeper: Person, make_person: Callable[[], Person]
) -> None:
    keeper.save(FERRY)
    chunk = keeper.recall("ferry to Naxos")[0]["chunks"][0]
    other = make_person()
    assert other.http.get(chunk["url"]).status_code == 404
    assert other.http.get(f"/v3/ids/{chunk['memory_id'][-8:]}").status_code == 404
