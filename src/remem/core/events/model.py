"""The data classes of the audit trail."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID


@dataclass(frozen=True, slots=True)
class Event:
    """One line: what was done to what, by whom, in which request.

    The `actor` of an imported event is who imported it; `claimed_actor` is who did it according to
    the file, which nobody has verified."""

    id: UUID
    subject_kind: str
    subject_id: UUID
    type: str
    data: dict[str, Any]
    actor: str
    request_id: str | None
    created_at: datetime
    claimed_actor: str | None = None

    @property
    def is_imported(self) -> bool:
        return self.claimed_actor is not None


@dataclass(frozen=True, slots=True)
class EventChoice:
    """Which events to read: what was done (`type`) to what, by whom, and when. An actor is a full
    name (`key:mc_…`) or a kind (`key`, `user`, `grant`)."""

    subject_id: UUID | None = None
    type: str | None = None
    kind: str | None = None
    actor: str | None = None
    since: datetime | None = None
    until: datetime | None = None

    @property
    def is_one_subject(self) -> bool:
        return self.subject_id is not None and self == EventChoice(self.subject_id)
