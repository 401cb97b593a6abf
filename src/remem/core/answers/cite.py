"""Turn places in texts into quotes that can be opened: document, offsets, memory."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from remem.core.answers.model import Source
from remem.core.answers.reply import Quote
from remem.core.answers.sentences import SentenceSpan, sentence_at
from remem.core.documents.read import titles_of, types_of
from remem.core.language.prose.markup import plain_value
from remem.core.language.prose.quote import without_markup
from remem.core.memories.browse import read_many
from remem.core.memories.model import Memory
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.text import shown_title

MEMORY = "memory"


@dataclass(frozen=True, slots=True)
class Origins:
    """The titles and types of the documents, and the memories, that sources belong to."""

    titles: Mapping[UUID, str] = field(default_factory=dict)
    memories: Mapping[UUID, Memory] = field(default_factory=dict)
    types: Mapping[UUID, str] = field(default_factory=dict)


async def origins_of(ports: Ports, scope: Scope, sources: Sequence[Source]) -> Origins:
    ids = [source.id for source in sources if source.kind == MEMORY]
    async with ports.db.transaction(scope) as tx:
        memories = await read_many(tx, ids)
        documents = {source.document_id for source in sources if source.document_id}
        titles = await titles_of(tx, list(documents))
        types = await types_of(tx, list(documents))
    return Origins(titles, memories, types)


class Quotes:
    """Numbers quotes in the order of first use; each sentence is quoted once."""

    def __init__(self, origins: Origins) -> None:
        self._origins = origins
        self._quotes: dict[tuple[UUID, SentenceSpan], Quote] = {}

    @property
    def all(self) -> tuple[Quote, ...]:
        return tuple(self._quotes.values())

    def add(self, source: Source, start: int, end: int) -> int:
        """The number of the sentence that contains a place of a source."""
        span = sentence_at(source.content, start, end)
        key = (source.id, span)
        if key not in self._quotes:
            number = len(self._quotes) + 1
            self._quotes[key] = _quote(self._origins, source, span, (start, end), number)
        return self._quotes[key].number


def _quote(
    origins: Origins, source: Source, span: SentenceSpan, place: tuple[int, int], number: int
) -> Quote:
    memory = origins.memories.get(source.id)
    document_id, offset = source.document_id, source.start_offset
    start, end = span.start + offset, span.end + offset
    if memory is not None:
        document_id, start, end = _evidence(memory, span)
    sentence, mark = _plain(source.content, span, place)
    return Quote(
        number=number,
        kind="document" if document_id else "memory",
        sentence=sentence,
        mark=mark,
        start=start,
        end=end,
        source_id=source.id,
        document_id=document_id,
        memory_id=memory.id if memory else None,
        title=_title(origins, document_id, memory),
        content_type=origins.types.get(document_id) if document_id else None,
        speaker=source.speaker,
        said_at=source.said_at,
        occurred_at=source.occurred_at,
        due_at=source.due_at,
    )


def _title(origins: Origins, document_id: UUID | None, memory: Memory | None) -> str | None:
    of_memory = memory.title if memory else None
    title = origins.titles.get(document_id) if document_id else of_memory
    return shown_title(title) if title else None


def _plain(text: str, span: SentenceSpan, place: tuple[int, int]) -> tuple[str, tuple[int, int]]:
    """The sentence without Markdown, and the place in it; as written if that would lose the
    place."""
    sentence, mark = text[span.start : span.end], (place[0] - span.start, place[1] - span.start)
    plain = without_markup(sentence)
    marked = plain_value(sentence[slice(*mark)], plain)
    start = plain.find(marked, max(0, mark[0] - (len(sentence) - len(plain))))
    if len(plain) == len(sentence) or not marked or start < 0:
        return sentence, mark
    return plain, (start, start + len(marked))


def _evidence(memory: Memory, span: SentenceSpan) -> tuple[UUID | None, int, int]:
    """The document and offsets of a memory that was taken from a document."""
    start, end = memory.evidence.get("start"), memory.evidence.get("end")
    document_id = _as_id(memory.evidence.get("document_id"))
    is_place = isinstance(start, int) and isinstance(end, int) and 0 <= start < end
    if document_id and document_id == memory.document_id and is_place:
        return document_id, int(start or 0), int(end or 0)
    return None, span.start, span.end


def _as_id(value: Any) -> UUID | None:
    try:
        return UUID(str(value)) if value else None
    except ValueError:
        return None
