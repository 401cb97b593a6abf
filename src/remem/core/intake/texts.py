"""Render talks and bookmarks as text, and make any value storable in the database."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from remem.core.chunking.model import Joint, Mark
from remem.core.items import Item, ItemTurn
from remem.core.ports import Extracted
from remem.core.text import clean

# Some 2,500 printed pages; a longer talk is cut there.
TALK_CHARS = 5_000_000
_SURROGATES = range(0xD800, 0xE000)


def render_talk(turns: Sequence[ItemTurn]) -> Extracted:
    """The text of a talk, with a mark for the speaker and time of each turn."""
    parts: list[str] = []
    marks: list[Mark] = []
    offset = 0
    for turn in turns:
        part = f"{turn.speaker}: {clean(turn.text)}"
        if offset + len(part) > TALK_CHARS:
            return Extracted(
                "\n\n".join(parts), "text", tuple(marks), cut=_cut_notice(turns, marks)
            )
        said_at_s = turn.at.timestamp() if turn.at else None
        marks.append(Mark(Joint.TURN, offset, turn.speaker, said_at_s))
        parts.append(part)
        offset += len(part) + 2
    return Extracted("\n\n".join(parts), "text", tuple(marks))


def _cut_notice(turns: Sequence[ItemTurn], marks: Sequence[Mark]) -> str:
    return f"the first {len(marks):,} of {len(turns):,} turns ({TALK_CHARS:,} characters)"


def render_bookmark(item: Item) -> str:
    """The page as Markdown: title, URL, text, highlights and note, as far as they are known."""
    quotes = ["\n".join(f"> {line}" for line in quote.splitlines()) for quote in item.quotes]
    parts = [f"# {item.title}" if item.title else "", item.url or "", item.content, *quotes]
    return "\n\n".join(part for part in [*parts, item.note] if part)


def to_storable(value: Any) -> Any:
    """The value without what the database cannot store; datetimes become text."""
    if isinstance(value, str):
        text = value.replace("\x00", "")
        return "".join("\ufffd" if ord(char) in _SURROGATES else char for char in text)
    if isinstance(value, Mapping):
        return {to_storable(str(key)): to_storable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [to_storable(item) for item in value]
    if isinstance(value, datetime):
        return value.isoformat()
    return value if value == value else None
