"""The time of day that stands beside a day: "tomorrow at 9", "3pm on Friday"."""

import re
from dataclasses import dataclass
from datetime import time

from remem.core.language.numbers import upto

# A bare hour below this is of the afternoon: nobody meets at three in the night.
_FIRST_HOUR = 7
_HOURS = upto(12, smallest=1)
_TIME = (
    r"(?:(?P<hour>\d{1,2})(?:[:.](?P<minute>\d\d))?(?: ?(?P<half>[ap]\.?m\b\.?))?"
    rf"|(?P<word>{'|'.join(_HOURS)})(?: (?P<past>fifteen|thirty|forty-five))?(?: o['’]clock)?"
    r"|(?P<named>noon|midday|midnight))"
)
_PAST = {"fifteen": 15, "thirty": 30, "forty-five": 45}
_AFTER = re.compile(rf",? (?:at|@|around|from) {_TIME}(?![\w%]|[.:]\d)", re.IGNORECASE)
# Without a word before it, a time is one with minutes or "pm".
_AFTER_BARE = re.compile(
    r",? (?=\d{1,2}(?::\d\d(?!\d)| ?[ap]\.?m\b)|noon\b|midday\b|midnight\b)"
    rf"{_TIME}(?![\w%]|[.:]\d)",
    re.IGNORECASE,
)
_AHEAD = re.compile(rf"(?<![\w.:]){'(?:at |@ ?)?'}{_TIME},? $", re.IGNORECASE)
# As long as a time before a day can be.
_LOOK_BACK = len("at twelve forty-five o'clock, ")


@dataclass(frozen=True, slots=True)
class Clock:
    """What it shows, and the range in which day and time of day are written together."""

    at: time
    start: int
    end: int


def clock_beside(text: str, start: int, end: int) -> Clock | None:
    """The time of day written right after a day, or right before it."""
    if after := _AFTER.match(text, end) or _AFTER_BARE.match(text, end):
        at = _read(after, sure=True)
        return Clock(at, start, after.end()) if at else None
    if ahead := _AHEAD.search(text[max(0, start - _LOOK_BACK) : start]):
        at = _read(ahead, sure=ahead[0].lower().startswith(("at", "@")))
        begin = max(0, start - _LOOK_BACK) + ahead.start()
        return Clock(at, begin, end) if at else None
    return None


def _read(found: re.Match[str], *, sure: bool) -> time | None:
    """A bare number is a time only where a word such as "at" says so."""
    if named := (found["named"] or "").lower():
        return time(0 if named == "midnight" else 12)
    hour, minute = _shown(found)
    half = (found["half"] or "").lower()
    if not (half or found["minute"] or sure) or minute > 59:
        return None
    if half:
        return time(hour % 12 + 12 * half.startswith("p"), minute) if 1 <= hour <= 12 else None
    if hour < _FIRST_HOUR and not found["minute"] and hour:
        hour += 12
    return time(hour, minute) if hour < 24 else None


def _shown(found: re.Match[str]) -> tuple[int, int]:
    if word := (found["word"] or "").lower():
        return _HOURS.index(word) + 1, _PAST.get((found["past"] or "").lower(), 0)
    return int(found["hour"]), int(found["minute"] or 0)
