"""Which lines of a text stand by themselves, and which only go on because a line was full."""

import re
from collections.abc import Iterator

from remem.core.language.vocabulary import FUNCTION

_LINE = re.compile(r"[^\n]+")
_BLOCK = re.compile(r"\n[ \t]*\n")
_ENDS = re.compile(r"[.!?…]['\"”’)]?\s*$")
# Behind such a word, or a comma or hyphen, a sentence goes on.
_GOES_ON = re.compile(
    r"(?:[,;(–—-]|\b(?:a|an|the|of|in|on|at|to|for|from|with|by|and|or|but|is|are|was|were|be|my|our"
    r"|his|her|their|your|as|that|than|into|about|like|mr|mrs|dr|not|near|called|named))\s*$",
    re.IGNORECASE,
)
# Words that have a capital only where a sentence begins.
_OPENS = FUNCTION - {"may", "will", "i", "i'm", "i've", "i'll", "i'd"}
# Nobody breaks running text at less, and a PDF fills its lines by so much.
_WIDTH_LEAST, _FILLED = 50, 0.8


def separate_lines(text: str) -> set[int]:
    """The places where lines begin that do not go on with the sentence of the line before."""
    return {place for block in _blocks(text) for place in _separate(block)}


def _blocks(text: str) -> Iterator[list[re.Match[str]]]:
    start = 0
    for end in [*(found.start() for found in _BLOCK.finditer(text)), len(text)]:
        yield list(_LINE.finditer(text, start, end))
        start = end


def _separate(block: list[re.Match[str]]) -> Iterator[int]:
    lines = [line[0].strip() for line in block]
    width = max(map(len, lines), default=0)
    running = width >= _WIDTH_LEAST and any(_ENDS.search(line) for line in lines)
    for at in range(1, len(block)):
        line, after = lines[at - 1], lines[at]
        if not after[:1].isupper() or _ENDS.search(line) or _GOES_ON.search(line):
            continue
        word = after.split(" ", 1)[0]
        fits = len(line) + 1 + len(word) <= _FILLED * width
        if not running or fits or _is_value(line) or word.lower() in _OPENS:
            yield block[at].start()


def _is_value(line: str) -> bool:
    """ "Serial number 4471-AX-208": a label and what it says."""
    last = line.rsplit(" ", 1)[-1]
    return any(map(str.isdigit, last)) and any(map(str.isalpha, last))
