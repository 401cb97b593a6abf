"""Finds what only frames the pages of a document: running heads and feet, and page numbers.

What is dropped by mistake is lost, and what is left by mistake does little harm. So a line goes
only when it is set apart from the text at the same place of page after page, and is either the
same each time, of which the first is kept, or differs by nothing but the number of its page."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from remem.adapters.extractors.layout import Line

PAGES_MIN = 3
PAGES_SHARE = 0.3
# How far a line may be from its usual place, in points.
PLACE_TOLERANCE = 6.0
# The white between a running head and the text, in line heights.
APART = 0.6
# More cells than a head has parts (left, middle, right) are a row of a table.
CELLS_MAX = 3

_MONTHS = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mär|mai|okt|dez|janv|févr|avr|juin|juil"
_AMOUNT = re.compile(
    r"[$€£¥₹%]|\d[.,]\d|\d[ '’]\d{3}|\b(?:usd|eur|gbp|chf|jpy|total|balance|sum|subtotal|carried|"
    r"brought|saldo|summe|übertrag)\b",
    re.I,
)
_DATE = re.compile(
    rf"\d{{1,4}}[./-]\d{{1,2}}[./-]\d{{1,4}}|\d{{1,2}}\.?\s?(?:{_MONTHS})|(?:{_MONTHS})[a-zé]{{0,9}}\.?\s?\d{{1,2}}\b"
    r"|\d{1,2}:\d{2}",
    re.I,
)
_NUMBER = re.compile(r"\d+")
_PAGE_WORD = r"(?<!\w)(?:page|pages|seite|página|pagina|p\.|pg\.?|s\.|blatt|sheet|slide|folie)"
# A number of a page: alone, after a word for it, before the count of all, or parted from the rest.
_NUMBERED = re.compile(
    rf"^[^\w#]*+#[^\w#]*+$|{_PAGE_WORD}\s?#|#\s?(?:/|of|von|de|sur)\s?\d|^#\s?[|·•–—/]"
    r"|[|·•–—/]\s?#$",
    re.I,
)
_ROMAN = re.compile(r"[ivxlc]{1,7}")
_ROMAN_DIGITS = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}


@dataclass(frozen=True, slots=True)
class Edge:
    """A line at the top or the bottom of a page, apart from its text."""

    page: int
    at_top: bool
    line: Line


def without_running_heads(pages: list[list[Line]]) -> list[list[Line]]:
    groups: dict[tuple[bool, str], list[Edge]] = defaultdict(list)
    for number, lines in enumerate(pages):
        for edge in _edges(number, lines):
            groups[edge.at_top, _template(edge.line.text)].append(edge)
    dropped = {
        id(edge.line) for group in groups.values() for edge in _frames(_in_place(group), len(pages))
    }
    # A page that would be left empty is not all frame.
    return [[line for line in lines if id(line) not in dropped] or lines for lines in pages]


def _edges(page: int, lines: list[Line]) -> Iterator[Edge]:
    """From the top and from the bottom, up to two lines that white parts from the text."""
    down = sorted(lines, key=lambda line: -line.top)
    for at_top, ordered in ((True, down), (False, down[::-1])):
        depth = _depth(ordered)
        for line in ordered[:depth]:
            yield Edge(page, at_top, line)


def _depth(ordered: Sequence[Line]) -> int:
    """How many of the first lines, one or two, come before the first white; none where that would
    be half of the page."""
    for depth in (1, 2):
        if len(ordered) > 2 * depth and _gap(ordered[depth - 1], ordered[depth]) > APART * max(
            ordered[depth - 1].size, ordered[depth].size
        ):
            return depth
    return 0


def _gap(one: Line, other: Line) -> float:
    return max(one.bottom - other.top, other.bottom - one.top)


def _template(text: str) -> str:
    """The line with # for each number; a line that is a Roman number alone is one too."""
    folded = " ".join(text.casefold().split())
    bare = folded.strip(" -–—.()[]")
    return folded.replace(bare, "#") if _ROMAN.fullmatch(bare) else _NUMBER.sub("#", folded)


def _in_place(group: Sequence[Edge]) -> list[Edge]:
    usual = median(edge.line.bottom for edge in group)
    return [edge for edge in group if abs(edge.line.bottom - usual) <= PLACE_TOLERANCE]


def _frames(group: Sequence[Edge], pages: int) -> Iterable[Edge]:
    if len(group) < max(PAGES_MIN, PAGES_SHARE * pages):
        return []
    texts = {" ".join(edge.line.text.casefold().split()) for edge in group}
    if len(texts) == 1:
        # The first is kept: it may be the only place that names an account or an author.
        return [] if _is_data(group[0].line, texts.pop()) else group[1:]
    return _with_page_numbers(group)


def _with_page_numbers(group: Sequence[Edge]) -> list[Edge]:
    """Those whose only other number counts as the pages do."""
    numbers = [_numbers(edge.line.text) for edge in group]
    varying = [place for place in range(len(numbers[0])) if len({n[place] for n in numbers}) > 1]
    if len(varying) != 1:
        return []
    place = varying[0]
    by_offset: dict[int, list[Edge]] = defaultdict(list)
    for edge, found in zip(group, numbers, strict=True):
        by_offset[found[place] - edge.page].append(edge)
    counted = max(by_offset.values(), key=len)
    text = _without_number(counted[0].line.text, place)
    if len(counted) < PAGES_MIN or not _NUMBERED.search(text) or _is_data(counted[0].line, text):
        return []
    return counted


def _numbers(text: str) -> list[int]:
    bare = text.casefold().strip(" -–—.()[]")
    if _ROMAN.fullmatch(bare):
        return [_roman(bare)]
    return [int(number[:9]) for number in _NUMBER.findall(text)]


def _roman(text: str) -> int:
    values = [_ROMAN_DIGITS[letter] for letter in text]
    following = [*values[1:], 0]
    return sum(-one if one < after else one for one, after in zip(values, following, strict=True))


def _without_number(text: str, place: int) -> str:
    """The line with # in the place of one number, and one space for many."""
    if not _NUMBER.search(text):
        return "#"
    text = " ".join(text.split())
    found = list(_NUMBER.finditer(text))[place]
    return f"{text[: found.start()]}#{text[found.end() :]}"


def _is_data(line: Line, text: str) -> bool:
    """Whether it may be a row of a table, or has an amount or a date."""
    return line.cells > CELLS_MAX or bool(_AMOUNT.search(text) or _DATE.search(text))
