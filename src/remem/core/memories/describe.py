"""Derive the dates, category and due date of a new memory from its text."""

from dataclasses import dataclass, replace
from datetime import datetime

from remem.core.judgements import Fact, MemoryDate
from remem.core.language.times.heading import heading_day
from remem.core.language.times.tense import looks_ahead
from remem.core.memories.model import DERIVE, DISTIL, MemoryDraft
from remem.core.memories.rules.classify import category_of
from remem.core.memories.rules.dates import TextTimes, due_of, read_times
from remem.core.memories.rules.derive import due_facts
from remem.core.memories.rules.expiry import valid_until_of
from remem.core.time import now


@dataclass(frozen=True, slots=True)
class Description:
    """What is stored besides the text. Values that the caller sent take precedence."""

    said_at: datetime | None
    dates: tuple[MemoryDate, ...]
    due_at: datetime | None
    category: str
    valid_until: datetime | None = None
    # The facts of a text that is due at several times.
    due_facts: tuple[Fact, ...] = ()


def describe_as_given(draft: MemoryDraft) -> Description:
    """The description with the caller's values only; used when the analysis is stopped."""
    category = draft.category or "fact"
    dates = draft.dates or ()
    return Description(draft.said_at, dates, draft.due_at, category, draft.valid_until)


def describe(draft: MemoryDraft, content: str) -> Description:
    """Describe a statement. Relative dates are resolved from the moment it was said, else from the
    day in its heading, else from when it was saved. Nothing is derived if the caller sent dates."""
    if draft.dates is not None:
        return replace(
            describe_as_given(draft),
            valid_until=_valid_until(draft, content, draft.said_at),
            due_facts=_due_facts(draft, read_times(content, draft.said_at), draft.due_at),
        )
    saved_at = draft.created_at or now()
    said_at = draft.said_at or heading_day(content, saved_at) or saved_at
    times = read_times(content, said_at)
    certain = times.certain()
    due_at = draft.due_at or due_of(content, certain, said_at)
    is_past = any(time.first <= said_at for time in certain) and looks_ahead(content) is False
    category = draft.category or category_of(content, due=due_at is not None, past=is_past)
    valid_until = _valid_until(draft, content, said_at)
    parts = _due_facts(draft, times, due_at)
    return Description(said_at, times.dates(), due_at, category, valid_until, parts)


def _due_facts(draft: MemoryDraft, times: TextTimes, due_at: datetime | None) -> tuple[Fact, ...]:
    """None where the caller says when it is due; what was distilled is read again."""
    is_given = draft.due_at is not None and draft.source != DISTIL
    return () if is_given or draft.source == DERIVE else due_facts(times, due_at)


def _valid_until(draft: MemoryDraft, content: str, said_at: datetime | None) -> datetime | None:
    """The end that the caller sent, or else that the statement names."""
    end = draft.valid_until or valid_until_of(content, said_at)
    is_before = end and draft.valid_from and end <= draft.valid_from
    return draft.valid_until if is_before else end
