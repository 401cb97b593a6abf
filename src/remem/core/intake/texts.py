"""What is kept of a talk or a bookmark as text, and what of anything the database can keep."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from remem.core.chunking.model import Joint, Mark
from remem.core.items import Item, Said
from remem.core.ports import Extracted
from remem.core.text import clean

# Some 2,500 printed pages; a longer talk is kept up to there.
TALK_CHARS = 5_000_000
_SURROGATES = range(0xD800, 0xE000)


def talk(turns: Sequence[Said]) -> Extracted:
    """Turn by turn, each with who says it and when."""
    parts: list[str] = []
    marks: list[Mark] = []
    at = 0
    for turn in turns:
        part = f"{turn.speaker}: {clean(turn.text)}"
        if at + len(part) > TALK_CHARS:
            return Extracted("\n\n".join(parts), "text", tuple(marks), cut=_cut(turns, marks))
        said_at_s = turn.at.timestamp() if turn.at else None
        marks.append(Mark(Joint.TURN, at, turn.speaker, said_at_s))
        parts.append(part)
        at += len(part) + 2
    return Extracted("\n\n".join(parts), "text", tuple(marks))


def _cut(turns: Sequence[Said], marks: Sequence[Mark]) -> str:
    return f"the first {len(marks):,} of {len(turns):,} turns ({TALK_CHARS:,} characters)"


def bookmark(item: Item) -> str:
    """The page as far as it is known: its name and address, its text, what was marked and noted."""
    quotes = ["\n".join(f"> {line}" for line in one.splitlines()) for one in item.quotes]
    parts = [f"# {item.title}" if item.title else "", item.url or "", item.content, *quotes]
    return "\n\n".join(part for part in [*parts, item.note] if part)


def storable(value: Any) -> Any:
    """Without what the database cannot keep; moments as text."""
    if isinstance(value, str):
        kept = value.replace("\x00", "")
        return "".join("\ufffd" if ord(char) in _SURROGATES else char for char in kept)
    if isinstance(value, Mapping):
        return {storable(str(key)): storable(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [storable(one) for one in value]
    if isinstance(value, datetime):
        return value.isoformat()
    return value if value == value else None
