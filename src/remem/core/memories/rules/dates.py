"""What the dates in a statement mean: its `dates`, its `due_at` and its `occurred_at`.

"Call the bank by Friday", said on Monday 1 June, has one date (5 June) and is due that day. The
text of the statement is not changed."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from remem.core.judgements import MemoryDate
from remem.core.language.times.duties import duties_of
from remem.core.language.times.noted import noted_times
from remem.core.language.times.statements import StatedTime, times_in
from remem.core.language.times.tense import looks_ahead, notes_event

# An arbitrary day, to recognise the expressions of time when the real one is unknown.
_ANY_DAY = datetime.fromisoformat("2024-06-12T12:00:00+00:00")
# Something yearly belongs to no single year.
_YEARLY = re.compile(r"\b(?:birthday|anniversary|every|each|yearly|annual(?:ly)?|born)\b", re.I)


@dataclass(frozen=True, slots=True)
class TextTimes:
    """The times that a text names from left to right; computed once for all questions."""

    text: str
    said_at: datetime | None
    stated: Sequence[StatedTime]

    def dates(self) -> tuple[MemoryDate, ...]:
        """Every date. Without `said_at`, a relative date has no certain day."""
        yearly = _YEARLY.search(self.text) is not None
        times = [time for time in self.stated if not (yearly and time.relative)]
        known = self.said_at is not None
        return tuple(_date(time, known=known or not time.relative) for time in times)

    def certain(self) -> list[StatedTime]:
        """The times that are certain enough to set `due_at` and `occurred_at`."""
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
    stated = times_in(text, said_at or _ANY_DAY)
    noted = noted_times(text, said_at) if said_at else []
    return TextTimes(text, said_at, _with_noted(stated, noted))


def _with_noted(stated: Sequence[StatedTime], noted: Sequence[StatedTime]) -> list[StatedTime]:
    """Where both name a time, the one that explains more words."""
    kept = [time for time in noted if not any(_explains_more(known, time) for known in stated)]
    rest = [known for known in stated if not any(_overlap(time, known) for time in kept)]
    return sorted([*kept, *rest], key=lambda time: time.start)


def _explains_more(known: StatedTime, noted: StatedTime) -> bool:
    """Not of figures alone, which may be a note in another language: "Zahnarzt 30.3.2027"."""
    is_figures = not any(map(str.isalpha, noted.words))
    more = _size(known) - _size(noted)
    return _overlap(noted, known) and (more > 0 if is_figures else more >= 0)


def _overlap(first: StatedTime, second: StatedTime) -> bool:
    return first.start < second.end and second.start < first.end


def _size(time: StatedTime) -> int:
    return time.end - time.start


def dates_in(text: str, said_at: datetime | None) -> tuple[MemoryDate, ...]:
    return read_times(text, said_at).dates()


def certain_times(text: str, said_at: datetime | None) -> list[StatedTime]:
    return read_times(text, said_at).certain()


def due_of(text: str, times: Sequence[StatedTime], said_at: datetime | None) -> datetime | None:
    """When the speaker has to do something: the first deadline, or else the first day, that is
    after `said_at`."""
    dues = due_times(text, times, said_at)
    deadlines = [time.due for time in dues if time.limit]
    return next(iter(deadlines or [time.due for time in dues]), None)


def due_in(text: str, said_at: datetime) -> datetime | None:
    """`due_of` for a text whose times are not read yet."""
    return due_of(text, certain_times(text, said_at), said_at)


def due_times(text: str, times: Sequence[StatedTime], said_at: datetime | None) -> list[StatedTime]:
    """Every time by which the speaker has something to do. Beside a deadline ("by Friday"), a
    plain day ("on Friday") counts too."""
    if said_at is None:
        return []
    ahead = [time for time in times if time.due > said_at]
    duties = duties_of(text) if ahead else None
    times = [
        time
        for time in ahead
        if time.is_noted or (duties and duties.has(time.start, month=time.grain == "month"))
    ]
    if not times:
        return []
    has_deadline = any(time.limit for time in times)
    all_ahead = has_deadline or bool(looks_ahead(text)) or notes_event(text)
    return [
        time for time in times if time.limit or (time.first > said_at and (time.ahead or all_ahead))
    ]


def occurred_at(times: Sequence[StatedTime], said_at: datetime | None) -> datetime | None:
    """When something happened: the first time that has begun by `said_at`. A month or year must
    be over, which "this year" is not."""
    ended = [
        time for time in times if time.grain not in ("month", "year") or _is_over(time, said_at)
    ]
    past = [time.first for time in ended if said_at is None or time.first <= said_at]
    return past[0] if past else None


def _is_over(time: StatedTime, said_at: datetime | None) -> bool:
    return said_at is None or time.last <= said_at


def _date(time: StatedTime, *, known: bool) -> MemoryDate:
    if not known:
        return MemoryDate(time.words, None, None, certain=False)
    return MemoryDate(time.words, time.first, time.last, time.certain)
