"""Whether a text says that a plan was cancelled, in several languages; pure."""

import re
from collections.abc import Iterator

from remem.core.language.lists import table
from remem.core.language.phrase_lists import is_unspaced, split_phrases

_TABLE = table("cancelled", "any")
_SAID = {phrase for words in _TABLE.values() for phrase in split_phrases(words["said"])}
_MARKS = _SAID | {phrase for words in _TABLE.values() for phrase in split_phrases(words["marked"])}
_SAID_WORDS = {phrase for phrase in _SAID if " " not in phrase and not is_unspaced(phrase)}
_SAID_PHRASES = tuple(_SAID - _SAID_WORDS)
_WORD = re.compile(r"[^\W\d_]+")
_BRACKETS = re.compile(r"[(\[{（［【〔]([^()\[\]{}（）［］【】〔〕\n]{2,40})[)\]}）］】〕]")
_LABEL = re.compile(r"^[ \t>*#-]{0,6}([^\W\d_][^:：!–—\n]{1,39})[:：!–—]", re.MULTILINE)
_AFTER_DASH = re.compile(r"[ \t][–—-][ \t]([^.!;,\n–—-]{2,40})")
_IS_CANCELLED = re.compile(
    r"\b(?:is|are|was|were|been|got|being|['’]s)\s(?:(?:now|already|just|all)\s)?"
    r"(?:cancell?ed|called off|scrapped)\b",
    re.IGNORECASE,
)
_ENDING_CHARS = 2
_STEMS = (
    "cancel",
    "scrap",
    *(word[:-_ENDING_CHARS] for word in _SAID_WORDS if len(word) > 3 * _ENDING_CHARS),
)


def cancellations_in(text: str) -> Iterator[int]:
    """Where the text says it; "cancelled" in an English clause is not among these."""
    yield from _marks_in(text)
    lowered = text.lower()
    yield from (word.start() for word in _WORD.finditer(lowered) if word[0] in _SAID_WORDS)
    yield from (at for phrase in _SAID_PHRASES if (at := lowered.find(phrase)) >= 0)


def is_marked_cancelled(text: str) -> bool:
    """Whether it is marked so beside a plan: "Dentist (cancelled) on Friday"."""
    return next(_marks_in(text), None) is not None


def says_cancelled(text: str) -> bool:
    """Whether it says so in any way."""
    return next(cancellations_in(text), None) is not None or bool(_IS_CANCELLED.search(text))


def asks_for_cancelled(question: str) -> bool:
    return any(word.startswith(_STEMS) for word in _WORD.findall(question.lower()))


def _marks_in(text: str) -> Iterator[int]:
    for pattern in (_BRACKETS, _LABEL, _AFTER_DASH):
        for match in pattern.finditer(text):
            if match[1].strip(" \t!*_~").lower() in _MARKS:
                yield match.start(1)
