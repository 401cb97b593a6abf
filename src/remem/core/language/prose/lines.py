"""Tell separate lines of a text from lines that were only wrapped."""

import re
from collections.abc import Iterator
from itertools import pairwise

from remem.core.language.vocabulary import FUNCTION

_LINE = re.compile(r"[^\n]+")
_BLOCK = re.compile(r"\n[ \t]*\n")
_ENDS = re.compile(r"[.!?…]['\"”’)]?\s*$")
# After such a word, or a comma or hyphen, a sentence continues.
_CONTINUES = re.compile(
    r"(?:[,;(–—-]|\b(?:a|an|the|of|in|on|at|to|for|from|with|by|and|or|but|is|are|was|were|be|my|our"
    r"|his|her|their|your|as|that|than|into|about|like|mr|mrs|dr|not|near|called|named))\s*$",
    re.IGNORECASE,
)
# Words that are capitalised only at the beginning of a sentence.
_SENTENCE_STARTERS = FUNCTION - {"may", "will", "i", "i'm", "i've", "i'll", "i'd"}
# Running text is not wrapped at less than this width; a PDF fills this share of its lines.
_MIN_WIDTH, _FILLED_SHARE = 50, 0.8
# Of a text that was wrapped, more than this share of the lines are full.
_NARROW_WIDTH, _WRAPPED_SHARE = 30, 0.5


def separate_lines(text: str) -> set[int]:
    """The offsets of lines that do not continue the sentence of the previous line."""
    return {offset for block in _blocks(text) for offset in _separate_in_block(block)}


def _blocks(text: str) -> Iterator[list[re.Match[str]]]:
    start = 0
    for end in [*(match.start() for match in _BLOCK.finditer(text)), len(text)]:
        yield list(_LINE.finditer(text, start, end))
        start = end


def _separate_in_block(block: list[re.Match[str]]) -> Iterator[int]:
    lines = [line[0].strip() for line in block]
    width = max(map(len, lines), default=0)
    is_running_text = width >= _MIN_WIDTH and any(_ENDS.search(line) for line in lines)
    is_wrapped = _is_wrapped(lines, width)
    for at in range(1, len(block)):
        line, next_line = lines[at - 1], lines[at]
        if not is_wrapped or (width < _MIN_WIDTH and not next_line[:1].islower()):
            if not (next_line[:1].islower() and _CONTINUES.search(line)):
                yield block[at].start()
            continue
        if not next_line[:1].isupper() or _ENDS.search(line) or _CONTINUES.search(line):
            continue
        word = next_line.split(" ", 1)[0]
        fits = len(line) + 1 + len(word) <= _FILLED_SHARE * width
        if not is_running_text or fits or _is_value(line) or word.lower() in _SENTENCE_STARTERS:
            yield block[at].start()


def _is_wrapped(lines: list[str], width: int) -> bool:
    """Whether the lines of a block may be one text that was wrapped, and not typed one by one: it
    begins with a capital, and either all other lines go on in lower case to a full stop, or most
    lines are full."""
    first_letter = next((char for char in lines[0] if char.isalpha()), "") if lines else ""
    if not first_letter.isupper():
        return False
    if _ENDS.search(lines[-1]) and all(line[:1].islower() for line in lines[1:]):
        return True
    if width < _NARROW_WIDTH:
        return False
    full = sum(
        len(line) + 1 + len(next_line.split(" ", 1)[0]) > _FILLED_SHARE * width
        for line, next_line in pairwise(lines)
    )
    return full > _WRAPPED_SHARE * (len(lines) - 1)


def _is_value(line: str) -> bool:
    """Whether a line is a label with a value: "Serial number 4471-AX-208"."""
    last = line.rsplit(" ", 1)[-1]
    return any(map(str.isdigit, last)) and any(map(str.isalpha, last))
