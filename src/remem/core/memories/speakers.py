"""Change who says a memory, after the user said whose the document is that states it."""

from dataclasses import replace
from uuid import UUID

from remem.core.events.record import record
from remem.core.graph.entities import unlink_entities
from remem.core.graph.link import links_of
from remem.core.index.kinds import MEMORY
from remem.core.index.write import reindex_texts
from remem.core.memories import memory_document_store, memory_store, part_store
from remem.core.memories.evidence import edits_of, places_of
from remem.core.memories.fingerprint import fingerprint
from remem.core.memories.index_memory import link_mentions, queue_relating, search_text
from remem.core.memories.merge import merge_into
from remem.core.memories.model import Memory
from remem.core.memories.versions import memory_version_store
from remem.core.ports import Ports
from remem.core.transaction import Tx


async def change_speaker(ports: Ports, tx: Tx, memory: Memory, speaker: str | None) -> None:
    """Change the speaker of a memory and of what a person made of it by editing. It is merged into
    a memory that says the same then, and related to the others again."""
    for version in [memory, *await _edits_after(tx, memory)]:
        hash = fingerprint(version.content, replace(version.statement_context, speaker=speaker))
        if version.is_shown and hash != version.content_hash:
            same = await memory_store.find_same(tx, version.project_id, hash)
            if same:
                await merge_into(ports, tx, version, same)
                continue
        values = {"speaker": speaker, "content_hash": hash}
        changed = await memory_store.change(tx, version.id, values)
        await part_store.set_speaker(tx, version.id, speaker)
        await record(tx, MEMORY, version.id, "update", {"reason": "speaker_changed"})
        if changed.is_shown:
            await _reindex(ports, tx, changed)


async def _reindex(ports: Ports, tx: Tx, memory: Memory) -> None:
    await reindex_texts(tx, MEMORY, memory.project_id, [search_text(memory)])
    await unlink_entities(tx, memory.id)
    await link_mentions(ports, tx, memory)
    await queue_relating(ports, tx, memory.id)


async def linked_documents(tx: Tx, memory: Memory, but: UUID) -> list[UUID]:
    """The other documents that state a memory."""
    links = await links_of(tx, MEMORY, [memory.id], ["derives"])
    ids = {link.to_id for link in links if link.from_id == memory.id} - {but}
    return sorted(await memory_document_store.existing_documents(tx, ids))


async def is_in_other_chain(tx: Tx, memory: Memory, document_id: UUID) -> bool:
    """Whether a memory replaced one that this document does not state, or was replaced by one."""
    chain = await memory_version_store.chain(tx, memory.root_id)
    links = await links_of(tx, MEMORY, [memory.id], ["updates"])
    linked = [id for link in links for id in (link.from_id, link.to_id)]
    versions = {version.id: version for version in await memory_store.find_many(tx, linked)}
    versions |= {version.id: version for version in chain}
    edited = await edits_of(tx, list(versions), "content")
    return any(
        id not in edited and document_id not in {place.document_id for place in places_of(version)}
        for id, version in versions.items()
    )


async def _edits_after(tx: Tx, memory: Memory) -> list[Memory]:
    """The versions after this one that a person made by editing its text."""
    chain = await memory_version_store.chain(tx, memory.root_id)
    edited = await edits_of(tx, [version.id for version in chain], "content")
    after = [version for version in chain if version.version > memory.version]
    return [
        version for version in after if version.id in edited and version.speaker == memory.speaker
    ]
