"""The graph: what is drawn of it, who is related through what, which documents are alike."""

from uuid import UUID

import pytest

from remem.core.documents.ingest import ingest
from remem.core.documents.model import Document
from remem.core.documents.model import Draft as DocumentDraft
from remem.core.documents.related import OWN_CHUNKS, related_documents
from remem.core.errors import Invalid, NotFound
from remem.core.graph.model import View
from remem.core.graph.view import NODES_LIMIT, view_graph
from remem.core.memories.forget import forget_memory
from remem.core.memories.related import related_memories
from remem.core.ports import Ports
from remem.core.projects.manage import create_project
from remem.core.scope import Scope
from remem.core.time import new_id
from tests.conftest import new_scope
from tests.core.memories import save

pytestmark = pytest.mark.anyio


def labels(view: View, kind: str) -> list[str]:
    return [one.label for one in view.nodes if one.kind == kind]


def edges(view: View, relation: str) -> set[tuple[str, str]]:
    names = {one.id: one.label for one in view.nodes}
    return {(names[e.source], names[e.target]) for e in view.edges if e.relation == relation}


async def document(ports: Ports, scope: Scope, content: str, **fields: object) -> Document:
    return (await ingest(ports, scope, DocumentDraft(content, **fields))).document  # type: ignore[arg-type]


async def test_the_graph_has_entities_memories_documents_and_their_edges(
    ports: Ports, scope: Scope
) -> None:
    note = await document(ports, scope, "Minutes of the meeting.", title="Minutes")
    await save(ports, scope, "Ada Lovelace prefers tea.", document_id=note.id)
    await save(ports, scope, "Ada Lovelace moved the servers to Oslo.")
    view = await view_graph(ports, scope, None, 100)
    assert labels(view, "entity") == ["Ada Lovelace", "Oslo"]
    assert [one.weight for one in view.nodes if one.kind == "entity"] == [2, 1]
    assert [one.document_count for one in view.nodes if one.kind == "entity"] == [1, 0]
    assert labels(view, "document") == ["Minutes"]
    assert edges(view, "mentions") == {
        ("Ada Lovelace prefers tea.", "Ada Lovelace"),
        ("Ada Lovelace moved the servers to Oslo.", "Ada Lovelace"),
        ("Ada Lovelace moved the servers to Oslo.", "Oslo"),
    }
    assert edges(view, "derives") == {("Ada Lovelace prefers tea.", "Minutes")}
    assert {frozenset(pair) for pair in edges(view, "related")} == {
        frozenset({"Ada Lovelace", "Oslo"})
    }
    assert not view.truncated


async def test_the_graph_is_bounded_heaviest_first(ports: Ports, scope: Scope) -> None:
    for place in ("Oslo", "Porto", "Lima", "Kyoto"):
        await save(ports, scope, f"Grace Hopper gave a talk about compilers at length in {place}.")
    view = await view_graph(ports, scope, None, 3)
    assert len(view.nodes) == 3
    assert labels(view, "entity")[0] == "Grace Hopper"
    assert [one.weight for one in view.nodes] == sorted(
        (one.weight for one in view.nodes), reverse=True
    )
    assert view.truncated
    assert {one for edge in view.edges for one in (edge.source, edge.target)} <= {
        one.id for one in view.nodes
    }
    for wrong in (0, NODES_LIMIT + 1):
        with pytest.raises(Invalid, match="limit"):
            await view_graph(ports, scope, None, wrong)


async def test_the_graph_is_of_a_project_when_one_is_named(ports: Ports, scope: Scope) -> None:
    await create_project(ports, scope, "Trips", slug="life.trips")
    await save(ports, scope, "Kenji lives in Kyoto.", project="life.trips")
    await save(ports, scope, "Redis is fast.")
    for named in ("life.trips", "life.*"):
        assert set(labels(await view_graph(ports, scope, named, 50), "entity")) == {
            "Kenji",
            "Kyoto",
        }
    with pytest.raises(NotFound):
        await view_graph(ports, scope, new_id(), 50)


async def test_what_is_forgotten_is_not_drawn(ports: Ports, scope: Scope) -> None:
    saved = await save(ports, scope, "Kenji lives in Kyoto.")
    await forget_memory(ports, scope, saved.memory.id)
    assert (await view_graph(ports, scope, None, 50)).nodes == []


async def test_nobody_elses_graph_is_drawn(ports: Ports, scope: Scope) -> None:
    await save(ports, await new_scope(ports), "Kenji lives in Kyoto.")
    assert (await view_graph(ports, scope, None, 50)).nodes == []


async def test_memories_are_related_through_what_they_mention(ports: Ports, scope: Scope) -> None:
    one = await save(ports, scope, "Marisol prefers her tea without sugar.")
    other = await save(ports, scope, "The landlord sent Marisol a letter about the roof.")
    await save(ports, scope, "The bridge is shut.")
    found = await related_memories(ports, scope, one.memory.id, 1, ["mentions"])
    assert [related.memory.id for related in found] == [other.memory.id]
    assert found[0].link.relation == "mentions"
    assert 0 < found[0].link.confidence <= 1
    assert await related_memories(ports, scope, one.memory.id, 1, ["extends"]) == []


async def test_the_rarer_a_thing_the_surer_it_relates(ports: Ports, scope: Scope) -> None:
    said = ("hums a tune", "fell off the shelf", "was painted green", "costs nine euros")
    for one in said:
        await save(ports, scope, f"Something that belongs to PostgreSQL {one}.")
    rare = await save(ports, scope, "Zelda keeps bees.")
    asked = await save(ports, scope, "At noon Zelda explained PostgreSQL to nobody in particular.")
    found = await related_memories(ports, scope, asked.memory.id, 1, ["mentions"])
    assert len(found) == 5
    assert found[0].memory.id == rare.memory.id


# Documents


async def ids(ports: Ports, scope: Scope, id: UUID, limit: int = 10) -> list[UUID]:
    return [one.document.id for one in await related_documents(ports, scope, id, limit)]


async def test_documents_that_are_alike_are_related_each_once(ports: Ports, scope: Scope) -> None:
    cat = await document(ports, scope, "The cat dozes on the sofa all afternoon.")
    kitten = await document(ports, scope, "A kitten sleeps on the couch in the sun.")
    tax = await document(ports, scope, "Income tax returns are due at the end of May.")
    assert await ids(ports, scope, cat.id) == [kitten.id]
    assert tax.id not in await ids(ports, scope, kitten.id)
    scores = [one.score for one in await related_documents(ports, scope, cat.id)]
    assert all(0.3 <= score <= 1.001 for score in scores)


async def test_a_long_document_does_not_find_itself(ports: Ports, scope: Scope) -> None:
    turns = "\n".join(
        f"Ada: The cat number {n} sleeps on the sofa." for n in range(OWN_CHUNKS + 20)
    )
    long = await document(ports, scope, turns)
    assert long.chunk_count > OWN_CHUNKS
    kitten = await document(ports, scope, "A kitten sleeps on the couch in the sun.")
    assert await ids(ports, scope, long.id) == [kitten.id]
    assert await ids(ports, scope, kitten.id) == [long.id]


async def test_an_old_version_is_no_neighbour(ports: Ports, scope: Scope) -> None:
    first = await document(ports, scope, "The cat dozes on the sofa.", source_url="https://x.org/1")
    second = await document(
        ports, scope, "The cat dozes on the red sofa.", source_url="https://x.org/1"
    )
    kitten = await document(ports, scope, "A kitten sleeps on the couch in the sun.")
    assert await ids(ports, scope, kitten.id) == [second.id]
    assert first.id not in await ids(ports, scope, second.id)


async def test_nobody_elses_documents_are_neighbours(ports: Ports, scope: Scope) -> None:
    other = await new_scope(ports)
    theirs = await document(ports, other, "The cat dozes on the sofa all afternoon.")
    mine = await document(ports, scope, "The cat dozes on the sofa all evening.")
    assert await ids(ports, scope, mine.id) == []
    with pytest.raises(NotFound):
        await related_documents(ports, scope, theirs.id)


async def test_documents_with_common_tags_and_entities_have_edges(
    ports: Ports, scope: Scope
) -> None:
    texts = {"one": ["Plan", "q3"], "two": ["plan", "Q3"], "three": ["plan"], "four": ["garden"]}
    for name, tags in texts.items():
        draft = DocumentDraft(content=f"This is text {name}.", content_type="text", tags=tags)
        await ingest(ports, scope, draft)
    view = await view_graph(ports, scope, None, 100)
    labels = {node.id: node.label.split()[-1].rstrip(".") for node in view.nodes}
    shared = {
        (frozenset((labels[edge.source], labels[edge.target])), edge.weight)
        for edge in view.edges
        if edge.relation == "shared_tags"
    }
    assert shared == {
        (frozenset(("one", "two")), 2.0),
        (frozenset(("one", "three")), 1.0),
        (frozenset(("two", "three")), 1.0),
    }
    counts = {labels[node.id]: node.document_count for node in view.nodes}
    assert counts == {"one": 2, "two": 2, "three": 2, "four": 0}


async def test_documents_that_mean_the_same_are_joined(ports: Ports, scope: Scope) -> None:
    for title, text in (
        ("Ferry", "The ferry to the island leaves the harbour at noon every day."),
        ("Boat", "Every day at noon a boat leaves the harbour for the island."),
        ("Taxes", "The tax return for last year has to be filed with the office."),
    ):
        await document(ports, scope, text, title=title)
    view = await view_graph(ports, scope, None, 100)
    titles = set(labels(view, "document"))
    joined = [set(pair) for pair in edges(view, "similar") if titles.issuperset(pair)]
    assert joined == [{"Ferry", "Boat"}]
    assert all(one.created_at and one.project_id for one in view.nodes)


async def test_the_graph_can_be_of_some_kinds_only(ports: Ports, scope: Scope) -> None:
    note = await document(ports, scope, "Minutes of the meeting.", title="Minutes")
    await save(ports, scope, "Ada Lovelace prefers tea.", document_id=note.id)
    view = await view_graph(ports, scope, None, 100, ("document",))
    assert {one.kind for one in view.nodes} == {"document"}
    assert not view.edges
