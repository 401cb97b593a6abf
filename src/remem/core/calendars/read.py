"""What a calendar program reads: everything that is due, and was due lately."""

from datetime import UTC, date, datetime, timedelta

from remem.core.binding import bind
from remem.core.calendars import calendar_store
from remem.core.calendars.model import CalendarEvent
from remem.core.errors import NotFound, RateLimited
from remem.core.identity.secrets import digest
from remem.core.identity.suspension import require_active
from remem.core.memories.browse import upcoming
from remem.core.memories.model import DueSpan, Memory
from remem.core.ports import Ports
from remem.core.scope import Bound, Right, Scope
from remem.core.time import now
from remem.core.transaction import Row

PAST = timedelta(days=90)
EVENTS_LIMIT = 2_000
# Programs read every quarter of an hour at most.
READS_PER_MINUTE = 20
# Per address; a secret has 256 bits.
MISSES_PER_MINUTE = 30
WINDOW_S = 60
_DAY = timedelta(days=1)
_SECOND = timedelta(seconds=1)


async def read_calendar(ports: Ports, secret: str, address: str) -> tuple[str, list[CalendarEvent]]:
    """The name and the events of the calendar with this secret; `address` is that of the reader."""
    found = await _find(ports, secret)
    if found is None:
        await _count(ports, f"calendar:from:{digest(f'address:{address}')}", MISSES_PER_MINUTE)
        raise unknown_calendar()
    row, scope = found
    await _count(ports, f"calendar:{row['id']}", READS_PER_MINUTE)
    await require_active(ports, scope)
    span = DueSpan(since=now() - PAST)
    memories = await upcoming(ports, scope, row["project_id"], EVENTS_LIMIT, span)
    return row["name"], [event_of(memory) for memory in memories]


async def _find(ports: Ports, secret: str) -> tuple[Row, Scope] | None:
    """The calendar, and its owner as a caller who may only read."""
    bound = Bound(secret=digest(secret))
    async with ports.db.transaction(bound) as tx:
        row = await calendar_store.find_by_secret(tx, bound)
        if row is None:
            return None
        scope = Scope(
            row["tenant_id"], row["user_id"], frozenset({Right.READ}), f"calendar:{row['id']}"
        )
        await bind(tx, scope.bound)
        own = tx.acting_for(scope)
        if not await calendar_store.is_member(own):
            return None
        await calendar_store.note_read(own, row["id"], now())
    return row, scope


async def _count(ports: Ports, counter: str, limit: int) -> None:
    allowance = await ports.rate.hit(counter, limit, WINDOW_S)
    if not allowance.allowed:
        raise RateLimited(limit, allowance.reset_s)


def unknown_calendar() -> NotFound:
    return NotFound("calendar", hint="it may have been revoked; make another one under Settings")


def event_of(memory: Memory) -> CalendarEvent:
    assert memory.due_at is not None
    return CalendarEvent(
        id=memory.id,
        root_id=memory.root_id,
        version=memory.version,
        content=memory.content,
        project_ref=memory.project_ref,
        due=due_day(memory) or memory.due_at,
        created_at=memory.created_at,
        updated_at=memory.updated_at,
    )


def due_day(memory: Memory) -> date | None:
    """The day on which it is due, if no time is known. Such a memory is due in the last second of
    the day, where it was written: its dates say when that day ends."""
    due = memory.due_at
    if due is None:
        return None
    ends = [_moment(item.get("end")) for item in memory.dates if item.get("certain")]
    if any(end and end - _SECOND == due for end in ends):
        # Its end is a midnight, at most twelve hours from the one of UTC.
        return (due + _SECOND - _DAY / 2).astimezone(UTC).date()
    utc = due.astimezone(UTC)
    return utc.date() if (utc + _SECOND).time() == datetime.min.time() else None


def _moment(text: object) -> datetime | None:
    return datetime.fromisoformat(text) if isinstance(text, str) else None
