"""What the dates in a statement mean, kept beside it: the statement itself is left as it is."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from remem.core.judgements import MemoryDate
from remem.core.language.times.duties import duties_of
from remem.core.language.times.statements import StatedTime, times_in
from remem.core.language.times.tense import looks_ahead, notes_event

# Any day will do to see which expressions of time there are.
_ANY_DAY = datetime.fromisoformat("2024-06-12T12:00:00+00:00")
# What comes back every year has no one year.
_YEARLY = re.compile(r"\b(?:birthday|anniversary|every|each|yearly|annual(?:ly)?|born)\b", re.I)


@dataclass(frozen=True, slots=True)
class TextTimes:
    """The times that a text names, read once, from left to right."""

    text: str
    said_at: datetime | None
    stated: Sequence[StatedTime]

    def dates(self) -> tuple[MemoryDate, ...]:
        """Without a moment of saying, a relative date means no certain day."""
        yearly = _YEARLY.search(self.text) is not None
        times = [time for time in self.stated if not (yearly and time.relative)]
        known = self.said_at is not None
        return tuple(_date(time, known=known or not time.relative) for time in times)

    def certain(self) -> list[StatedTime]:
        """The times that may be claimed: when it is due, when it happened."""
        if not self.stated:
            return []
        unknown = self.said_at is None or _YEARLY.search(self.text) is not None
        nearest = self.said_at if self.said_at and notes_event(self.text) else None
        return [
            time
            for time in self.stated
            if (time.certain or (nearest and time.first > nearest))
            and not (time.relative and unknown)
        ]


def read_times(text: str, said_at: datetime | None) -> TextTimes:
    return TextTimes(text, said_at, times_in(text, said_at or _ANY_DAY))


def dates_in(text: str, said_at: datetime | None) -> tuple[MemoryDate, ...]:
    return read_times(text, said_at).dates()


def certain_times(text: str, said_at: datetime | None) -> list[StatedTime]:
    return read_times(text, said_at).certain()


def due_of(text: str, times: Sequence[StatedTime], said_at: datetime | None) -> datetime | None:
    """The day by which the speaker has something to do: one ahead of the day it was said on."""
    dues = dues_of(text, times, said_at)
    limits = [time.due for time in dues if time.limit]
    return next(iter(limits or [time.due for time in dues]), None)


def due_day(text: str, said_at: datetime) -> datetime | None:
    """The same of a text by itself."""
    return due_of(text, certain_times(text, said_at), said_at)


def dues_of(text: str, times: Sequence[StatedTime], said_at: datetime | None) -> list[StatedTime]:
    """Every day by which the speaker has something to do. Beside a day by which, a day on which
    is one too."""
    if said_at is None:
        return []
    ahead = [time for time in times if time.due > said_at]
    duties = duties_of(text) if ahead else None
    times = [one for one in ahead if duties and duties.has(one.start, month=one.grain == "month")]
    if not times:
        return []
    limited = any(time.limit for time in times)
    all_ahead = limited or bool(looks_ahead(text)) or notes_event(text)
    return [
        time for time in times if time.limit or (time.first > said_at and (time.ahead or all_ahead))
    ]


def occurred_at(times: Sequence[StatedTime], said_at: datetime | None) -> datetime | None:
    """When it happened, where a certain date says so; "this year" is not over."""
    over = [time for time in times if time.grain not in ("month", "year") or _ends(time, said_at)]
    past = [time.first for time in over if said_at is None or time.first <= said_at]
    return past[0] if past else None


def _ends(time: StatedTime, said_at: datetime | None) -> bool:
    return said_at is None or time.last <= said_at


def _date(time: StatedTime, *, known: bool) -> MemoryDate:
    if not known:
        return MemoryDate(time.words, None, None, certain=False)
    return MemoryDate(time.words, time.first, time.last, time.certain)
