"""Which heading a place in a document stands under, as a person wrote it; pure."""

import re
from collections.abc import Sequence
from itertools import islice

from remem.core.chunking.headings import HeadingPaths, fences_of, headings_of
from remem.core.documents.model import Chunk
from remem.core.enrich.reading import plain
from remem.core.language.headings import is_title_like

_JOINT = " / "
_OPENING_LINES, _OPENING_CHARS = 3, 2_000
_LISTED = re.compile(r"\s*(?:[-*+•>|]|\d+[.)]\s)|[^\n]*:\s+\S")
_SENTENCE_END = re.compile(r"[.!?][\"'”’)]?\s*\Z")


class DocumentHeadings:
    """Of every place in a document. What is said in a talk stands under none."""

    def __init__(self, title: str, chunks: Sequence[Chunk]) -> None:
        self._title, self._chunks = title, chunks

    def at(self, position: int) -> str:
        chunk = next(
            (one for one in self._chunks if one.start_offset <= position < one.end_offset), None
        )
        if chunk is None or chunk.speaker:
            return ""
        title = written_title(self._title, chunk.content if chunk.chunk_index == 0 else "")
        place = position - chunk.start_offset
        return heading_above(chunk.content, place, title, chunk.heading_path)


def heading_above(content: str, position: int, title: str, path: Sequence[str]) -> str:
    """`path` is of the place where the content begins."""
    inner = HeadingPaths(headings_of(content, (), fences_of(content))).at(position)
    return _JOINT.join(dict.fromkeys(filter(None, (title, *_joined(path, inner)))))


def _joined(path: Sequence[str], inner: Sequence[str]) -> list[str]:
    if not inner:
        return list(path)
    if inner[0] in path:
        return [*path[: path.index(inner[0])], *inner]
    return [*(path[:1] if len(path) > 1 else ()), *inner]


def written_title(title: str, opening: str) -> str:
    """The title, unless it was made out of what the text says first. Without the opening of the
    document its form tells."""
    if not opening:
        return title if is_title_like(title) else ""
    lines = [line for line in opening[:_OPENING_CHARS].splitlines() if line.strip()]
    made_of = next((line for line in lines[:_OPENING_LINES] if _begins(line, title)), None)
    if made_of is None:
        return title
    return title if _stands_alone(made_of, title, opening) else ""


def _begins(line: str, title: str) -> bool:
    return plain(line).startswith(title.rstrip("…").strip())


def _stands_alone(line: str, title: str, opening: str) -> bool:
    """A line without a verb, above others that are sentences or set off from it."""
    if _LISTED.match(line) or not is_title_like(plain(line).rstrip(" :,;")):
        return False
    _, _, below = opening.partition(line)
    following = list(islice(below.splitlines(), 1, 3))
    if not any(one.strip() for one in following):
        return False
    return not following[0].strip() or _SENTENCE_END.search(following[0]) is not None
