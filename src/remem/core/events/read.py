"""Read the audit trail: all of a tenant's, or what was done to some things."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from remem.core.db import Tx
from remem.core.errors import NotFound
from remem.core.events import store
from remem.core.events.model import Event, EventChoice
from remem.core.ports import Ports
from remem.core.scope import Scope

OF_SUBJECTS_LIMIT = 500
_KEY = "key:"


@dataclass(frozen=True, slots=True)
class EventNames:
    """What the subjects of events are called, and the keys among their actors by prefix."""

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
    """The newest first."""
    async with ports.db.transaction(scope) as tx:
        place = before[1] if before else None
        found = await store.page(tx, scope, choice, place, limit + 1)
        names = await _names_of(tx, scope, found[:limit])
    if choice.names_subject_alone and not found and not before:
        # Nothing is made or changed without an event, so this was never here.
        raise NotFound("event of", choice.subject_id)
    last = found[limit - 1] if len(found) > limit else None
    return EventPage(found[:limit], (last.created_at, last.id) if last else None, names)


async def _names_of(tx: Tx, scope: Scope, events: Sequence[Event]) -> EventNames:
    prefixes = {one.actor.removeprefix(_KEY) for one in events if one.actor.startswith(_KEY)}
    subjects = await store.subject_names(tx, scope, [one.subject_id for one in events])
    return EventNames(subjects, await store.key_names(tx, scope, sorted(prefixes)))


async def events_of(tx: Tx, scope: Scope, subject_ids: Sequence[UUID]) -> list[Event]:
    """What was done to these, oldest first; the newest when there is too much of it."""
    return await store.of_subjects(tx, scope, subject_ids, OF_SUBJECTS_LIMIT)
