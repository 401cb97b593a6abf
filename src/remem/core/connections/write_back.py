"""Write memories to a connected service, if its connector can write."""

from remem.core.connections.syncing import Sync, count_change
from remem.core.connectors.port import Note, WritesNotes
from remem.core.documents.connected.documents import saved_texts
from remem.core.memories.browse import list_memories
from remem.core.memories.model import Memory, MemoryChoice
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.text import shorten

PAGE = 200
NOTES_LIMIT = 5_000
_TITLE_CHARS = 80


async def write_back(ports: Ports, scope: Scope, sync: Sync) -> None:
    """Write the memories of the connection's project that a person stated, and the short texts they
    saved. Memories distilled from documents are left out."""
    connector = sync.connector
    if not isinstance(connector, WritesNotes) or not connector.writes_to(sync.access):
        return
    notes = [*await _notes(ports, scope, sync), *await _texts(ports, scope, sync)]
    result = await connector.write_notes(sync.access, notes[:NOTES_LIMIT])
    async with ports.db.transaction(scope) as tx:
        for name in result.conflicts:
            reason = "it was changed there and here; our text is next to yours under this name"
            await count_change(tx, sync, "skipped", name, reason)


async def _notes(ports: Ports, scope: Scope, sync: Sync) -> list[Note]:
    choice = MemoryChoice(project=sync.connection.project_id)
    notes: list[Note] = []
    cursor = None
    while len(notes) < NOTES_LIMIT:
        page = await list_memories(ports, scope, choice, cursor, PAGE)
        notes += [_note(memory) for memory in page.memories if memory.document_id is None]
        cursor = page.next
        if cursor is None:
            break
    return notes[:NOTES_LIMIT]


async def _texts(ports: Ports, scope: Scope, sync: Sync) -> list[Note]:
    async with ports.db.transaction(scope) as tx:
        documents = await saved_texts(tx, sync.connection.project_id, NOTES_LIMIT)
    return [
        Note(
            id=str(document.root_id),
            title=shorten(document.title or document.content, _TITLE_CHARS),
            text=document.content,
            tags=tuple(document.tags),
            created_at=document.created_at,
        )
        for document in documents
    ]


def _note(memory: Memory) -> Note:
    return Note(
        id=str(memory.root_id),
        title=shorten(memory.title or memory.content, _TITLE_CHARS),
        text=memory.content,
        tags=tuple(memory.tags),
        created_at=memory.created_at,
    )
