"""What a message says itself: without what it quotes, and what earlier ones said already. Pure."""

import re
from collections.abc import Sequence

# Below the mark of a signature, which mail programs write as two dashes and a space.
SIGNATURE_LINES = 20
# Fewer words than these are said twice without being a quote.
REPEATED_LINES, REPEATED_CHARS = 2, 20
# A line that introduces a quote, which mail programs break once or twice.
INTRODUCTION_LINES = 3
_RULE = re.compile(r"[\s>|]*[-_=*]{5,}[^a-z]{0,80}[-_=*]*\s*|[\s>|]*[-_=*]{3,}.{1,60}[-_=*]{3,}\s*")
_FIELD = re.compile(r"[\s>|*]*+[^\W\d_][^:\n]{0,30}:[*_]*+\s.*")


class Conversation:
    """Takes its messages one after the other, and remembers the lines of each."""

    def __init__(self) -> None:
        self._known: set[int] = set()

    def take(self, text: str) -> str:
        lines = text.replace("\r\n", "\n").replace("\r", "\n").rstrip().split("\n")
        known, self._known = self._known, self._known | {hash(_words(one)) for one in lines}
        own = without_signature(_without_repeats(without_quotes(lines), known))
        return "\n".join(own).strip()


def _words(line: str) -> str:
    """As it was before it was quoted, and broken or indented on the way."""
    return " ".join(line.lstrip("> \t|").split())


def _without_repeats(lines: list[str], known: set[int]) -> list[str]:
    """Without quoted lines that stand in an earlier message, and without an end that consists of
    such lines: programs that quote without a sign put what they quote there."""
    kept = [one for one in lines if not (one.startswith(">") and hash(_words(one)) in known)]
    end, repeated, chars = len(kept), 0, 0
    while end and (not _words(kept[end - 1]) or hash(_words(kept[end - 1])) in known):
        words = _words(kept[end - 1])
        repeated, chars = repeated + bool(words), chars + len(words)
        end -= 1
    if repeated < REPEATED_LINES or chars < REPEATED_CHARS:
        return kept or lines
    return _without_introduction(kept, end) or kept


def _without_introduction(lines: Sequence[str], end: int) -> list[str]:
    """Without the lines before `end` that say whose message follows: a block of fields, a rule, or
    a sentence that ends with a colon."""
    while end and not lines[end - 1].strip():
        end -= 1
    before = end
    while end and (_FIELD.fullmatch(lines[end - 1]) or _RULE.fullmatch(lines[end - 1])):
        end -= 1
    is_block = before - end > 1 or (before > end and bool(_RULE.fullmatch(lines[end])))
    return list(lines[: end if is_block else _sentence_start(lines, before)])


def _sentence_start(lines: Sequence[str], end: int) -> int:
    """Where a sentence begins that says who wrote what follows; `end` where there is none."""
    if not end or not lines[end - 1].rstrip().endswith((":", "：")):
        return end
    start = end - 1
    while start and lines[start - 1].strip() and end - start < INTRODUCTION_LINES:
        start -= 1
    sentence = " ".join(lines[start:end])
    is_whole = not start or not lines[start - 1].strip()
    says_when = "@" in sentence or any(char.isdigit() for char in sentence)
    return start if is_whole and says_when else end - 1


def without_quotes(lines: Sequence[str]) -> list[str]:
    """Without the quoted message at the end, and what introduces it."""
    end = len(lines)
    while end and (lines[end - 1].startswith(">") or not lines[end - 1].strip()):
        end -= 1
    is_quoted = any(line.startswith(">") for line in lines[end:])
    return (_without_introduction(lines, end) if is_quoted else []) or list(lines)


def without_signature(lines: Sequence[str]) -> list[str]:
    for at in range(max(len(lines) - SIGNATURE_LINES - 1, 1), len(lines)):
        if lines[at].rstrip("\n") in ("-- ", "--"):
            return list(lines[:at])
    return list(lines)
