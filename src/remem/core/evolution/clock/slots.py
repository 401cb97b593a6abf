"""When scheduled work is due, in UTC. Pure."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta


@dataclass(frozen=True, slots=True)
class Schedule:
    """An interval that divides a day, counted from a time of the day."""

    name: str
    every: timedelta
    at: timedelta = timedelta()


HOURLY = Schedule("hourly", timedelta(hours=1))
DAILY = Schedule("daily", timedelta(days=1), timedelta(hours=9))
BACKUP = Schedule("backup", timedelta(days=1), timedelta(hours=2))
_EPOCH = datetime(2020, 1, 1, tzinfo=UTC)


def last_slot(schedule: Schedule, moment: datetime) -> datetime:
    """The last time it was due, at or before a moment. After a downtime it is due once, however
    many times were missed."""
    begin = _EPOCH + schedule.at
    return begin + (moment - begin) // schedule.every * schedule.every


def next_slot(schedule: Schedule, moment: datetime) -> datetime:
    return last_slot(schedule, moment) + schedule.every
