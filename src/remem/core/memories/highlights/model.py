"""The values of highlights."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from remem.core.memories.evidence import places_of
from remem.core.memories.model import Memory
from remem.core.text import content_hash

# The `source` of these memories.
HIGHLIGHT = "highlight"
# The key of the note in a memory's context, and of the words of one whose text is nowhere.
NOTE, QUOTE = "note", "quote"
NOTE_LIMIT = 5_000
HIGHLIGHTS_LIMIT = 2_000


@dataclass(frozen=True, slots=True)
class Highlight:
    """A marked passage. `start` and `end` are offsets into the text of the document's latest
    version, which is `document_id`; None if its text is no longer there."""

    id: UUID
    document_id: UUID
    quote: str
    note: str | None
    start: int | None
    end: int | None
    tags: list[str]
    created_at: datetime
    updated_at: datetime
    before: str = ""
    after: str = ""


def highlight_of(memory: Memory, document_id: UUID) -> Highlight:
    place = next((p for p in places_of(memory) if p.document_id == document_id), None)
    note = memory.context.get(NOTE)
    return Highlight(
        id=memory.id,
        document_id=document_id,
        quote=memory.content,
        note=note if isinstance(note, str) else None,
        start=place.start if place else None,
        end=place.end if place else None,
        tags=memory.tags,
        created_at=memory.created_at,
        updated_at=memory.updated_at,
    )


def highlight_hash(id: UUID | str, content: str) -> str:
    """Two highlights may have the same words, and so may a statement."""
    return content_hash(f"{id}\n{content}")
