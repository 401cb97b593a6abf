"""Join things, and see what is joined to them, inside a running transaction."""

from collections.abc import Sequence
from uuid import UUID

from remem.core.db import Tx
from remem.core.graph import store
from remem.core.graph.companions import store as companions
from remem.core.graph.model import Kind, Link
from remem.core.scope import Scope

# The most links looked at in one step, so that a thing everybody points at costs no more.
STEP_LIMIT = 500
# Of those that mention a thing, the newest are enough to walk on from.
MENTIONS_LIMIT = 200
# Where many memories are walked from at once, of each thing so many.
STEP_MENTIONS = 40


async def join(tx: Tx, scope: Scope, links: Sequence[Link]) -> None:
    if links:
        await store.insert(tx, scope, links)


async def unjoin(tx: Tx, scope: Scope, link: Link) -> None:
    """Take one link away."""
    await store.delete_one(tx, scope, link)


async def links_of(
    tx: Tx, scope: Scope, kind: Kind, ids: Sequence[UUID], relations: Sequence[str] = ()
) -> list[Link]:
    """Links that begin or end at any of these, surest first."""
    return await store.touching(tx, scope, kind, ids, relations, STEP_LIMIT) if ids else []


async def links_of_each(
    tx: Tx, scope: Scope, kind: Kind, ids: Sequence[UUID], relations: Sequence[str] = ()
) -> dict[UUID, set[UUID]]:
    """What each of several is linked to; without those that are linked to nothing."""
    found: dict[UUID, set[UUID]] = {}
    for here, there in await companions.ends(tx, scope, kind, ids, relations) if ids else []:
        found.setdefault(here, set()).add(there)
    return found


async def companions_of(tx: Tx, scope: Scope, memory_ids: Sequence[UUID]) -> list[Link]:
    """To the memories that mention what these mention, those with the most in common first."""
    if not memory_ids:
        return []
    return await companions.companions(tx, scope, memory_ids, MENTIONS_LIMIT, STEP_LIMIT)


async def companions_of_each(
    tx: Tx, scope: Scope, memory_ids: Sequence[UUID], limit: int
) -> dict[UUID, list[Link]]:
    """The same for each of several by itself, so many of each."""
    if not memory_ids:
        return {}
    found: dict[UUID, list[Link]] = {}
    for link in await companions.companions_each(tx, scope, memory_ids, STEP_MENTIONS, limit):
        found.setdefault(link.from_id, []).append(link)
    return found


async def part(tx: Tx, scope: Scope, kind: Kind, id: UUID) -> None:
    """Take every link of a thing away, as it is erased."""
    await store.delete(tx, scope, kind, id)
