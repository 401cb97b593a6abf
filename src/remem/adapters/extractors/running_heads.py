"""Remove running headers and footers, and page numbers, from the pages of a document.

A line removed by mistake is lost, while a line left by mistake does little harm. So a line is
removed only when it is separated from the text at the same position on many pages, and is either
the same each time, of which the first is kept, or differs only in the page number."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from remem.adapters.extractors.layout import Line

PAGES_MIN = 3
PAGES_SHARE = 0.3
# How far a line may be from its usual position, in points.
PLACE_TOLERANCE = 6.0
# The gap between a running header and the text, in line heights.
MIN_GAP = 0.6
# A header has up to three parts (left, middle, right); a row with more cells is a table row.
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
# A page number: alone, after a word for it, before the total, or separated from the rest.
_NUMBERED = re.compile(
    rf"^[^\w#]*+#[^\w#]*+$|{_PAGE_WORD}\s?#|#\s?(?:/|of|von|de|sur)\s?\d|^#\s?[|·•–—/]"
    r"|[|·•–—/]\s?#$",
    re.I,
)
_ROMAN = re.compile(r"[ivxlc]{1,7}")
_ROMAN_DIGITS = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}


@dataclass(frozen=True, slots=True)
class Edge:
    """A line at the top or bottom of a page, separated from its text."""

    page: int
    at_top: bool
    line: Line


# A line that is nothing but a page number with a word for it or a total, in any language.
_LABEL = re.compile(
    r"(?:page|pages|seite|página|pagina|pág\.?|p\.|pg\.?|s\.|blatt|bladzijde|strana|str\.|strona|sida"
    r"|side|sivu|oldal|sayfa|trang|halaman|страница|сторінка|стр\.|σελίδα|صفحة)\s?#"
    r"(?:\s?(?:/|of|von|de|sur|van|di|из|з|av|af|z|/)\s?#)?|#\s?(?:/|of|von|sur|van|из)\s?#"
    r"|[-–—]\s?#\s?[-–—]|第\s?#\s?[页頁](?:\s?[/,，]?\s?共\s?#\s?[页頁])?|#\s?(?:ページ|쪽|페이지|oldal)"
)


def without_running_heads(pages: list[list[Line]]) -> list[list[Line]]:
    groups: dict[tuple[bool, str], list[Edge]] = defaultdict(list)
    for number, lines in enumerate(pages):
        for edge in _edges(number, lines):
            groups[edge.at_top, _template(edge.line.text)].append(edge)
    dropped = {
        id(edge.line)
        for group in groups.values()
        for edge in _repeated_edges(_at_usual_position(group), len(pages))
    } | {id(line) for line in _labels(pages)}
    # A page that would become empty is left unchanged.
    return [[line for line in lines if id(line) not in dropped] or lines for lines in pages]


def _labels(pages: list[list[Line]]) -> Iterator[Line]:
    """Yield the page labels, however few pages there are. A gap separates them from the text, or
    they have a word for the page and count on with the pages."""
    counted: dict[tuple[str, int], list[Line]] = defaultdict(list)
    for number, lines in enumerate(pages):
        ordered = sorted(lines, key=lambda line: -line.top)
        for outer, inner in (ordered[:2], ordered[:-3:-1]) if len(ordered) > 1 else ():
            has_gap = _gap(outer, inner) > MIN_GAP * max(outer.size, inner.size)
            text = _template(outer.text).strip(" |·•[]()")
            is_label = _LABEL.fullmatch(text)
            if is_label and has_gap:
                yield outer
            elif is_label or (text == "#" and has_gap):
                counted[text, _numbers(outer.text)[0] - number].append(outer)
    yield from (line for lines in counted.values() if len(lines) > 1 for line in lines)


def _edges(page: int, lines: list[Line]) -> Iterator[Edge]:
    """Yield up to two lines at the top and at the bottom that a gap separates from the text."""
    from_top = sorted(lines, key=lambda line: -line.top)
    for at_top, ordered in ((True, from_top), (False, from_top[::-1])):
        depth = _depth(ordered)
        for line in ordered[:depth]:
            yield Edge(page, at_top, line)


def _depth(ordered: Sequence[Line]) -> int:
    """Return the number of lines, one or two, before the first gap; 0 if there is no such gap, or
    if they would be half of the page."""
    for depth in (1, 2):
        if len(ordered) > 2 * depth and _gap(ordered[depth - 1], ordered[depth]) > MIN_GAP * max(
            ordered[depth - 1].size, ordered[depth].size
        ):
            return depth
    return 0


def _gap(one: Line, other: Line) -> float:
    return max(one.bottom - other.top, other.bottom - one.top)


def _template(text: str) -> str:
    """Replace each number by #, also a Roman number that is the whole line."""
    folded = " ".join(text.casefold().split())
    bare = folded.strip(" -–—.()[]")
    return folded.replace(bare, "#") if _ROMAN.fullmatch(bare) else _NUMBER.sub("#", folded)


def _at_usual_position(group: Sequence[Edge]) -> list[Edge]:
    usual = median(edge.line.bottom for edge in group)
    return [edge for edge in group if abs(edge.line.bottom - usual) <= PLACE_TOLERANCE]


def _repeated_edges(group: Sequence[Edge], pages: int) -> Iterable[Edge]:
    if len(group) < max(PAGES_MIN, PAGES_SHARE * pages):
        return []
    texts = {" ".join(edge.line.text.casefold().split()) for edge in group}
    if len(texts) == 1:
        # The first is kept, as it may be the only mention of an account or an author.
        return [] if _is_data(group[0].line, texts.pop()) else group[1:]
    return _with_page_numbers(group)


def _with_page_numbers(group: Sequence[Edge]) -> list[Edge]:
    """Return the edges whose only varying number increases with the page."""
    numbers = [_numbers(edge.line.text) for edge in group]
    varying = [
        position
        for position in range(len(numbers[0]))
        if len({values[position] for values in numbers}) > 1
    ]
    if len(varying) != 1:
        return []
    position = varying[0]
    by_offset: dict[int, list[Edge]] = defaultdict(list)
    for edge, line_numbers in zip(group, numbers, strict=True):
        by_offset[line_numbers[position] - edge.page].append(edge)
    numbered = max(by_offset.values(), key=len)
    text = _without_number(numbered[0].line.text, position)
    if len(numbered) < PAGES_MIN or not _NUMBERED.search(text) or _is_data(numbered[0].line, text):
        return []
    return numbered


def _numbers(text: str) -> list[int]:
    bare = text.casefold().strip(" -–—.()[]")
    if _ROMAN.fullmatch(bare):
        return [_roman(bare)]
    return [int(number[:9]) for number in _NUMBER.findall(text)]


def _roman(text: str) -> int:
    values = [_ROMAN_DIGITS[char] for char in text]
    following = [*values[1:], 0]
    return sum(
        -value if value < next_value else value
        for value, next_value in zip(values, following, strict=True)
    )


def _without_number(text: str, position: int) -> str:
    """Replace one number by #, and collapse white space."""
    if not _NUMBER.search(text):
        return "#"
    text = " ".join(text.split())
    match = list(_NUMBER.finditer(text))[position]
    return f"{text[: match.start()]}#{text[match.end() :]}"


def _is_data(line: Line, text: str) -> bool:
    """Whether a line may be a row of a table, or has an amount or a date."""
    return line.cells > CELLS_MAX or bool(_AMOUNT.search(text) or _DATE.search(text))
