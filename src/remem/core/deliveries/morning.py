"""Collect what the morning page says: what is due, what changed, a year ago, one question."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from remem.core.calendars.read import due_day
from remem.core.deliveries.times import day_start, day_there
from remem.core.documents.excerpt import excerpt_of
from remem.core.documents.model import Document, DocumentChoice
from remem.core.documents.read import list_documents
from remem.core.events.model import EventChoice
from remem.core.events.read import list_events
from remem.core.index.kinds import MEMORY
from remem.core.memories.browse import list_memories, read_many, upcoming
from remem.core.memories.contradictions import list_contradictions
from remem.core.memories.model import DueSpan, Memory, MemoryChoice
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.search.replaced import replacements_of

DUE_LIMIT, CHANGED_LIMIT, SAVED_LIMIT = 10, 5, 5
# The same as on the page /today.
_OVERDUE = timedelta(days=7)
_NEAR = timedelta(days=3)
_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Due:
    """`at` is None if no time of that day is known."""

    content: str
    day: date
    at: datetime | None


@dataclass(frozen=True, slots=True)
class Changed:
    before: str
    now: str


@dataclass(frozen=True, slots=True)
class Past:
    title: str
    excerpt: str
    day: date


@dataclass(frozen=True, slots=True)
class MorningQuestion:
    """`older` is None if the question is whether `content` is right; otherwise it is whether
    `content` replaced it."""

    content: str
    older: str | None = None


@dataclass(frozen=True, slots=True)
class MorningPage:
    day: date
    due: tuple[Due, ...]
    changed: tuple[Changed, ...]
    saved: tuple[str, ...]
    past: Past | None
    question: MorningQuestion | None

    @property
    def is_empty(self) -> bool:
        return not (self.due or self.changed or self.saved or self.past or self.question)


async def collect_morning(
    ports: Ports, scope: Scope, zone: ZoneInfo, moment: datetime
) -> MorningPage:
    """What the page /today shows at this moment in this time zone."""
    day = day_there(moment, zone)
    yesterday = day_start(day - _DAY, zone)
    span = DueSpan(day_start(day, zone) - _OVERDUE, day_start(day + _DAY, zone))
    due = await upcoming(ports, scope, None, DUE_LIMIT, span)
    saved = await _documents(ports, scope, DocumentChoice(created_after=yesterday), SAVED_LIMIT)
    past = await _documents(ports, scope, _year_ago(day, zone), 1)
    return MorningPage(
        day=day,
        due=tuple(_due(memory, zone) for memory in due),
        changed=await _changed(ports, scope, yesterday),
        saved=tuple(document.title for document in saved),
        past=_past(past[0], zone) if past else None,
        question=await _question(ports, scope),
    )


def _due(memory: Memory, zone: ZoneInfo) -> Due:
    assert memory.due_at is not None
    day = due_day(memory)
    at = None if day else memory.due_at.astimezone(zone)
    return Due(memory.content, day or memory.due_at.astimezone(zone).date(), at)


async def _documents(
    ports: Ports, scope: Scope, choice: DocumentChoice, limit: int
) -> Sequence[Document]:
    return (await list_documents(ports, scope, choice, None, limit)).documents


def _year_ago(day: date, zone: ZoneInfo) -> DocumentChoice:
    try:
        then = day.replace(year=day.year - 1)
    except ValueError:
        then = date(day.year - 1, 3, 1)
    return DocumentChoice(
        created_after=day_start(then - _NEAR, zone),
        created_before=day_start(then + _NEAR + _DAY, zone),
    )


def _past(document: Document, zone: ZoneInfo) -> Past:
    excerpt = excerpt_of(document.opening, document.content_type)
    return Past(document.title, excerpt, document.created_at.astimezone(zone).date())


async def _changed(ports: Ports, scope: Scope, since: datetime) -> tuple[Changed, ...]:
    choice = EventChoice(kind=MEMORY, type="supersede", since=since)
    events = (await list_events(ports, scope, choice, None, CHANGED_LIMIT)).events
    async with ports.db.transaction(scope) as tx:
        memories = await read_many(tx, [event.subject_id for event in events])
    replaced = await replacements_of(ports, scope, list(memories.values()))
    changes = [
        Changed(memory.content, replaced[id].content)
        for id, memory in memories.items()
        if id in replaced
    ]
    # What was restored is its own successor.
    return tuple(change for change in changes if change.before != change.now)


async def _question(ports: Ports, scope: Scope) -> MorningQuestion | None:
    pairs = await list_contradictions(ports, scope, None, None, 1)
    for pair in pairs.contradictions:
        return MorningQuestion(pair.newer.content, pair.older.content)
    unsure = await list_memories(ports, scope, MemoryChoice(review="unsure"), None, 1)
    return MorningQuestion(unsure.memories[0].content) if unsure.memories else None
