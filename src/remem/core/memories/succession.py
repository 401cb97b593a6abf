"""Repair the chains of versions when a memory in them is erased or restored."""

from collections.abc import Iterable
from uuid import UUID

from remem.core.events.record import record
from remem.core.graph.link import add_links, links_of
from remem.core.graph.model import Link
from remem.core.index.kinds import MEMORY
from remem.core.memories import memory_document_store, memory_store
from remem.core.memories.evidence import places_of
from remem.core.memories.index_memory import index_memory, retire, unindex_memory
from remem.core.memories.model import DISTIL, Memory
from remem.core.memories.versions import memory_version_store
from remem.core.memories.versions.add import succeed
from remem.core.ports import Ports
from remem.core.time import now
from remem.core.transaction import Tx


async def erase_version(ports: Ports, tx: Tx, memory: Memory) -> set[UUID]:
    """Erase one version; what replaced it now replaces what it had replaced. Returns the chains
    that may have no current version any more."""
    older = await _predecessors(tx, memory)
    newer = await _successors(tx, memory.id)
    await unindex_memory(ports, tx, memory)
    await memory_version_store.relink_successors(tx, memory.id, memory.supersedes_id)
    await memory_version_store.delete_version(tx, memory.id)
    await record(tx, MEMORY, memory.id, "erase")
    await add_links(tx, [_updates_link(successor, old.id) for successor in newer for old in older])
    return {memory.root_id, *(old.root_id for old in older)}


async def chains_of(tx: Tx, memory: Memory) -> set[UUID]:
    """The chain of a memory, and those in which it has replaced a memory."""
    return {memory.root_id, *(old.root_id for old in await _predecessors(tx, memory))}


async def settle_chains(ports: Ports, tx: Tx, roots: Iterable[UUID], reason: str) -> None:
    """Make the right version of each chain current, after documents that stated some are gone."""
    for root_id in sorted(roots):
        chain = await memory_version_store.chain(tx, root_id)
        if any(version.deleted_at for version in chain):
            continue
        stated = [version for version in chain if await _is_still_stated(tx, version)]
        current = next((version for version in chain if version.is_current), None)
        if current is None and stated and await _may_be_current(tx, stated[-1], chain):
            await _make_current(ports, tx, stated[-1], chain[-1], reason)
        elif current and current.is_shown and current.source == DISTIL:
            newer = _stated_later(current, stated)
            if newer and await _may_be_current(tx, newer, chain):
                await retire(ports, tx, current)
                await _make_current(ports, tx, newer, chain[-1], reason)


def _stated_later(current: Memory, stated: list[Memory]) -> Memory | None:
    """The version that is newer than the current one, which became older when the document that
    stated it last was withdrawn."""
    others = [version for version in stated if version.content_hash != current.content_hash]
    newest = max(others, key=lambda version: version.stated_at, default=None)
    return newest if newest and newest.stated_at > current.stated_at else None


async def _make_current(ports: Ports, tx: Tx, memory: Memory, last: Memory, reason: str) -> None:
    """Activate the last version of a chain, or repeat an older one as a new version."""
    if memory.id == last.id:
        restored = await memory_store.change(tx, memory.id, {"state": "active", "is_current": True})
        await index_memory(ports, tx, restored, None)
    else:
        restored = await succeed(ports, tx, memory, {}, None)
    await record(tx, MEMORY, restored.id, "restore", {"reason": reason, "of": str(memory.id)})


async def _is_still_stated(tx: Tx, memory: Memory) -> bool:
    """Whether a superseded version is still stated by a person or the latest version of a
    document."""
    is_expired = memory.valid_until is not None and memory.valid_until <= now()
    if memory.state != "superseded" or memory.part_of or is_expired:
        return False
    links = await links_of(tx, MEMORY, [memory.id], ["merged_into"])
    if any(link.from_id == memory.id for link in links):
        return False
    if memory.source != DISTIL or memory.context.get("review") == "accepted":
        return True
    document_ids = [place.document_id for place in places_of(memory)]
    return await memory_document_store.any_latest(tx, document_ids)


async def _may_be_current(tx: Tx, memory: Memory, chain: list[Memory]) -> bool:
    """Whether no other memory says the same or replaces this one from another chain."""
    if await memory_store.find_same(tx, memory.project_id, memory.content_hash):
        return False
    later_ids = [version.id for version in chain if version.version >= memory.version]
    links = await links_of(tx, MEMORY, later_ids, ["updates"])
    chain_ids = {version.id for version in chain}
    replacing_ids = [
        link.from_id for link in links if link.to_id in later_ids and link.from_id not in chain_ids
    ]
    return not await memory_version_store.any_followed_by_shown(tx, replacing_ids)


async def _predecessors(tx: Tx, memory: Memory) -> list[Memory]:
    """The memories that this one replaced, in its chain and in others."""
    links = await links_of(tx, MEMORY, [memory.id], ["updates"])
    ids = [memory.supersedes_id, *(link.to_id for link in links if link.from_id == memory.id)]
    return await memory_store.find_many(tx, [id for id in dict.fromkeys(ids) if id])


async def _successors(tx: Tx, id: UUID) -> list[Memory]:
    links = await links_of(tx, MEMORY, [id], ["updates"])
    linked = [link.from_id for link in links if link.to_id == id]
    return await memory_version_store.successors(tx, id, linked)


def _updates_link(memory: Memory, old_id: UUID) -> Link:
    return Link(MEMORY, memory.id, MEMORY, old_id, "updates", valid_from=memory.valid_since)
