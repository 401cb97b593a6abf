"""A reading as chunks: what each says, who said it and when, and what it is found by."""

from dataclasses import replace
from datetime import UTC, datetime
from uuid import UUID

from remem.core.chunking.model import Piece
from remem.core.chunking.split import split
from remem.core.documents.model import Chunk, ParsedDocument
from remem.core.documents.voice import Voice, day_in_name, moment_of, voice_of
from remem.core.language.questions import question_share
from remem.core.language.times.mentions import tells_time
from remem.core.time import new_id


def cut(document_id: UUID, reading: ParsedDocument) -> list[Chunk]:
    language = reading.metadata.get("code_language")
    pieces = split(reading.content, reading.content_type, reading.marks, language)
    whole = reading.content if len(pieces) == 1 else ""
    voice = voice_of(reading.metadata, whole, reading.title)
    return [_chunk(document_id, index, piece, voice) for index, piece in enumerate(pieces)]


def _chunk(document_id: UUID, index: int, piece: Piece, voice: Voice) -> Chunk:
    speaker = piece.speaker or voice.speaker
    return replace(
        plain_chunk(document_id, index, piece),
        speaker=speaker or None,
        said_at=_said_at(piece) or _day_above(piece) or voice.said_at,
        thread_id=voice.thread_id,
        asks=question_share(piece.content) if speaker else 0.0,
        tells_time=tells_time(piece.content),
    )


def plain_chunk(document_id: UUID, index: int, piece: Piece) -> Chunk:
    """A piece and where it stands, without what its words say of who speaks and when."""
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
    return moment_of(piece.said) if piece.said else None


def _day_above(piece: Piece) -> datetime | None:
    """The day that the nearest heading is named after, as in a journal."""
    return next(filter(None, map(day_in_name, reversed(piece.heading_path))), None)


def meaning_of(title: str, chunk: Chunk) -> str:
    """What is embedded: the text in the light of its title and headings; of a turn the words and
    who says them, for a title or a date would drown them."""
    if chunk.speaker:
        return _with_speaker(chunk)
    context = " › ".join([title, *(one for one in chunk.heading_path if one != title)])
    return chunk.content if chunk.content.startswith(title) else f"{context}\n{chunk.content}"


def words_of(title: str, chunk: Chunk) -> str:
    """What is found by word: the same, and for a turn the day it was said and the title of all."""
    if not chunk.speaker:
        return meaning_of(title, chunk)
    day = f"{chunk.said_at.day} {chunk.said_at:%B %Y}\n" if chunk.said_at else ""
    context = [title] if chunk.chunk_index == 0 else []
    above = " › ".join([*context, *(one for one in chunk.heading_path if one != title)])
    return "\n".join(filter(None, [above, day + _with_speaker(chunk)]))


def _with_speaker(chunk: Chunk) -> str:
    named = chunk.speaker and chunk.content[: len(chunk.speaker) + 60].find(chunk.speaker) >= 0
    return chunk.content if named else f"{chunk.speaker}: {chunk.content}"
