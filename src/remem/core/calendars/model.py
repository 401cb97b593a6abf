"""The values of calendars."""

from dataclasses import dataclass, field
from datetime import date, datetime
from uuid import UUID

CALENDARS_LIMIT = 20
NAME_LIMIT = 100


@dataclass(frozen=True, slots=True)
class Calendar:
    """`project_ref` is None for one of all projects."""

    id: UUID
    name: str
    project_ref: str | None
    expires_at: datetime | None
    last_read_at: datetime | None
    created_at: datetime


@dataclass(frozen=True, slots=True)
class NewCalendar:
    """`secret` is the end of its address; it is shown only once."""

    calendar: Calendar
    secret: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class CalendarEvent:
    """Something that is due: at a moment, or some time on a day."""

    id: UUID
    root_id: UUID
    version: int
    content: str
    project_ref: str
    due: datetime | date
    created_at: datetime
    updated_at: datetime
