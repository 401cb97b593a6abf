"""Find the prose of a text: without code, quotations, tables, headings and recalled context."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import TypeAlias

from remem.core.language.prose.commands import is_command
from remem.core.language.prose.lines import separate_lines

Span: TypeAlias = tuple[int, int]

# A context as recall packs it: everything after such a line was recalled and is not new.
RECALLED = re.compile(
    r"^\[\d{1,3}\] .{1,600} \(\d{4}-\d\d-\d\d(?:, \S+)?\)$"
    r"|^<(?:recalled|memory|memories|context|remem)\b[^>\n]*>"
    r"|^(?:#+ )?(?:recalled|relevant|retrieved) (?:memories|context)\b.*:?$",
    re.MULTILINE | re.IGNORECASE,
)
_FENCE = re.compile(r"^[ \t]*(```|~~~).*?(?:^[ \t]*\1[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
_LINE = re.compile(r"[^\n]+")
_NOT_PROSE = re.compile(
    r"^(?: {4}|\t)(?!\s*(?:[-*•+]|\d{1,2}[.)])\s)"
    r"|^\s*(?:#(?!\d)|>|\||<|[{}\])]|\[(?! ?[xX]?\])|\((?!\w)|\$ |>>> |//|/\*|\*/|@(?!\s)"
    r"|import [\w.{*]+(?: (?:as|from)\b|;|$)|from \S+ import|def \w+\(|class \w+[:({]"
    r"|return\b[^.]*[;(\]}]\s*$|return \S+$"
    r"|(?:const|let|var) [\w{\[, }\]]+=|function \w*\(|SELECT |INSERT "
    r"|\d+:\d+[.:]\d+|(?!\d{1,2}\.\d{1,2}\.(?:\d\d){1,2}(?![\d.:]))\d+\.\d+[.:]\d+|\w+://)"
    r"|^[^=]*+=.*;\s*$|[{}]\s*$|\);\s*$|==|=>|\S->|->\S{0,80}:$|::|</"
)
_BULLET = re.compile(r"^\s*(?:[-*•+]|\d{1,2}[.)])\s+(?!\[[ x]\])")
_STARTS_SPAN = re.compile(r"^\s*(?:[-*•+]|\d{1,2}[.)])\s|^[A-Z]\w*(?: \w+)?: ")
_PROMPT = re.compile(
    r"\b(?:you are (?:an?|the) (?:\w+ ){0,4}(?:assistant|ai|agent|model|expert|chatbot)"
    r"|your task is to|as an ai|system prompt|respond only (?:with|in)|knowledge cutoff)\b",
    re.IGNORECASE,
)


def prose_spans(text: str) -> Iterator[Span]:
    """The spans of prose; each line of a list is a span of its own."""
    if _PROMPT.search(text):
        return
    recalled = RECALLED.search(text)
    end = recalled.start() if recalled else len(text)
    fenced = [match.span() for match in _FENCE.finditer(text, 0, end)]
    separate_offsets = separate_lines(text[:end])
    begin: int | None = None
    stop, is_list_line = 0, False
    for line in _LINE.finditer(text, 0, end):
        is_excluded = _is_not_prose(line[0]) or _inside(line.start(), fenced)
        starts_span = bool(_STARTS_SPAN.match(line[0]))
        after_blank_line = text.count("\n", stop, line.start()) > 1
        is_separate = after_blank_line or line.start() in separate_offsets
        if begin is not None and (is_excluded or starts_span or is_list_line or is_separate):
            yield begin, stop
            begin = None
        if not is_excluded and begin is None:
            bullet = _BULLET.match(line[0])
            begin = line.start() + (bullet.end() if bullet else 0)
        stop, is_list_line = line.end(), starts_span
    if begin is not None:
        yield begin, stop


def _is_not_prose(line: str) -> bool:
    bullet = _BULLET.match(line)
    rest = line[bullet.end() :] if bullet else line
    return _NOT_PROSE.search(line) is not None or is_command(rest)


def _inside(offset: int, spans: list[Span]) -> bool:
    """Whether an offset is inside one of the spans, which are in text order."""
    last = bisect_right(spans, offset, key=lambda span: span[0]) - 1
    return last >= 0 and offset < spans[last][1]
