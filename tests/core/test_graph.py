"""The graph: its view, related memories, and similar documents."""

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
    return [node.label for node in view.nodes if node.kind == kind]


def edges(view: View, relation: str) -> set[tuple[str, str]]:
    names = {node.id: node.label for node in view.nodes}
    return {
        (names[edge.source], names[edge.target]) for edge in view.edges if edge.relation == relation
    }


async def ingest_text(ports: Ports, scope: Scope, content: str, **fields: object) -> Document:
    return (await ingest(ports, scope, DocumentDraft(content, **fields))).document  # type: ignore[arg-type]


async def test_the_graph_has_entities_memories_documents_and_their_edges(
    ports: Ports, scope: Scope
) -> None:
    note = await ingest_text(ports, scope, "Minutes of the meeting.", title="Minutes")
    await save(ports, scope, "Ada Lovelace prefers tea.", document_id=note.id)
    await save(ports, scope, "Ada Lovelace moved the servers to Oslo.")
    view = await view_graph(ports, scope, None, 100)
    assert labels(view, "entity") == ["Ada Lovelace", "Oslo"]
    assert [node.weight for node in view.nodes if node.kind == "entity"] == [2, 1]
    assert [node.document_count for node in view.nodes if node.kind == "entity"] == [1, 0]
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


async def test_the_graph_is_limited_to_its_heaviest_nodes(ports: Ports, scope: Scope) -> None:
    for place in ("Oslo", "Porto", "Lima", "Kyoto"):
        await save(ports, scope, f"Grace Hopper gave a talk about compilers at length in {place}.")
    view = await view_graph(ports, scope, None, 3)
    assert len(view.nodes) == 3
    assert labels(view, "entity")[0] == "Grace Hopper"
    assert [node.weight for node in view.nodes] == sorted(
        (node.weight for node in view.nodes), reverse=True
    )
    assert view.truncated
    assert {id for edge in view.edges for id in (edge.source, edge.target)} <= {
        node.id for node in view.nodes
    }
    for wrong in (0, NODES_LIMIT + 1):
        with pytest.raises(Invalid, match="limit"):
            await view_graph(ports, scope, None, wrong)


async def test_tags_are_nodes_with_edges_from_what_has_them(ports: Ports, scope: Scope) -> None:
    await ingest_text(ports, scope, "Minutes of the meeting.", title="Minutes", tags=["Boat"])
    await ingest_text(ports, scope, "The list of repairs.", title="Repairs", tags=["boat", "money"])
    await save(ports, scope, "The mast costs 900 francs.", tags=["boat"])
    view = await view_graph(ports, scope, None, 100)
    tags = {node.label: node for node in view.nodes if node.kind == "tag"}
    assert {label: (tag.type, tag.weight, tag.document_count) for label, tag in tags.items()} == {
        "boat": ("tag", 3, 2),
        "money": ("tag", 1, 1),
    }
    assert edges(view, "tagged") == {
        ("Minutes", "boat"),
        ("Repairs", "boat"),
        ("Repairs", "money"),
        ("The mast costs 900 francs.", "boat"),
    }
    only_tags = await view_graph(ports, scope, None, 100, ["tag"])
    assert {node.id for node in only_tags.nodes} == {tag.id for tag in tags.values()}
    assert not only_tags.edges


async def test_a_tag_of_several_projects_is_one_node(ports: Ports, scope: Scope) -> None:
    await create_project(ports, scope, "Trips", slug="life.trips")
    note = await ingest_text(ports, scope, "Timetable of the ferry.", tags=["sea"])
    await save(ports, scope, "The ferry to Elba takes an hour.", project="life.trips", tags=["sea"])
    hidden = await save(ports, scope, "The harbour is closed.", tags=["gone"])
    await forget_memory(ports, scope, hidden.memory.id)
    (everywhere,) = [n for n in (await view_graph(ports, scope, None, 50)).nodes if n.kind == "tag"]
    (there,) = [
        n for n in (await view_graph(ports, scope, "life.trips", 50)).nodes if n.kind == "tag"
    ]
    (here,) = [
        n for n in (await view_graph(ports, scope, note.project_id, 50)).nodes if n.kind == "tag"
    ]
    assert everywhere.id == there.id == here.id
    assert (everywhere.weight, there.weight, here.weight) == (2, 1, 1)
    assert (everywhere.project_id, here.project_id) == (None, note.project_id)


async def test_the_graph_can_be_limited_to_a_project(ports: Ports, scope: Scope) -> None:
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


async def test_a_deleted_memory_is_not_in_the_graph(ports: Ports, scope: Scope) -> None:
    saved = await save(ports, scope, "Kenji lives in Kyoto.")
    await forget_memory(ports, scope, saved.memory.id)
    assert (await view_graph(ports, scope, None, 50)).nodes == []


async def test_the_graph_of_another_tenant_is_not_visible(ports: Ports, scope: Scope) -> None:
    await save(ports, await new_scope(ports), "Kenji lives in Kyoto.")
    assert (await view_graph(ports, scope, None, 50)).nodes == []


async def test_memories_are_related_through_what_they_mention(ports: Ports, scope: Scope) -> None:
    first = await save(ports, scope, "Marisol prefers her tea without sugar.")
    other = await save(ports, scope, "The landlord sent Marisol a letter about the roof.")
    await save(ports, scope, "The bridge is shut.")
    related_to_first = await related_memories(ports, scope, first.memory.id, 1, ["mentions"])
    assert [related.memory.id for related in related_to_first] == [other.memory.id]
    assert related_to_first[0].link.relation == "mentions"
    assert 0 < related_to_first[0].link.confidence <= 1
    assert await related_memories(ports, scope, first.memory.id, 1, ["extends"]) == []


async def test_a_rarer_entity_relates_more_strongly(ports: Ports, scope: Scope) -> None:
    predicates = ("hums a tune", "fell off the shelf", "was painted green", "costs nine euros")
    for predicate in predicates:
        await save(ports, scope, f"Something that belongs to PostgreSQL {predicate}.")
    rare = await save(ports, scope, "Zelda keeps bees.")
    noon = await save(ports, scope, "At noon Zelda explained PostgreSQL to nobody in particular.")
    related = await related_memories(ports, scope, noon.memory.id, 1, ["mentions"])
    assert len(related) == 5
    assert related[0].memory.id == rare.memory.id


# Documents


async def related_ids(ports: Ports, scope: Scope, id: UUID, limit: int = 10) -> list[UUID]:
    return [related.document.id for related in await related_documents(ports, scope, id, limit)]


async def test_similar_documents_are_related_once_each(ports: Ports, scope: Scope) -> None:
    cat = await ingest_text(ports, scope, "The cat dozes on the sofa all afternoon.")
    kitten = await ingest_text(ports, scope, "A kitten sleeps on the couch in the sun.")
    tax = await ingest_text(ports, scope, "Income tax returns are due at the end of May.")
    assert await related_ids(ports, scope, cat.id) == [kitten.id]
    assert tax.id not in await related_ids(ports, scope, kitten.id)
    scores = [related.score for related in await related_documents(ports, scope, cat.id)]
    assert all(0.3 <= score <= 1.001 for score in scores)


async def test_a_long_document_does_not_find_itself(ports: Ports, scope: Scope) -> None:
    turns = "\n".join(
        f"Ada: I see cat number {n} asleep on the sofa." for n in range(OWN_CHUNKS + 20)
    )
    long = await ingest_text(ports, scope, turns)
    assert long.chunk_count > OWN_CHUNKS
    kitten = await ingest_text(ports, scope, "A kitten sleeps on the couch in the sun.")
    assert await related_ids(ports, scope, long.id) == [kitten.id]
    assert await related_ids(ports, scope, kitten.id) == [long.id]


async def test_an_old_version_is_not_related(ports: Ports, scope: Scope) -> None:
    first = await ingest_text(
        ports, scope, "The cat dozes on the sofa.", source_url="https://x.org/1"
    )
    second = await ingest_text(
        ports, scope, "The cat dozes on the red sofa.", source_url="https://x.org/1"
    )
    kitten = await ingest_text(ports, scope, "A kitten sleeps on the couch in the sun.")
    assert await related_ids(ports, scope, kitten.id) == [second.id]
    assert first.id not in await related_ids(ports, scope, second.id)


async def test_documents_of_another_tenant_are_not_related(ports: Ports, scope: Scope) -> None:
    other = await new_scope(ports)
    foreign = await ingest_text(ports, other, "The cat dozes on the sofa all afternoon.")
    own = await ingest_text(ports, scope, "The cat dozes on the sofa all evening.")
    assert await related_ids(ports, scope, own.id) == []
    with pytest.raises(NotFound):
        await related_documents(ports, scope, foreign.id)


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
    documents = [node for node in view.nodes if node.kind == "document"]
    counts = {labels[node.id]: node.document_count for node in documents}
    assert counts == {"one": 2, "two": 2, "three": 2, "four": 0}


async def test_documents_with_the_same_meaning_have_an_edge(ports: Ports, scope: Scope) -> None:
    for title, text in (
        ("Ferry", "The ferry to the island leaves the harbour at noon every day."),
        ("Boat", "Every day at noon a boat leaves the harbour for the island."),
        ("Taxes", "The tax return for last year has to be filed with the office."),
    ):
        await ingest_text(ports, scope, text, title=title)
    view = await view_graph(ports, scope, None, 100)
    titles = set(labels(view, "document"))
    joined = [set(pair) for pair in edges(view, "similar") if titles.issuperset(pair)]
    assert joined == [{"Ferry", "Boat"}]
    assert all(node.created_at and node.project_id for node in view.nodes)


async def test_the_graph_can_be_limited_to_some_kinds(ports: Ports, scope: Scope) -> None:
    note = await ingest_text(ports, scope, "Minutes of the meeting.", title="Minutes")
    await save(ports, scope, "Ada Lovelace prefers tea.", document_id=note.id)
    view = await view_graph(ports, scope, None, 100, ("document",))
    assert {node.kind for node in view.nodes} == {"document"}
    assert not view.edges
