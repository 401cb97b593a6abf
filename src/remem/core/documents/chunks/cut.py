"""Cut a parsed document into chunks, each with its speaker, time and searched text."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import NamedTuple
from uuid import UUID

from remem.core.chunking.model import Piece
from remem.core.chunking.row_words import words_of_rows
from remem.core.chunking.split import split
from remem.core.documents.model import Chunk, Document, ParsedDocument
from remem.core.documents.voice import Voice, author_of, day_in_name, parse_moment, voice_of
from remem.core.language.questions import question_share
from remem.core.language.times.mentions import mentions_time
from remem.core.time import new_id


def cut(document_id: UUID, parsed: ParsedDocument) -> list[Chunk]:
    language = parsed.metadata.get("code_language")
    pieces = split(parsed.content, parsed.content_type, parsed.marks, language)
    single_chunk_text = parsed.content if len(pieces) == 1 else ""
    voice = voice_of(parsed.metadata, single_chunk_text, parsed.title)
    return [_chunk(document_id, index, piece, voice) for index, piece in enumerate(pieces)]


def _chunk(document_id: UUID, index: int, piece: Piece, voice: Voice) -> Chunk:
    speaker = piece.speaker or voice.speaker
    return replace(
        plain_chunk(document_id, index, piece),
        speaker=speaker or None,
        said_at=_said_at(piece) or _date_in_headings(piece) or voice.said_at,
        thread_id=voice.thread_id,
        asks=question_share(piece.content) if speaker else 0.0,
        tells_time=mentions_time(piece.content),
    )


def plain_chunk(document_id: UUID, index: int, piece: Piece) -> Chunk:
    """A chunk of a piece and its position, without a speaker or time taken from its words."""
    return Chunk(
        id=new_id(),
        document_id=document_id,
        content=piece.content,
        chunk_index=index,
        start_offset=piece.start,
        end_offset=piece.end,
        page=piece.page,
        at_s=piece.at_s,
        heading_path=list(piece.heading_path),
    )


def _said_at(piece: Piece) -> datetime | None:
    if piece.said_at_s is not None:
        return datetime.fromtimestamp(piece.said_at_s, UTC)
    return parse_moment(piece.said) if piece.said else None


def _date_in_headings(piece: Piece) -> datetime | None:
    """The date in the nearest heading that is one, as in a journal."""
    return next(filter(None, map(day_in_name, reversed(piece.heading_path))), None)


_TABLE_TYPES = frozenset({"csv", "xlsx", "json"})


class Header(NamedTuple):
    """What a document is searched by beside its text."""

    title: str
    tags: Sequence[str] = ()
    author: str = ""
    content_type: str = "text"


def header_of(document: Document | ParsedDocument) -> Header:
    author = author_of(document.metadata)
    return Header(document.title, document.tags, author, document.content_type)


def text_to_embed(header: Header, chunk: Chunk) -> str:
    """The text that is embedded: title, headings and content. For a turn, only the speaker and the
    words, since a title or a date would outweigh them; for rows, their words."""
    if chunk.speaker:
        return _with_speaker(chunk)
    if header.content_type in _TABLE_TYPES:
        return f"{_context(header.title, chunk)}\n{words_of_rows(chunk.content)}"
    return _with_context(header.title, chunk)


def _with_context(title: str, chunk: Chunk) -> str:
    starts_with_title = chunk.content.startswith(title)
    return chunk.content if starts_with_title else f"{_context(title, chunk)}\n{chunk.content}"


def _context(title: str, chunk: Chunk) -> str:
    return " › ".join([title, *(heading for heading in chunk.heading_path if heading != title)])


def text_to_index(header: Header, chunk: Chunk) -> str:
    """The text that is indexed by word: all of it, with the day of a turn and, for the first chunk,
    the title, and those tags and author that it does not name."""
    text = _turn_to_index if chunk.speaker else _with_context
    indexed = text(header.title, chunk)
    if chunk.chunk_index > 0:
        return indexed
    folded = indexed.casefold()
    missing = [name for name in (*header.tags, header.author) if name.casefold() not in folded]
    return "\n".join([indexed, *missing])


def _turn_to_index(title: str, chunk: Chunk) -> str:
    day = f"{chunk.said_at.day} {chunk.said_at:%B %Y}\n" if chunk.said_at else ""
    context = [title] if chunk.chunk_index == 0 else []
    header = " › ".join(
        [*context, *(heading for heading in chunk.heading_path if heading != title)]
    )
    return "\n".join(filter(None, [header, day + _with_speaker(chunk)]))


def _with_speaker(chunk: Chunk) -> str:
    is_named = chunk.speaker and chunk.content[: len(chunk.speaker) + 60].find(chunk.speaker) >= 0
    return chunk.content if is_named else f"{chunk.speaker}: {chunk.content}"
