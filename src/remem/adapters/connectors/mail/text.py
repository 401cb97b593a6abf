"""Reduce a message to its own text, without quotes and repeated earlier messages. Pure."""

import re
from collections.abc import Sequence

# Most lines of a signature, which mail programs introduce with two dashes and a space.
SIGNATURE_LINES = 20
# Shorter repetitions are not treated as a quote.
REPEATED_LINES, REPEATED_CHARS = 2, 20
# Most lines of the sentence that introduces a quote; mail programs may wrap it.
INTRODUCTION_LINES = 3
_RULE = re.compile(r"[\s>|]*[-_=*]{5,}[^a-z]{0,80}[-_=*]*\s*|[\s>|]*[-_=*]{3,}.{1,60}[-_=*]{3,}\s*")
_FIELD = re.compile(r"[\s>|*]*+[^\W\d_][^:\n]{0,30}:[*_]*+\s.*")


class Conversation:
    """Takes messages one after the other, and remembers the lines of each."""

    def __init__(self) -> None:
        self._known: set[int] = set()

    def own_text(self, text: str) -> str:
        lines = text.replace("\r\n", "\n").replace("\r", "\n").rstrip().split("\n")
        earlier, self._known = (
            self._known,
            self._known | {hash(_normalize_line(line)) for line in lines},
        )
        own_lines = without_signature(_without_repeats(without_quotes(lines), earlier))
        return "\n".join(own_lines).strip()


def _normalize_line(line: str) -> str:
    """Normalize a line, so that a quoted, wrapped or indented copy equals the original."""
    return " ".join(line.lstrip("> \t|").split())


def _without_repeats(lines: list[str], known: set[int]) -> list[str]:
    """Remove quoted lines of earlier messages, and trailing lines that repeat earlier messages:
    programs that quote without a marker put the quote at the end."""
    remaining = [
        line
        for line in lines
        if not (line.startswith(">") and hash(_normalize_line(line)) in known)
    ]
    end, repeated, chars = len(remaining), 0, 0
    while end and (
        not _normalize_line(remaining[end - 1])
        or hash(_normalize_line(remaining[end - 1])) in known
    ):
        words = _normalize_line(remaining[end - 1])
        repeated, chars = repeated + bool(words), chars + len(words)
        end -= 1
    if repeated < REPEATED_LINES or chars < REPEATED_CHARS:
        return remaining or lines
    return _without_introduction(remaining, end) or remaining


def _without_introduction(lines: Sequence[str], end: int) -> list[str]:
    """Return the lines up to `end`, without those that introduce a quote: a block of fields, a
    rule, or a sentence that ends with a colon."""
    while end and not lines[end - 1].strip():
        end -= 1
    last = end
    while end and (_FIELD.fullmatch(lines[end - 1]) or _RULE.fullmatch(lines[end - 1])):
        end -= 1
    is_block = last - end > 1 or (last > end and bool(_RULE.fullmatch(lines[end])))
    return list(lines[: end if is_block else _sentence_start(lines, last)])


def _sentence_start(lines: Sequence[str], end: int) -> int:
    """Find the start of a sentence that says who wrote the quote; `end` if there is none."""
    if not end or not lines[end - 1].rstrip().endswith((":", "：")):
        return end
    start = end - 1
    while start and lines[start - 1].strip() and end - start < INTRODUCTION_LINES:
        start -= 1
    sentence = " ".join(lines[start:end])
    is_paragraph_start = not start or not lines[start - 1].strip()
    has_date_or_address = "@" in sentence or any(char.isdigit() for char in sentence)
    return start if is_paragraph_start and has_date_or_address else end - 1


def without_quotes(lines: Sequence[str]) -> list[str]:
    """Remove the quoted message at the end and its introduction."""
    end = len(lines)
    while end and (lines[end - 1].startswith(">") or not lines[end - 1].strip()):
        end -= 1
    is_quoted = any(line.startswith(">") for line in lines[end:])
    return (_without_introduction(lines, end) if is_quoted else []) or list(lines)


def without_signature(lines: Sequence[str]) -> list[str]:
    for index in range(max(len(lines) - SIGNATURE_LINES - 1, 1), len(lines)):
        if lines[index].rstrip("\n") in ("-- ", "--"):
            return list(lines[:index])
    return list(lines)
