"""The values that an update carries over from the memory it replaces: all that were not sent."""

import re
from collections.abc import Collection
from typing import Any

from remem.core.events.read import events_of
from remem.core.memories.evidence import inheritable_tags
from remem.core.memories.model import BEFORE, DERIVE, DISTIL, HEADING, Memory, MemoryDraft
from remem.core.memories.rules.dates import dates_in
from remem.core.time import now
from remem.core.transaction import Tx

CARRIED_FIELDS = ("title", "category", "tags", "context", "confidence", "due_at")
_WORD = re.compile(r"\w+")


def fields_given_in(draft: MemoryDraft) -> list[str]:
    """The carried fields that the draft sets itself."""
    return [name for name in CARRIED_FIELDS if getattr(draft, name) not in (None, "", [], {})]


async def fields_given_for(tx: Tx, memory: Memory) -> set[str]:
    """The fields that were set when a memory was saved or edited; all of them if that was not
    recorded."""
    events = [event for event in await events_of(tx, [memory.id]) if event.type in _EVENT_TYPES]
    is_recorded = any("given" in event.data for event in events)
    given = [event.data.get("given", []) + event.data.get("fields", []) for event in events]
    return {name for names in given for name in names} if is_recorded else set(CARRIED_FIELDS)


_EVENT_TYPES = ("create", "update")


async def carried_values(
    tx: Tx, old: Memory, content: str, given: Collection[str]
) -> dict[str, Any]:
    """The values that `old` passes on to the statement that replaces it, except those in `given`.

    Values from a document are not passed on: they must be gone when the document is erased."""
    values = {
        "title": old.title if not _title_mentions_removed_word(old, content) else None,
        "category": old.category,
        "tags": await inheritable_tags(tx, old),
        "context": _inheritable_context(old),
        "confidence": None if old.source in (DISTIL, DERIVE) else old.confidence,
        "due_at": old.due_at if old.due_at and not dates_in(content, now()) else None,
    }
    return {name: value for name, value in values.items() if value and name not in given}


def _inheritable_context(old: Memory) -> dict[str, Any]:
    # The review state of an inferred memory does not apply to the one that replaces it.
    excluded = {"review", BEFORE, HEADING} if old.source == DISTIL else {"review"}
    return {name: value for name, value in old.context.items() if name not in excluded}


def _title_mentions_removed_word(old: Memory, content: str) -> bool:
    """Whether the title has a word of the old content that the new content lacks."""
    title, before, after = (
        {word.casefold() for word in _WORD.findall(text)}
        for text in (old.title or "", old.content, content)
    )
    return bool(title & (before - after))
