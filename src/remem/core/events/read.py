"""Read the audit trail of a tenant, or of some items."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from remem.core.errors import NotFound
from remem.core.events import event_store
from remem.core.events.model import Event, EventChoice
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.transaction import Tx

OF_SUBJECTS_LIMIT = 500
_KEY = "key:"


@dataclass(frozen=True, slots=True)
class EventNames:
    """The names of the subjects of events, and of the keys among their actors, by prefix."""

    subjects: Mapping[UUID, str] = field(default_factory=dict)
    keys: Mapping[str, str] = field(default_factory=dict)

    def of_actor(self, actor: str) -> str | None:
        return self.keys.get(actor.removeprefix(_KEY))


NO_NAMES = EventNames()


@dataclass(frozen=True, slots=True)
class EventPage:
    events: list[Event]
    next: tuple[datetime, UUID] | None
    names: EventNames


async def list_events(
    ports: Ports,
    scope: Scope,
    choice: EventChoice,
    before: tuple[datetime, UUID] | None,
    limit: int,
) -> EventPage:
    """A page of events, newest first."""
    async with ports.db.transaction(scope) as tx:
        before_id = before[1] if before else None
        events = await event_store.page(tx, choice, before_id, limit + 1)
        names = await _names_of(tx, events[:limit])
    if choice.is_one_subject and not events and not before:
        # Nothing is created or changed without an event, so this item never existed.
        raise NotFound("event of", choice.subject_id)
    last = events[limit - 1] if len(events) > limit else None
    return EventPage(events[:limit], (last.created_at, last.id) if last else None, names)


async def _names_of(tx: Tx, events: Sequence[Event]) -> EventNames:
    prefixes = {event.actor.removeprefix(_KEY) for event in events if event.actor.startswith(_KEY)}
    subjects = await event_store.subject_names(tx, [event.subject_id for event in events])
    return EventNames(subjects, await event_store.key_names(tx, sorted(prefixes)))


async def events_of(tx: Tx, subject_ids: Sequence[UUID]) -> list[Event]:
    """The latest events of these subjects, oldest first."""
    return await event_store.of_subjects(tx, subject_ids, OF_SUBJECTS_LIMIT)
