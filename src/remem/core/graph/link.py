"""Add, read and delete links inside a running transaction."""

from collections.abc import Sequence
from uuid import UUID

from remem.core.graph import companion_store, graph_store
from remem.core.graph.model import Kind, Link
from remem.core.transaction import Tx

# Links read in one step at most, so that an entity everything links to stays cheap.
STEP_LIMIT = 500
# Of the memories that mention an entity, only this many of the newest are followed.
MENTIONS_LIMIT = 200
# The same limit when many memories are expanded at once.
STEP_MENTIONS = 40


async def add_links(tx: Tx, links: Sequence[Link]) -> None:
    if links:
        await graph_store.insert(tx, links)


async def delete_link(tx: Tx, link: Link) -> None:
    """Delete one link."""
    await graph_store.delete_link(tx, link)


async def links_of(
    tx: Tx, kind: Kind, ids: Sequence[UUID], relations: Sequence[str] = ()
) -> list[Link]:
    """Links that start or end at any of these items, most confident first."""
    return await graph_store.select_links(tx, kind, ids, relations, STEP_LIMIT) if ids else []


async def neighbours_of_each(
    tx: Tx, kind: Kind, ids: Sequence[UUID], relations: Sequence[str] = ()
) -> dict[UUID, set[UUID]]:
    """The ids that each item is linked to; items without links are left out."""
    neighbours: dict[UUID, set[UUID]] = {}
    for id, neighbour_id in (
        await companion_store.neighbours(tx, kind, ids, relations) if ids else []
    ):
        neighbours.setdefault(id, set()).add(neighbour_id)
    return neighbours


async def companions_of(tx: Tx, memory_ids: Sequence[UUID]) -> list[Link]:
    """Links to other memories that mention the same entities, most in common first."""
    if not memory_ids:
        return []
    return await companion_store.companions(tx, memory_ids, MENTIONS_LIMIT, STEP_LIMIT)


async def companions_of_each(
    tx: Tx, memory_ids: Sequence[UUID], limit: int
) -> dict[UUID, list[Link]]:
    """The same for each memory separately, with at most `limit` links each."""
    if not memory_ids:
        return {}
    links: dict[UUID, list[Link]] = {}
    for link in await companion_store.companions_each(tx, memory_ids, STEP_MENTIONS, limit):
        links.setdefault(link.from_id, []).append(link)
    return links


async def delete_links_of(tx: Tx, kind: Kind, id: UUID) -> None:
    """Delete every link of an item that is being erased."""
    await graph_store.delete_links_of(tx, kind, id)
