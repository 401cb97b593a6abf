"""Where a text speaks: without code, quotations, tables, headings and what was recalled."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import TypeAlias

from remem.core.language.prose.commands import is_command
from remem.core.language.prose.lines import separate_lines

Span: TypeAlias = tuple[int, int]

# A context as recall packs it: everything behind such a line was remembered, not said anew.
RECALLED = re.compile(
    r"^\[\d{1,3}\] .{1,600} \(\d{4}-\d\d-\d\d(?:, \S+)?\)$"
    r"|^<(?:recalled|memory|memories|context|remem)\b[^>\n]*>"
    r"|^(?:#+ )?(?:recalled|relevant|retrieved) (?:memories|context)\b.*:?$",
    re.MULTILINE | re.IGNORECASE,
)
_FENCE = re.compile(r"^[ \t]*(```|~~~).*?(?:^[ \t]*\1[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
_LINE = re.compile(r"[^\n]+")
_NOT_PROSE = re.compile(
    r"^(?: {4}|\t)|^\s*(?:#|>|\||<|[{}\[\]()]|\$ |>>> |//|/\*|\*/|@|import |from \S+ import|def "
    r"|class |return |const |let |var |function |SELECT |INSERT |\d+[.:]\d+[.:]\d+|\w+://)"
    r"|[{};]\s*$|==|=>|->|::|</"
)
_BULLET = re.compile(r"^\s*(?:[-*•+]|\d{1,2}[.)])\s+(?!\[[ x]\])")
_BEGINS = re.compile(r"^\s*(?:[-*•+]|\d{1,2}[.)])\s|^[A-Z]\w*(?: \w+)?: ")
_PROMPT = re.compile(
    r"\b(?:you are (?:an?|the) (?:\w+ ){0,4}(?:assistant|ai|agent|model|expert|chatbot)"
    r"|your task is to|as an ai|system prompt|respond only (?:with|in)|knowledge cutoff)\b",
    re.IGNORECASE,
)


def prose_of(text: str) -> Iterator[Span]:
    """Stretches of prose; a line of a list is one by itself."""
    if _PROMPT.search(text):
        return
    recalled = RECALLED.search(text)
    end = recalled.start() if recalled else len(text)
    fenced = [found.span() for found in _FENCE.finditer(text, 0, end)]
    separate = separate_lines(text[:end])
    begin: int | None = None
    stop, alone = 0, False
    for line in _LINE.finditer(text, 0, end):
        barred = _is_barred(line[0]) or _inside(line.start(), fenced)
        begins = bool(_BEGINS.match(line[0]))
        blank = text.count("\n", stop, line.start()) > 1
        parted = blank or line.start() in separate
        if begin is not None and (barred or begins or alone or parted):
            yield begin, stop
            begin = None
        if not barred and begin is None:
            bullet = _BULLET.match(line[0])
            begin = line.start() + (bullet.end() if bullet else 0)
        stop, alone = line.end(), begins
    if begin is not None:
        yield begin, stop


def _is_barred(line: str) -> bool:
    bullet = _BULLET.match(line)
    rest = line[bullet.end() :] if bullet else line
    return _NOT_PROSE.search(line) is not None or is_command(rest)


def _inside(place: int, spans: list[Span]) -> bool:
    """Whether a place lies in one of some spans, which stand in the order of the text."""
    last = bisect_right(spans, place, key=lambda span: span[0]) - 1
    return last >= 0 and place < spans[last][1]
