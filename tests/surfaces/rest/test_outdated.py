"""A note whose statement was replaced is marked, and what replaced it goes before it."""

from typing import Any
from uuid import UUID

import pytest

from remem.core.documents.distil import distil_document
from remem.core.ports import Ports
from remem.core.scope import Scope
from tests.conftest import Person

pytestmark = pytest.mark.anyio

SAFE = ("The safe combination is 40-12-7.", "The safe combination has been changed to 8-31-55.")
PAIRS = [
    (*SAFE, "what is the safe combination?"),
    ("Our dentist is Dr. Amsel.", "Our dentist is now Dr. Wirth.", "who is our dentist?"),
    ("The choir rehearses at 20:00.", "The choir rehearses at 19:30 now.", "when is the choir?"),
    ("Ines works at Bosch.", "Ines works at Siemens now.", "where does Ines work?"),
    ("The ladder is in the garage.", "The ladder is now in the attic.", "where is the ladder?"),
]
MODES = ["fast", "balanced", "deep", "best"]


async def write(keeper: Person, ports: Ports, *texts: str) -> list[str]:
    scope = Scope(UUID(keeper.tenant_id), UUID(keeper.user_id), "test")
    documents = [keeper.save(text)["id"] for text in texts]
    for document in documents:
        await distil_document(ports, scope, UUID(document))
    return documents


def shown(keeper: Person, query: str, **fields: Any) -> list[tuple[str, str | None]]:
    """What each result says, and what is valid instead."""
    chunks = [one["chunks"][0] for one in keeper.recall(query, **fields)]
    newer = [chunk["replaced_by"] for chunk in chunks]
    return [
        (chunk["content"], by and by["content"]) for chunk, by in zip(chunks, newer, strict=True)
    ]


def current(keeper: Person) -> dict[str, Any]:
    (memory,) = keeper.http.get("/api/memories").json()["memories"]
    return memory


@pytest.mark.parametrize(("old", "new", "query"), PAIRS)
async def test_the_newer_goes_first_and_the_old_one_is_marked(
    keeper: Person, ports: Ports, old: str, new: str, query: str
) -> None:
    await write(keeper, ports, old, new)
    for mode in MODES:
        for text in (query, " ".join(old.split()[:3])):
            assert shown(keeper, text, mode=mode) == [(new, None), (old, new)], (mode, text)
    results = keeper.recall(query)
    assert results[0]["score"] >= results[1]["score"]
    by = results[1]["chunks"][0]["replaced_by"]
    assert (by["id"], by["since"][:4]) == (current(keeper)["id"], results[0]["created_at"][:4])
    assert keeper.http.get(by["url"]).json()["content"] == new


async def test_the_agents_dialect_marks_it_too(keeper: Person, ports: Ports) -> None:
    old, new = SAFE
    await write(keeper, ports, old, new)
    for path, listed in (("search", "memories"), ("search-index", "hits")):
        params = {"query": "safe combination"}
        found = keeper.http.get(f"/api/memories/{path}", params=params).json()[listed]
        assert [hit["chunk"] for hit in found] == [new, old]
        assert [hit["replacedBy"] and hit["replacedBy"]["content"] for hit in found] == [None, new]


async def test_every_dialect_marks_it(keeper: Person, ports: Ports) -> None:
    old, new = SAFE
    await write(keeper, ports, old, new)
    found = keeper.post("/v1/search", {"query": "safe combination"}).json()["results"]
    assert [hit["chunk"] for hit in found] == [new, old]
    assert found[0]["replaced_by"] is None
    by = found[1]["replaced_by"]
    newest = current(keeper)
    assert (by["id"], by["content"]) == (newest["id"], new)
    assert by["memory_type"] == newest["category"]
    assert keeper.http.get(by["url"]).json()["content"] == new
    params = {"q": "safe combination"}
    listed = keeper.http.get("/api/memories", params=params).json()["memories"]
    marks = {one["content"]: one["replacedBy"] and one["replacedBy"]["content"] for one in listed}
    assert marks == {new: None, old: new}


async def test_a_current_memory_is_not_marked_for_its_outdated_chunk(
    keeper: Person, ports: Ports
) -> None:
    key = "The attic key is in the jar."
    old = "The combination of the grey safe in the cellar is 40-12-7."
    new = "The combination of the grey safe in the cellar has been changed to 8-31-55."
    await write(keeper, ports, f"{old} {key}", new)
    [hit] = keeper.post("/v1/search", {"query": key}).json()["results"]
    assert (hit["kind"], hit["content"], hit["replaced_by"]["content"]) == ("memory", key, new)
    [listed] = keeper.http.get("/api/memories", params={"q": key}).json()["memories"]
    assert (listed["content"], listed["replacedBy"]) == (key, None)


async def test_the_context_says_what_is_valid_instead(keeper: Person, ports: Ports) -> None:
    old, new = SAFE
    await write(keeper, ports, old, new)
    body = {"query": "safe combination", "max_tokens": 500}
    text = keeper.post("/v3/recall", body).json()["context"]["text"]
    assert text.index(new) < text.index(old)
    assert text.endswith(f": {new})")


async def test_who_asks_how_it_was_gets_the_old_one_as_before(keeper: Person, ports: Ports) -> None:
    old, new = SAFE
    await write(keeper, ports, old, new)
    assert shown(keeper, "the previous safe combination is") == [(old, new), (new, None)]


async def test_a_newer_one_in_other_words_is_brought_in(keeper: Person, ports: Ports) -> None:
    old, new = "The safe combination is 40-12-7.", "The safe combination is now 8-31-55."
    await write(keeper, ports, old, new, *(f"Note {n} is of boats." for n in range(3)))
    assert shown(keeper, "40-12-7", mode="fast") == [(new, None), (old, new)]


async def test_one_sentence_of_a_long_note_outdates_it_not(keeper: Person, ports: Ports) -> None:
    long = f"{SAFE[0]} " + " ".join(f"Shelf {n} has the jars of year {n}." for n in range(2, 20))
    await write(keeper, ports, long, SAFE[1])
    assert SAFE[0] not in str(keeper.http.get("/api/memories?limit=100").json())
    assert shown(keeper, "which shelf has the jars of year 7?")[0] == (long, None)


async def test_a_memory_that_is_saved_alone_replaces_a_note(keeper: Person, ports: Ports) -> None:
    old, new = SAFE
    await write(keeper, ports, old)
    keeper.post("/api/memories", {"content": new})
    assert shown(keeper, "safe combination") == [(new, None), (old, new)]


async def test_three_in_a_row(keeper: Person, ports: Ports) -> None:
    last = "The safe combination is now 99-1-4."
    await write(keeper, ports, *SAFE, last)
    found = shown(keeper, "what is the safe combination?")
    assert found[0] == (last, None)
    assert sorted(found[1:]) == sorted((one, last) for one in SAFE)


async def test_what_is_restored_is_current_again_also_from_the_cache(
    keeper: Person, ports: Ports
) -> None:
    old, new = SAFE
    await write(keeper, ports, old, new)
    for _ in range(2):
        assert shown(keeper, "safe combination") == [(new, None), (old, new)]
    before = current(keeper)["supersedesId"]
    assert keeper.post(f"/api/memories/{before}/restore", {}).status_code == 200
    for _ in range(2):
        assert shown(keeper, "safe combination") == [(old, None), (new, old)]


async def test_a_cached_answer_does_not_outlive_a_replacement(keeper: Person, ports: Ports) -> None:
    old, new = SAFE
    await write(keeper, ports, old)
    for _ in range(2):
        assert shown(keeper, "safe combination") == [(old, None)]
    await write(keeper, ports, new)
    for _ in range(2):
        assert shown(keeper, "safe combination") == [(new, None), (old, new)]


async def test_nothing_is_marked_when_the_newer_one_is_deleted(
    keeper: Person, ports: Ports
) -> None:
    old, new = SAFE
    _, document = await write(keeper, ports, old, new)
    assert shown(keeper, "safe combination")[1] == (old, new)
    assert keeper.http.delete(f"/v3/documents/{document}").is_success
    assert shown(keeper, "safe combination") == [(old, None)]


async def test_a_memory_that_is_forgotten_marks_nothing(keeper: Person, ports: Ports) -> None:
    old, new = SAFE
    await write(keeper, ports, old, new)
    keeper.http.delete(f"/api/memories/{current(keeper)['id']}")
    assert sorted(shown(keeper, "safe combination")) == sorted([(old, None), (new, None)])


async def test_what_was_valid_then_is_not_marked(keeper: Person, ports: Ports) -> None:
    await write(keeper, ports, *SAFE)
    moment = keeper.recall("safe combination")[0]["created_at"]
    params = {"query": "safe combination", "as_of": moment}
    found = keeper.http.get("/api/memories/search-index", params=params).json()["hits"]
    assert found
    assert not any(hit["replacedBy"] for hit in found)


async def test_documents_alone_and_memories_alone(keeper: Person, ports: Ports) -> None:
    old, new = SAFE
    await write(keeper, ports, old, new)
    assert shown(keeper, "safe combination", kinds=["document"]) == [(new, None), (old, new)]
    assert shown(keeper, "safe combination", kinds=["memory"]) == [(new, None)]


async def test_the_newest_are_marked_where_they_stand(keeper: Person, ports: Ports) -> None:
    old, new = SAFE
    await write(keeper, ports, old, new)
    assert shown(keeper, "") == [(new, None), (old, new)]
