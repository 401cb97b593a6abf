"""What is kept beside a statement that was saved as it is: its dates, its kind, when it is due."""

from dataclasses import dataclass
from datetime import datetime

from remem.core.judgements import MemoryDate
from remem.core.language.times.heading import heading_day
from remem.core.language.times.tense import looks_ahead
from remem.core.memories.model import MemoryDraft
from remem.core.memories.rules.classify import category_of
from remem.core.memories.rules.dates import due_of, read_times
from remem.core.time import now


@dataclass(frozen=True, slots=True)
class Description:
    """`category` is what the rules say; what the caller gave counts more."""

    said_at: datetime | None
    dates: tuple[MemoryDate, ...]
    due_at: datetime | None
    category: str


def as_given(draft: MemoryDraft) -> Description:
    """By what the caller gave, and nothing else."""
    category = draft.category or "fact"
    return Description(draft.said_at, draft.dates or (), draft.due_at, category)


def describe(draft: MemoryDraft, content: str) -> Description:
    """Dates are counted from the moment the statement was said, from the day in its heading, or
    from when it was saved. Where its dates are given, so is what follows from them."""
    if draft.dates is not None:
        return as_given(draft)
    saved_at = draft.created_at or now()
    said_at = draft.said_at or heading_day(content, saved_at) or saved_at
    times = read_times(content, said_at)
    certain = times.certain()
    due_at = draft.due_at or due_of(content, certain, said_at)
    past = any(time.first <= said_at for time in certain) and looks_ahead(content) is False
    category = draft.category or category_of(content, due=due_at is not None, past=past)
    return Description(said_at, times.dates(), due_at, category)
