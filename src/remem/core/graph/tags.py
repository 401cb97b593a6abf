"""Tags as nodes of the graph, with an edge from each item that has them. Pure."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID, uuid5

from remem.core.graph.model import Edge, Node

TAGGED = "tagged"


class UsedTag(NamedTuple):
    """A spelling of a tag, and the number of documents or memories of a project that have it."""

    tag: str
    kind: str
    project_id: UUID
    first_used: datetime
    count: int


def tag_nodes(tenant_id: UUID, used: Iterable[UsedTag], limit: int) -> list[Node]:
    """The most used tags; spellings that differ only in case are one tag."""
    uses_by_tag: dict[str, list[UsedTag]] = defaultdict(list)
    for use in used:
        uses_by_tag[use.tag.casefold()].append(use)
    nodes = [_node(_tag_id(tenant_id, tag), uses) for tag, uses in uses_by_tag.items()]
    return sorted(nodes, key=lambda node: (-node.weight, node.label))[:limit]


def edges_to_tags(
    tenant_id: UUID, tags: Mapping[UUID, Sequence[str]], drawn: Collection[UUID]
) -> list[Edge]:
    """An edge from each item to each of its tags that is drawn."""
    pairs = dict.fromkeys(
        (item, _tag_id(tenant_id, tag.casefold()))
        for item, item_tags in tags.items()
        for tag in item_tags
    )
    return [Edge(item, tag, TAGGED, 1.0) for item, tag in pairs if tag in drawn]


def _node(id: UUID, uses: Sequence[UsedTag]) -> Node:
    spellings = Counter[str]()
    for use in uses:
        spellings[use.tag] += use.count
    projects = {use.project_id for use in uses}
    return Node(
        id=id,
        kind="tag",
        label=spellings.most_common(1)[0][0],
        type="tag",
        weight=spellings.total(),
        project_id=projects.pop() if len(projects) == 1 else None,
        created_at=min(use.first_used for use in uses),
        document_count=sum(use.count for use in uses if use.kind == "document"),
    )


def _tag_id(tenant_id: UUID, folded_tag: str) -> UUID:
    return uuid5(tenant_id, f"tag:{folded_tag}")
