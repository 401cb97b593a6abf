"""When the morning page is due in a time zone, and when a failed attempt is repeated. Pure."""

import re
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from remem.core.errors import Invalid

_CLOCK = re.compile(r"([01]\d|2[0-3]):([0-5]\d)")
_DAY = timedelta(days=1)
# The waits after failed attempts; when they are used up, the message has failed.
WAITS = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 15, 60, 180))


def read_minute(at: str) -> int:
    """The minute of the day of a time such as 07:30."""
    match = _CLOCK.fullmatch(at)
    if match is None:
        raise Invalid("at", "is not a time of day; send one such as 07:30")
    return int(match[1]) * 60 + int(match[2])


def read_zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise Invalid("time_zone", "is not known; send a name such as Europe/Berlin") from error


def next_time(minute: int, zone: ZoneInfo, after: datetime) -> datetime:
    """The next moment after `after` at which it is this time there. A time that is left out when
    clocks go forward is an hour later; of one that happens twice it is the first."""
    day = after.astimezone(zone).date()
    moments = (_moment(day + days * _DAY, minute, zone) for days in range(-1, 3))
    return next(moment for moment in moments if moment > after)


def day_there(moment: datetime, zone: ZoneInfo) -> date:
    return moment.astimezone(zone).date()


def day_start(day: date, zone: ZoneInfo) -> datetime:
    return _moment(day, 0, zone)


def _moment(day: date, minute: int, zone: ZoneInfo) -> datetime:
    clock = time(minute // 60, minute % 60)
    return datetime.combine(day, clock, zone).astimezone(UTC)


def next_try(attempts: int, retry_after_s: float | None, moment: datetime) -> datetime | None:
    """When to try again after so many attempts; None: no more. A longer wait that the receiver asks
    for counts, up to the longest of ours."""
    if attempts > len(WAITS):
        return None
    asked = timedelta(seconds=min(retry_after_s or 0, WAITS[-1].total_seconds()))
    return moment + max(WAITS[attempts - 1], asked)
