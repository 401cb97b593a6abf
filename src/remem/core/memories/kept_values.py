"""What an update keeps of the memory it replaces: every value that was not sent."""

import re
from collections.abc import Collection
from typing import Any

from remem.core.db import Tx
from remem.core.events.read import events_of
from remem.core.language.times.statements import times_in
from remem.core.memories.evidence import tags_to_give
from remem.core.memories.model import BEFORE, DERIVE, DISTIL, HEADING, Memory, MemoryDraft
from remem.core.scope import Scope
from remem.core.time import now

KEPT = ("title", "category", "tags", "context", "confidence", "due_at")
_WORD = re.compile(r"\w+")


def given_in(draft: MemoryDraft) -> list[str]:
    """The names of what a draft gives itself."""
    return [name for name in KEPT if getattr(draft, name) not in (None, "", [], {})]


async def given_for(tx: Tx, scope: Scope, memory: Memory) -> set[str]:
    """What was given for a memory when it was saved, or changed since; all of it where that was
    not noted."""
    events = [one for one in await events_of(tx, scope, [memory.id]) if one.type in _TELLING]
    noted = any("given" in one.data for one in events)
    given = [one.data.get("given", []) + one.data.get("fields", []) for one in events]
    return {name for names in given for name in names} if noted else set(KEPT)


_TELLING = ("create", "update")


async def kept_values(
    tx: Tx, scope: Scope, old: Memory, content: str, given: Collection[str]
) -> dict[str, Any]:
    """The values that go on from `old` to the statement that replaces it. What a document gave it
    does not: when the document is erased, that has to be gone."""
    goes_on = {
        "title": old.title if not _names_what_changed(old, content) else None,
        "category": old.category,
        "tags": await tags_to_give(tx, scope, old),
        "context": _context_to_give(old),
        "confidence": None if old.source in (DISTIL, DERIVE) else old.confidence,
        "due_at": old.due_at if old.due_at and not times_in(content, now()) else None,
    }
    return {name: value for name, value in goes_on.items() if value and name not in given}


def _context_to_give(old: Memory) -> dict[str, Any]:
    # That an inferred memory waits for a person's word says nothing of what replaces it.
    kept = {"review", BEFORE, HEADING} if old.source == DISTIL else {"review"}
    return {name: value for name, value in old.context.items() if name not in kept}


def _names_what_changed(old: Memory, content: str) -> bool:
    """Whether a title has a word of the old content that the new one no longer has."""
    title, before, after = (
        {word.casefold() for word in _WORD.findall(text)}
        for text in (old.title or "", old.content, content)
    )
    return bool(title & (before - after))
