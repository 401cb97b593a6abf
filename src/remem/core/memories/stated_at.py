"""When something was said, which decides which of two statements is newer. Pure."""

from datetime import UTC, datetime, timedelta

_DAY = timedelta(days=1)


def stated_at(said_at: datetime | None, saved_at: datetime, position: int = 0) -> datetime:
    """`said_at` if it is known and not later than `saved_at`, else `saved_at`.

    A day without a time of day gets that of `saved_at`, so that of two statements of one day the
    one saved later is newer. `position` orders the statements of one text."""
    moment = saved_at if said_at is None else min(_with_time_of_day(said_at, saved_at), saved_at)
    return moment + timedelta(microseconds=position)


def _with_time_of_day(said_at: datetime, saved_at: datetime) -> datetime:
    if said_at != _midnight(said_at):
        return said_at
    return said_at + (saved_at - _midnight(saved_at)) % _DAY


def _midnight(moment: datetime) -> datetime:
    return moment.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
