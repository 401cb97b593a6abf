"""Join things, and see what is joined to them, inside a running transaction."""

from collections.abc import Sequence
from uuid import UUID

from remem.core.db import Tx
from remem.core.graph import store
from remem.core.graph.model import Kind, Link
from remem.core.scope import Scope

# The most links looked at in one step, so that a thing everybody points at costs no more.
STEP_LIMIT = 500
# Of those that mention a thing, the newest are enough to walk on from.
MENTIONS_LIMIT = 200


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


async def companions_of(tx: Tx, scope: Scope, memory_ids: Sequence[UUID]) -> list[Link]:
    """To the memories that mention what these mention, those with the most in common first."""
    if not memory_ids:
        return []
    return await store.companions(tx, scope, memory_ids, MENTIONS_LIMIT, STEP_LIMIT)


async def part(tx: Tx, scope: Scope, kind: Kind, id: UUID) -> None:
    """Take every link of a thing away, as it is erased."""
    await store.delete(tx, scope, kind, id)
