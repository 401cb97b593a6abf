"""The headings of a text, and the path of headings above any position."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from remem.core.chunking.front_matter import body_start
from remem.core.chunking.model import Joint, Mark, Span
from remem.core.language.prose.markup import inline, without_closing
from remem.core.text import shorten

HEADING_LIMIT = 200
_FENCE = re.compile(r"^[ \t]{0,12}(`{3,}|~{3,})([^\n]*)$", re.MULTILINE)
_HASHES = re.compile(r"^ {0,3}(#{1,6})(?=[ \t\n]|\Z)", re.MULTILINE)
_UNDERLINE = re.compile(r"^ {0,3}(=+|-{3,})[ \t]*$", re.MULTILINE)
_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()]*\)")
_NOT_TITLE = re.compile(r"\s*(?:[-*+>|#]|\d+[.)]\s|=+\s*$)")
_TITLE_LIMIT = 120


@dataclass(frozen=True, slots=True)
class Heading:
    start: int
    level: int
    text: str


def headings_of(text: str, marks: Sequence[Mark], fences: Sequence[Span]) -> list[Heading]:
    """The headings in the marks, or, without any, those recognised in the text."""
    marked = [
        Heading(mark.start, min(6, max(1, int(mark.number or 1))), _plain(mark.label))
        for mark in sorted(marks, key=lambda mark: mark.start)
        if mark.joint is Joint.HEADING
    ]
    return marked or _headings_in_text(text, fences)


def fences_of(text: str) -> list[Span]:
    """The spans of closed code fences and of the front matter."""
    start = body_start(text)
    spans = [(0, start)] if start else []
    opening: re.Match[str] | None = None
    for fence in _FENCE.finditer(text, start):
        if opening is None:
            opening = fence if "`" not in fence[2] else None
        elif fence[1].startswith(opening[1]) and not fence[2].strip():
            spans.append((opening.start(), fence.end()))
            opening = None
    return spans


class HeadingPaths:
    """Return the headings above a position, outermost first."""

    def __init__(self, headings: Iterable[Heading]) -> None:
        self._starts: list[int] = []
        self._paths: list[tuple[str, ...]] = []
        chain: list[Heading] = []
        for heading in headings:
            chain = [above for above in chain if above.level < heading.level] + [heading]
            self._starts.append(heading.start)
            self._paths.append(tuple(above.text for above in chain if above.text))

    def at(self, position: int) -> tuple[str, ...]:
        index = bisect_right(self._starts, position)
        return self._paths[index - 1] if index else ()


def _headings_in_text(text: str, fences: Sequence[Span]) -> list[Heading]:
    headings = sorted(
        [*_hash_headings(text), *_underlined_headings(text)], key=lambda heading: heading.start
    )
    starts = [start for start, _ in fences]

    def is_fenced(position: int) -> bool:
        index = bisect_right(starts, position)
        return index > 0 and position < fences[index - 1][1]

    return [heading for heading in headings if not is_fenced(heading.start)]


def _hash_headings(text: str) -> Iterator[Heading]:
    for match in _HASHES.finditer(text):
        text_of_line = without_closing(_line(text, match.end()))
        yield Heading(match.start(), len(match[1]), _plain(text_of_line))


def _underlined_headings(text: str) -> Iterator[Heading]:
    for match in _UNDERLINE.finditer(text):
        start = text.rfind("\n", 0, max(0, match.start() - 1)) + 1
        title = text[start : max(start, match.start() - 1)]
        is_separate = start < 2 or text[start - 2] == "\n"
        if (
            is_separate
            and title.strip()
            and len(title) <= _TITLE_LIMIT
            and not _NOT_TITLE.match(title)
        ):
            yield Heading(start, 1 if match[1][0] == "=" else 2, _plain(title))


def _line(text: str, start: int) -> str:
    end = text.find("\n", start)
    return text[start : end if end >= 0 else len(text)]


def _plain(label: str) -> str:
    """The text of a heading without links, emphasis and code marks."""
    label = _LINK.sub(r"\1", label[: 5 * HEADING_LIMIT])
    return shorten(" ".join(inline(label).split()), HEADING_LIMIT)
