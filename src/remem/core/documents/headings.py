"""The headings above a position in a document, as written by a person; pure."""

import re
from collections.abc import Sequence
from itertools import islice

from remem.core.chunking.headings import HeadingPaths, fences_of, headings_of
from remem.core.documents.model import Chunk
from remem.core.enrich.reading import strip_markup
from remem.core.judgements import HEADING_SEPARATOR
from remem.core.language.headings import is_title_like

_OPENING_LINES, _OPENING_CHARS = 3, 2_000
_LIST_ITEM = re.compile(r"\s*(?:[-*+•>|]|\d+[.)]\s)|[^\n]*:\s+\S")
_SENTENCE_END = re.compile(r"[.!?][\"'”’)]?\s*\Z")


class DocumentHeadings:
    """The headings above any position in a document; a turn of a talk has none."""

    def __init__(self, title: str, chunks: Sequence[Chunk]) -> None:
        self._title, self._chunks = title, chunks

    def at(self, position: int) -> str:
        chunk = next(
            (chunk for chunk in self._chunks if chunk.start_offset <= position < chunk.end_offset),
            None,
        )
        if chunk is None or chunk.speaker:
            return ""
        title = explicit_title(self._title, chunk.content if chunk.chunk_index == 0 else "")
        offset = position - chunk.start_offset
        return heading_above(chunk.content, offset, title, chunk.heading_path)


def heading_above(content: str, position: int, title: str, path: Sequence[str]) -> str:
    """The headings above a position in the content; `path` are those above its beginning."""
    inner = HeadingPaths(headings_of(content, (), fences_of(content))).at(position)
    return HEADING_SEPARATOR.join(dict.fromkeys(filter(None, (title, *_join_paths(path, inner)))))


def _join_paths(path: Sequence[str], inner: Sequence[str]) -> list[str]:
    if not inner:
        return list(path)
    if inner[0] in path:
        return [*path[: path.index(inner[0])], *inner]
    return [*(path[:1] if len(path) > 1 else ()), *inner]


def explicit_title(title: str, opening: str) -> str:
    """The title, or an empty string if it was derived from the beginning of the text. Without the
    opening of the document, the form of the title decides."""
    if not opening:
        return title if is_title_like(title) else ""
    lines = [line for line in opening[:_OPENING_CHARS].splitlines() if line.strip()]
    source_line = next((line for line in lines[:_OPENING_LINES] if _starts_with(line, title)), None)
    if source_line is None:
        return title
    return title if _is_separate_heading(source_line, title, opening) else ""


def _starts_with(line: str, title: str) -> bool:
    return strip_markup(line).startswith(title.rstrip("…").strip())


def _is_separate_heading(line: str, title: str, opening: str) -> bool:
    """Whether a line has no verb, and is followed by a blank line or a sentence."""
    if _LIST_ITEM.match(line) or not is_title_like(strip_markup(line).rstrip(" :,;")):
        return False
    _, _, below = opening.partition(line)
    following = list(islice(below.splitlines(), 1, 3))
    if not any(next_line.strip() for next_line in following):
        return False
    return not following[0].strip() or _SENTENCE_END.search(following[0]) is not None
