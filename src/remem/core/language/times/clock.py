"""The time of day next to a day: "tomorrow at 9", "3pm on Friday"."""

import re
from dataclasses import dataclass
from datetime import time

from remem.core.language.numbers import number_words

# A bare hour below this is in the afternoon: nobody meets at three at night.
_FIRST_HOUR = 7
_HOURS = number_words(12, smallest=1)
_TIME = (
    r"(?:(?P<hour>\d{1,2})(?:[:.](?P<minute>\d\d))?(?: ?(?P<half>[ap]\.?m\b\.?))?"
    rf"|(?P<word>{'|'.join(_HOURS)})(?: (?P<past>fifteen|thirty|forty-five))?(?: o['’]clock)?"
    r"|(?P<named>noon|midday|midnight))"
)
_MINUTE_WORDS = {"fifteen": 15, "thirty": 30, "forty-five": 45}
_AFTER = re.compile(rf",? (?:at|@|around|from) {_TIME}(?![\w%]|[.:]\d)", re.IGNORECASE)
# Without a preposition, only a number with minutes or "pm" is a time.
_AFTER_BARE = re.compile(
    r",? (?=\d{1,2}(?::\d\d(?!\d)| ?[ap]\.?m\b)|noon\b|midday\b|midnight\b)"
    rf"{_TIME}(?![\w%]|[.:]\d)",
    re.IGNORECASE,
)
_BEFORE = re.compile(rf"(?<![\w.:]){'(?:at |@ ?)?'}{_TIME},? $", re.IGNORECASE)
# The longest time before a day.
_LOOKBACK_CHARS = len("at twelve forty-five o'clock, ")


@dataclass(frozen=True, slots=True)
class Clock:
    """The time of day, and the range of the text that contains both the day and the time."""

    at: time
    start: int
    end: int


def clock_beside(text: str, start: int, end: int) -> Clock | None:
    """The time of day directly after a day, or directly before it."""
    if after := _AFTER.match(text, end) or _AFTER_BARE.match(text, end):
        at = _read(after, sure=True)
        return Clock(at, start, after.end()) if at else None
    if before := _BEFORE.search(text[max(0, start - _LOOKBACK_CHARS) : start]):
        at = _read(before, sure=before[0].lower().startswith(("at", "@")))
        begin = max(0, start - _LOOKBACK_CHARS) + before.start()
        return Clock(at, begin, end) if at else None
    return None


def _read(match: re.Match[str], *, sure: bool) -> time | None:
    """Parse a time. A bare number is one only with `sure`, after a word such as "at"."""
    if named := (match["named"] or "").lower():
        return time(0 if named == "midnight" else 12)
    hour, minute = _hour_and_minute(match)
    half = (match["half"] or "").lower()
    if not (half or match["minute"] or sure) or minute > 59:
        return None
    if half:
        return time(hour % 12 + 12 * half.startswith("p"), minute) if 1 <= hour <= 12 else None
    if hour < _FIRST_HOUR and not match["minute"] and hour:
        hour += 12
    return time(hour, minute) if hour < 24 else None


def _hour_and_minute(match: re.Match[str]) -> tuple[int, int]:
    if word := (match["word"] or "").lower():
        return _HOURS.index(word) + 1, _MINUTE_WORDS.get((match["past"] or "").lower(), 0)
    return int(match["hour"]), int(match["minute"] or 0)
