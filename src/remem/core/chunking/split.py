"""Split text into chunks at the boundaries of its format, with the headings above each."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TypeAlias

from remem.core.chunking.code import split_code
from remem.core.chunking.front_matter import body_start
from remem.core.chunking.headings import Heading, HeadingPaths, fences_of, headings_of
from remem.core.chunking.joints import (
    MarkNumbers,
    below_headings,
    places_of,
    skip_blank,
    with_joints,
)
from remem.core.chunking.model import Joint, Mark, Piece, Span
from remem.core.chunking.pack import Place, Seam, Style, pack
from remem.core.chunking.pages import page_seams
from remem.core.chunking.prose import prose_seams
from remem.core.chunking.token_counter import TokenCounter, estimate_tokens
from remem.core.chunking.turns import SPEAKER, TalkTurn, spans_by_turn, turns_of
from remem.core.language.sentences import ends_sentence

# Transcripts and conversations: cut between turns, or where a sentence ends at a time stamp.


TURNS = Style(floors=(Seam.RECORD, Seam.SENTENCE, Seam.LINE))
TIMES = Style(floors=(Seam.SENTENCE, Seam.LINE))


def timed_seams(
    text: str, seams: Iterable[Place], marks: Sequence[Mark], headings: Sequence[Heading]
) -> tuple[Iterator[Place], Style]:
    times = places_of(text, marks, Joint.TIME)
    turns = places_of(text, marks, Joint.TURN)
    if not times and not turns:
        turns = [match.start() for match in SPEAKER.finditer(text)]
    joints = {at: _seam_at_time(text, at) for at in times} | dict.fromkeys(turns, Seam.RECORD)
    below = below_headings(text, headings)
    visible = sorted(joint for joint in joints.items() if skip_blank(text, joint[0]) not in below)
    return with_joints(seams, visible), TURNS if turns else TIMES


def _seam_at_time(text: str, position: int) -> Seam:
    return Seam.SENTENCE if ends_sentence(text, position) else Seam.LINE


# Tables and records: chunks of whole rows; a row that fits is never split.


STYLE = Style(floors=(Seam.HEADING_6, Seam.SENTENCE, Seam.LINE), overlap_tokens=0)
LINES = Style(floors=(Seam.LINE,), overlap_tokens=0)


def row_seams(
    text: str, seams: Iterable[Place], marks: Sequence[Mark], headings: Sequence[Heading]
) -> tuple[Iterator[Place], Style]:
    """Seams at marked rows; without marks each line is a row."""
    rows = places_of(text, marks, Joint.ROW)
    below = below_headings(text, headings)
    joints = [(at, Seam.RECORD) for at in rows if skip_blank(text, at) not in below]
    return with_joints(seams, joints), STYLE if rows else LINES


__all__ = ["estimate_tokens", "split"]

# A text of five million characters can have a million turns, each of which would be stored alone.
MAX_TURNS = 100_000

Kind: TypeAlias = Callable[
    [str, Iterable[Place], Sequence[Mark], Sequence[Heading]], tuple[Iterable[Place], Style]
]


def split(
    text: str,
    content_type: str = "text",
    marks: Sequence[Mark] = (),
    code_language: str | None = None,
) -> list[Piece]:
    """Split a text into pieces in reading order that cover everything except white space and front
    matter.

    Chunks overlap by about fifty tokens, also at headings; code, rows and pages do not overlap. The
    headings of a chunk are those above what it adds to the chunk before it."""
    if content_type != "code" and not marks and (start := body_start(text)):
        pieces = split(text[start:], content_type, (), code_language)
        return [
            replace(piece, start=piece.start + start, end=piece.end + start) for piece in pieces
        ]
    counter = TokenCounter(text)
    if content_type == "code":
        return split_code(counter, marks)
    fences = fences_of(text)
    headings = headings_of(text, marks, fences)
    seams, style = _kind(content_type, marks)(
        text, prose_seams(text, headings, fences), marks, headings
    )
    turns = turns_of(text, marks)
    if 0 < len(turns) <= MAX_TURNS:
        return _split_turns(counter, list(seams), style, turns, headings, marks)
    spans = pack(counter, seams, style, 0, len(text))
    return _pieces(text, spans, headings, marks)


def _split_turns(
    counter: TokenCounter,
    seams: Sequence[Place],
    style: Style,
    turns: Sequence[TalkTurn],
    headings: Sequence[Heading],
    marks: Sequence[Mark],
) -> list[Piece]:
    """One chunk for each turn of a conversation, with its speaker and time."""
    positions = [at for at, _ in seams]
    pieces: list[Piece] = []
    for (start, end), turn in spans_by_turn(counter.text, turns, headings):
        inside = seams[bisect_right(positions, start) : bisect_left(positions, end)]
        spans = pack(counter, inside, style, start, end)
        turn_pieces = _pieces(counter.text, spans, headings, marks)
        pieces += [_with_speaker(piece, turn) for piece in turn_pieces] if turn else turn_pieces
    return pieces


def _with_speaker(piece: Piece, turn: TalkTurn) -> Piece:
    return replace(piece, speaker=turn.speaker, said_at_s=turn.said_at_s, said=turn.said)


def _plain_seams(
    text: str, seams: Iterable[Place], marks: Sequence[Mark], headings: Sequence[Heading]
) -> tuple[Iterable[Place], Style]:
    return seams, Style()


_KINDS: dict[str, Kind] = {
    "pdf": page_seams,
    "audio": timed_seams,
    "video": timed_seams,
    "transcript": timed_seams,
    "subtitles": timed_seams,
    "conversation": timed_seams,
    "csv": row_seams,
    "json": row_seams,
    "xlsx": row_seams,
}
# By marks, when the content type does not determine the kind.
_KIND_OF_JOINT: dict[Joint, Kind] = {
    Joint.TURN: timed_seams,
    Joint.TIME: timed_seams,
    Joint.ROW: row_seams,
    Joint.PAGE: page_seams,
}


def _kind(content_type: str, marks: Sequence[Mark]) -> Kind:
    if content_type in _KINDS:
        return _KINDS[content_type]
    joints = {mark.joint for mark in marks}
    return next((kind for joint, kind in _KIND_OF_JOINT.items() if joint in joints), _plain_seams)


def _pieces(
    text: str, spans: list[Span], headings: Sequence[Heading], marks: Sequence[Mark]
) -> list[Piece]:
    paths = HeadingPaths(headings)
    pages, times = MarkNumbers(marks, Joint.PAGE), MarkNumbers(marks, Joint.TIME)

    def piece(start: int, end: int, new_start: int) -> Piece:
        page, at_s = pages.at(start, end), times.at(start, end)
        path = paths.at(skip_blank(text, new_start))
        return Piece(text[start:end], start, end, path, None if page is None else int(page), at_s)

    pieces: list[Piece] = []
    for start, end in _strip_spans(text, spans):
        pieces.append(piece(start, end, max(start, pieces[-1].end) if pieces else start))
    return pieces


def _strip_spans(text: str, spans: list[Span]) -> Iterator[Span]:
    """Keep a text that fits into one chunk unchanged; strip white space around parts."""
    if spans == [(0, len(text))]:
        yield 0, len(text)
        return
    for start, end in spans:
        content = text[start:end].strip()
        begin = text.index(content[0], start) if content else end
        if content:
            yield begin, begin + len(content)
