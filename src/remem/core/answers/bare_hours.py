"""Hours without minutes: "closes at 9"; pure."""

import re

from remem.core.answers.sentences import SentenceSpan
from remem.core.language.times.calendar import MONTHS, WEEKDAYS
from remem.core.language.tokens import STOP_WORDS

_BARE_HOUR = re.compile(
    r"\b(?:at|by|until|till|after|before|around)\s(?P<hour>[01]?\d|2[0-4])"
    r"(?![\w%°]|[.:,/-]\d|\s?[€$£%°])(?:\s(?P<next>\w+))?",
    re.IGNORECASE,
)
_AFTER_HOUR = STOP_WORDS | frozenset(WEEKDAYS) | frozenset(MONTHS) | {"sharp", "daily"}


def is_bare_hour(text: str, sentence: SentenceSpan, start: int, end: int) -> bool:
    """Whether a place is an hour of the day: after "at" and the like, and before no noun that
    it counts, as in "at 7 bar"."""
    return any(
        match.start() < end
        and start < match.end("hour")
        and (not match["next"] or _is_after_hour(match["next"]))
        for match in _BARE_HOUR.finditer(text, *sentence)
    )


def _is_after_hour(word: str) -> bool:
    return word.lower() in _AFTER_HOUR or word.lower().removesuffix("s") in _AFTER_HOUR
