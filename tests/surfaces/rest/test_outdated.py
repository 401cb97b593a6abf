"""A note whose statement was replaced is marked, and the replacement ranks before it."""

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


async def write(user: Person, ports: Ports, *texts: str) -> list[str]:
    scope = Scope(UUID(user.tenant_id), UUID(user.user_id), "test")
    documents = [user.save(text)["id"] for text in texts]
    for document in documents:
        await distil_document(ports, scope, UUID(document))
    return documents


def shown(user: Person, query: str, **fields: Any) -> list[tuple[str, str | None]]:
    """The content of each result, and of what replaced it."""
    chunks = [result["chunks"][0] for result in user.recall(query, **fields)]
    replacements = [chunk["replaced_by"] for chunk in chunks]
    return [
        (chunk["content"], replacement and replacement["content"])
        for chunk, replacement in zip(chunks, replacements, strict=True)
    ]


def current(user: Person) -> dict[str, Any]:
    (memory,) = user.http.get("/api/memories").json()["memories"]
    return memory


@pytest.mark.parametrize(("old", "new", "query"), PAIRS)
async def test_the_newer_note_ranks_first_and_the_old_one_is_marked(
    user: Person, ports: Ports, old: str, new: str, query: str
) -> None:
    await write(user, ports, old, new)
    for mode in MODES:
        for text in (query, " ".join(old.split()[:3])):
            assert shown(user, text, mode=mode) == [(new, None), (old, new)], (mode, text)
    results = user.recall(query)
    assert results[0]["score"] >= results[1]["score"]
    replacement = results[1]["chunks"][0]["replaced_by"]
    assert (replacement["id"], replacement["since"][:4]) == (
        current(user)["id"],
        results[0]["created_at"][:4],
    )
    assert user.http.get(replacement["url"]).json()["content"] == new


async def test_the_agents_dialect_marks_it_too(user: Person, ports: Ports) -> None:
    old, new = SAFE
    await write(user, ports, old, new)
    for path, key in (("search", "memories"), ("search-index", "hits")):
        params = {"query": "safe combination"}
        hits = user.http.get(f"/api/memories/{path}", params=params).json()[key]
        assert [hit["chunk"] for hit in hits] == [new, old]
        assert [hit["replacedBy"] and hit["replacedBy"]["content"] for hit in hits] == [None, new]


async def test_every_dialect_marks_it(user: Person, ports: Ports) -> None:
    old, new = SAFE
    await write(user, ports, old, new)
    hits = user.post("/v1/search", {"query": "safe combination"}).json()["results"]
    assert [hit["chunk"] for hit in hits] == [new, old]
    assert hits[0]["replaced_by"] is None
    replacement = hits[1]["replaced_by"]
    newest = current(user)
    assert (replacement["id"], replacement["content"]) == (newest["id"], new)
    assert replacement["memory_type"] == newest["category"]
    assert user.http.get(replacement["url"]).json()["content"] == new
    params = {"q": "safe combination"}
    listed = user.http.get("/api/memories", params=params).json()["memories"]
    replacements = {
        memory["content"]: memory["replacedBy"] and memory["replacedBy"]["content"]
        for memory in listed
    }
    assert replacements == {new: None, old: new}


async def test_a_current_memory_is_not_marked_for_its_outdated_chunk(
    user: Person, ports: Ports
) -> None:
    key = "The attic key is in the jar."
    old = "The combination of the grey safe in the cellar is 40-12-7."
    new = "The combination of the grey safe in the cellar has been changed to 8-31-55."
    await write(user, ports, f"{old} {key}", new)
    [hit] = user.post("/v1/search", {"query": key}).json()["results"]
    assert (hit["kind"], hit["content"], hit["replaced_by"]["content"]) == ("memory", key, new)
    [listed] = user.http.get("/api/memories", params={"q": key}).json()["memories"]
    assert (listed["content"], listed["replacedBy"]) == (key, None)


async def test_the_context_has_the_replacement(user: Person, ports: Ports) -> None:
    old, new = SAFE
    await write(user, ports, old, new)
    body = {"query": "safe combination", "max_tokens": 500}
    text = user.post("/v3/recall", body).json()["context"]["text"]
    assert text.index(new) < text.index(old)
    assert text.endswith(f": {new})")


async def test_a_question_about_the_past_ranks_the_old_note_first(
    user: Person, ports: Ports
) -> None:
    old, new = SAFE
    await write(user, ports, old, new)
    assert shown(user, "the previous safe combination is") == [(old, new), (new, None)]


async def test_a_replacement_with_other_words_is_added(user: Person, ports: Ports) -> None:
    old, new = "The safe combination is 40-12-7.", "The safe combination is now 8-31-55."
    await write(user, ports, old, new, *(f"Note {n} is of boats." for n in range(3)))
    assert shown(user, "40-12-7", mode="fast") == [(new, None), (old, new)]


async def test_one_replaced_sentence_does_not_mark_a_long_note(user: Person, ports: Ports) -> None:
    long = f"{SAFE[0]} " + " ".join(f"Shelf {n} has the jars of year {n}." for n in range(2, 20))
    await write(user, ports, long, SAFE[1])
    assert SAFE[0] not in str(user.http.get("/api/memories?limit=100").json())
    assert shown(user, "which shelf has the jars of year 7?")[0] == (long, None)


async def test_a_memory_without_a_document_replaces_a_note(user: Person, ports: Ports) -> None:
    old, new = SAFE
    await write(user, ports, old)
    user.post("/api/memories", {"content": new})
    assert shown(user, "safe combination") == [(new, None), (old, new)]


async def test_a_chain_of_three_replacements(user: Person, ports: Ports) -> None:
    last = "The safe combination is now 99-1-4."
    await write(user, ports, *SAFE, last)
    results = shown(user, "what is the safe combination?")
    assert results[0] == (last, None)
    assert sorted(results[1:]) == sorted((statement, last) for statement in SAFE)


async def test_a_restored_memory_is_current_again_despite_the_cache(
    user: Person, ports: Ports
) -> None:
    old, new = SAFE
    await write(user, ports, old, new)
    for _ in range(2):
        assert shown(user, "safe combination") == [(new, None), (old, new)]
    superseded = current(user)["supersedesId"]
    assert user.post(f"/api/memories/{superseded}/restore", {}).status_code == 200
    for _ in range(2):
        assert shown(user, "safe combination") == [(old, None), (new, old)]


async def test_a_cached_answer_does_not_outlive_a_replacement(user: Person, ports: Ports) -> None:
    old, new = SAFE
    await write(user, ports, old)
    for _ in range(2):
        assert shown(user, "safe combination") == [(old, None)]
    await write(user, ports, new)
    for _ in range(2):
        assert shown(user, "safe combination") == [(new, None), (old, new)]


async def test_nothing_is_marked_when_the_newer_one_is_deleted(user: Person, ports: Ports) -> None:
    old, new = SAFE
    _, document = await write(user, ports, old, new)
    assert shown(user, "safe combination")[1] == (old, new)
    assert user.http.delete(f"/v3/documents/{document}").is_success
    assert shown(user, "safe combination") == [(old, None)]


async def test_a_forgotten_replacement_marks_nothing(user: Person, ports: Ports) -> None:
    old, new = SAFE
    await write(user, ports, old, new)
    user.http.delete(f"/api/memories/{current(user)['id']}")
    assert sorted(shown(user, "safe combination")) == sorted([(old, None), (new, None)])


async def test_a_note_is_not_marked_as_of_its_time(user: Person, ports: Ports) -> None:
    await write(user, ports, *SAFE)
    as_of = user.recall("safe combination")[0]["created_at"]
    params = {"query": "safe combination", "as_of": as_of}
    hits = user.http.get("/api/memories/search-index", params=params).json()["hits"]
    assert hits
    assert not any(hit["replacedBy"] for hit in hits)


async def test_results_of_one_kind_only(user: Person, ports: Ports) -> None:
    old, new = SAFE
    await write(user, ports, old, new)
    assert shown(user, "safe combination", kinds=["document"]) == [(new, None), (old, new)]
    assert shown(user, "safe combination", kinds=["memory"]) == [(new, None)]


async def test_an_empty_query_marks_outdated_notes(user: Person, ports: Ports) -> None:
    old, new = SAFE
    await write(user, ports, old, new)
    assert shown(user, "") == [(new, None), (old, new)]
