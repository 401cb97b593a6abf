"""Give memories the speakers of their document after the user said whether it is their own."""

from collections.abc import Collection, Sequence
from uuid import UUID

from remem.core.documents import store
from remem.core.documents.model import Document
from remem.core.documents.voice import is_mine
from remem.core.judgements import Passage
from remem.core.language.person import depends_on_speaker, is_user
from remem.core.memories.evidence import lock_evidence, memories_of_document, places_of
from remem.core.memories.model import Memory
from remem.core.memories.speakers import change_speaker, is_in_other_chain, linked_documents
from remem.core.memories.withdraw_evidence import withdraw
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.transaction import Tx

_REASON = "speaker_changed"


async def correct_speakers(
    ports: Ports,
    scope: Scope,
    document: Document,
    passages: Sequence[Passage],
    starts: Collection[int],
) -> None:
    """Runs before the statements of the document, which begin at `starts`, are saved: that adds
    what is missing. Idempotent."""
    async with ports.db.transaction(scope) as tx:
        memories = await memories_of_document(tx, document.id)
    for memory in memories:
        if _wrong_passage(document, memory, passages):
            await _correct(ports, scope, document, memory.id, passages, starts)


def _wrong_passage(
    document: Document, memory: Memory, passages: Sequence[Passage]
) -> Passage | None:
    """The passage that states a memory, if the user says one of them and not the other. The names
    of others are not compared: a model may have written them in another way."""
    start = _start(document, memory)
    if start is None:
        return None
    for passage in passages:
        if passage.start <= start < passage.start + len(passage.text):
            return passage if is_user(passage.speaker) != is_user(memory.speaker) else None
    return None


def _start(document: Document, memory: Memory) -> int | None:
    places = (place for place in places_of(memory) if place.document_id == document.id)
    return next((place.start for place in places), None)


async def _correct(
    ports: Ports,
    scope: Scope,
    document: Document,
    id: UUID,
    passages: Sequence[Passage],
    starts: Collection[int],
) -> None:
    async with ports.db.transaction(scope, turn=document.project_id) as tx:
        await lock_evidence(tx, [document.project_id], [document.id])
        memories = await memories_of_document(tx, document.id)
        memory = next((memory for memory in memories if memory.id == id), None)
        passage = memory and _wrong_passage(document, memory, passages)
        if memory is None or passage is None:
            return
        others = await linked_documents(tx, memory, but=document.id)
        if await _stays_users(tx, memory, others):
            return
        is_left_out = _start(document, memory) not in starts and _may_be_withdrawn(memory)
        if is_left_out or await _is_said_anew(tx, document, memory, others):
            await withdraw(ports, tx, [memory], [document.id], _REASON)
        else:
            await change_speaker(ports, tx, memory, passage.speaker)


async def _stays_users(tx: Tx, memory: Memory, others: Sequence[UUID]) -> bool:
    """Whether another document of the user says the same, and the speaker does not matter."""
    if not is_user(memory.speaker) or depends_on_speaker(memory.content):
        return False
    return any(map(is_mine, await store.find_many(tx, others)))


async def _is_said_anew(tx: Tx, document: Document, memory: Memory, others: Sequence[UUID]) -> bool:
    """Whether it is another statement with another speaker, which is distilled again: others say
    it too, or it replaced a statement of theirs."""
    if not _may_be_withdrawn(memory) or not depends_on_speaker(memory.content):
        return False
    return bool(others) or await is_in_other_chain(tx, memory, document.id)


def _may_be_withdrawn(memory: Memory) -> bool:
    """What a person declined stays declined."""
    return memory.deleted_at is None and memory.state != "quarantined"
