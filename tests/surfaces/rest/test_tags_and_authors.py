"""Documents are found by their tags and author, and by what a query is about."""

from collections.abc import Iterator
from uuid import UUID

import pytest

from remem.core.documents.index_words import reindex_waiting
from remem.core.ports import Ports
from remem.core.scope import Scope
from tests.conftest import Person, Server
from tests.surfaces.rest.conftest import new_user

NOTES = (
    "The dentist moved the appointment to Friday.",
    "The car needs new tyres before winter.",
    "Plum cake: flour, butter, plums and sugar.",
    "Omar went to Lisbon in May.",
)
PROBE = "Rolling updates need a readiness probe before traffic arrives."
DESCENT = "Gradient descent converges slowly on ravines."


@pytest.fixture(scope="module")
def reader(server: Server) -> Iterator[Person]:
    with new_user(server) as user:
        for note in NOTES:
            user.save(note)
        user.save(PROBE, tags=["devops", "On Call"])
        user.save(DESCENT, metadata={"author": "Mara Klein"})
        yield user


def found(person: Person, query: str) -> list[str]:
    """What recall finds, after checking that the other searches find the same first."""
    texts = [result["chunks"][0]["content"] for result in person.recall(query)]
    hits = person.post("/v1/search", {"query": query}).json()["results"]
    memories = person.http.get("/api/memories/search", params={"query": query}).json()["memories"]
    first = texts[:1]
    assert [hit["content"] for hit in hits[:1]] == first
    assert [memory["content"] for memory in memories[:1]] == first
    return texts


@pytest.mark.parametrize("query", ["devops", "#devops", "On Call", "anything on devops?"])
def test_a_tag_finds_its_document(reader: Person, query: str) -> None:
    assert found(reader, query)[0] == PROBE


@pytest.mark.parametrize(
    "query", ["Mara Klein", "anything by Mara Klein", "Was habe ich von Mara Klein gespeichert?"]
)
def test_an_author_finds_the_document_alone(reader: Person, query: str) -> None:
    assert found(reader, query) == [DESCENT]


@pytest.mark.parametrize(
    "query",
    ["tag:devops", 'tag:"on call"', "TAG:#devops updates", 'probe tag:devops tag:"on call"'],
)
def test_a_tag_term_filters(reader: Person, query: str) -> None:
    assert found(reader, query) == [PROBE]
    assert found(reader, f"tag:nothing {query}") == []


@pytest.mark.parametrize(
    ("query", "note"),
    [
        ("what did I save about tyres", NOTES[1]),
        ("do I have any notes about plums?", NOTES[2]),
        ("Was weiß ich über Lisbon?", NOTES[3]),
        ("tout sur le dentist", NOTES[0]),
    ],
)
def test_a_frame_is_not_part_of_what_is_looked_for(reader: Person, query: str, note: str) -> None:
    first, *_ = reader.post("/v1/search", {"query": query}).json()["results"]
    assert first["content"] == note
    assert first["score"] >= 0.9


def test_a_change_of_tags_and_author_is_found(user: Person) -> None:
    id = user.save(DESCENT, tags=["seaside"], metadata={"author": "Mara Klein"})["id"]
    body = {"tags": ["lecture"], "metadata": {"author": "Jürgen Schmidt"}}
    assert user.http.patch(f"/v3/documents/{id}", json=body).status_code == 200
    assert found(user, "lecture") == found(user, "Jürgen Schmidt") == [DESCENT]
    assert found(user, "seaside") == found(user, "Mara Klein") == []
    tag = {"ids": [id], "action": "tag", "tags": ["ravines2"]}
    assert user.post("/v3/documents/bulk", tag).status_code == 200
    assert found(user, "ravines2") == [DESCENT]


@pytest.mark.anyio
async def test_documents_of_an_older_version_are_indexed(user: Person, ports: Ports) -> None:
    id = user.save(DESCENT, tags=["seaside"], metadata={"author": "Mara Klein"})["id"]
    scope = Scope(tenant_id=UUID(user.tenant_id), user_id=UUID(user.user_id))
    async with ports.db.transaction(scope) as tx:
        gone = "DELETE FROM postings WHERE tenant_id = $1 AND term = ANY($2)"
        await tx.execute(gone, ["mara", "klein", "seasid"])
        row = "INSERT INTO documents_to_index VALUES ($1, $2::uuid)"
        await tx.execute(row, id)
    user.save("Something else, so that no answer is cached.")
    assert found(user, "Mara Klein") == []
    assert await reindex_waiting(ports, scope) == 1
    assert found(user, "Mara Klein") == found(user, "seaside") == [DESCENT]
    assert await reindex_waiting(ports, scope) == 0
