"""Which memory replaces which, when one of them goes or comes back."""

from collections.abc import Iterable
from uuid import UUID

from remem.core.db import Tx
from remem.core.events.record import record
from remem.core.graph.link import join, links_of
from remem.core.graph.model import Link
from remem.core.index.kinds import MEMORY
from remem.core.memories import store
from remem.core.memories.documents import store as documents
from remem.core.memories.evidence import places_of
from remem.core.memories.index_memory import index_memory, retire, unindex_memory
from remem.core.memories.model import DISTIL, Memory
from remem.core.memories.versions import store as version_store
from remem.core.memories.versions.add import succeed
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.time import now


async def erase_one(ports: Ports, tx: Tx, scope: Scope, memory: Memory) -> set[UUID]:
    """What replaced it replaces what it had replaced. Gives the chains that may have nothing valid
    any more."""
    older = await _replaced_by_it(tx, scope, memory)
    newer = await _replacing(tx, scope, memory.id)
    await unindex_memory(ports, tx, scope, memory)
    await version_store.bridge(tx, scope, memory.id, memory.supersedes_id)
    await version_store.erase_one(tx, scope, memory.id)
    await record(tx, scope, MEMORY, memory.id, "erase")
    await join(tx, scope, [_updates(one, old.id) for one in newer for old in older])
    return {memory.root_id, *(old.root_id for old in older)}


async def chains_of(tx: Tx, scope: Scope, memory: Memory) -> set[UUID]:
    """Its own, and those of which it has replaced something."""
    return {memory.root_id, *(old.root_id for old in await _replaced_by_it(tx, scope, memory))}


async def settle_chains(
    ports: Ports, tx: Tx, scope: Scope, roots: Iterable[UUID], reason: str
) -> None:
    """Let the right member of each be current, after documents have gone that said some of them."""
    for root_id in sorted(roots):
        chain = await version_store.chain(tx, scope, root_id)
        if any(one.deleted_at for one in chain):
            continue
        said = [one for one in chain if await _is_said(tx, scope, one)]
        current = next((one for one in chain if one.is_current), None)
        if current is None and said and await _may_be_current(tx, scope, said[-1], chain):
            await _make_current(ports, tx, scope, said[-1], chain[-1], reason)
        elif current and current.is_shown and current.source == DISTIL:
            newer = _said_after(current, said)
            if newer and await _may_be_current(tx, scope, newer, chain):
                await retire(ports, tx, scope, current)
                await _make_current(ports, tx, scope, newer, chain[-1], reason)


def _said_after(current: Memory, said: list[Memory]) -> Memory | None:
    """What is valid instead where who said the current one last says it no more: it is as old as
    those who still do."""
    others = [one for one in said if one.content_hash != current.content_hash]
    newest = max(others, key=lambda one: one.stated_at, default=None)
    return newest if newest and newest.stated_at > current.stated_at else None


async def _make_current(
    ports: Ports, tx: Tx, scope: Scope, memory: Memory, last: Memory, reason: str
) -> None:
    """As it was, or said again behind those that have ended since."""
    if memory.id == last.id:
        awake = await store.change(tx, scope, memory.id, {"state": "active", "is_current": True})
        await index_memory(ports, tx, scope, awake, None)
    else:
        awake = await succeed(ports, tx, scope, memory, {}, None)
    await record(tx, scope, MEMORY, awake.id, "restore", {"reason": reason, "of": str(memory.id)})


async def _is_said(tx: Tx, scope: Scope, memory: Memory) -> bool:
    """By a person, or by the latest version of a document."""
    is_over = memory.valid_until is not None and memory.valid_until <= now()
    if memory.state != "superseded" or memory.part_of or is_over:
        return False
    links = await links_of(tx, scope, MEMORY, [memory.id], ["merged_into"])
    if any(link.from_id == memory.id for link in links):
        return False
    if memory.source != DISTIL or memory.context.get("review") == "accepted":
        return True
    document_ids = [place.document_id for place in places_of(memory)]
    return await documents.any_latest(tx, scope, document_ids)


async def _may_be_current(tx: Tx, scope: Scope, memory: Memory, chain: list[Memory]) -> bool:
    """Unless another one says the same, or a memory of another chain is valid instead."""
    if await store.find_same(tx, scope, memory.project_id, memory.content_hash):
        return False
    since = [one.id for one in chain if one.version >= memory.version]
    links = await links_of(tx, scope, MEMORY, since, ["updates"])
    own = {one.id for one in chain}
    others = [link.from_id for link in links if link.to_id in since and link.from_id not in own]
    return not await version_store.any_followed_by_shown(tx, scope, others)


async def _replaced_by_it(tx: Tx, scope: Scope, memory: Memory) -> list[Memory]:
    """The member of its chain before it, and those of other chains."""
    links = await links_of(tx, scope, MEMORY, [memory.id], ["updates"])
    ids = [memory.supersedes_id, *(link.to_id for link in links if link.from_id == memory.id)]
    return await store.find_many(tx, scope, [id for id in dict.fromkeys(ids) if id])


async def _replacing(tx: Tx, scope: Scope, id: UUID) -> list[Memory]:
    links = await links_of(tx, scope, MEMORY, [id], ["updates"])
    linked = [link.from_id for link in links if link.to_id == id]
    return await version_store.successors(tx, scope, id, linked)


def _updates(memory: Memory, old_id: UUID) -> Link:
    return Link(MEMORY, memory.id, MEMORY, old_id, "updates", valid_from=memory.valid_since)
