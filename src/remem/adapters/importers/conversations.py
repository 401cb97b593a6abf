"""Read the conversation files that assistants export."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from remem.adapters.importers.bundle import Bundle, open_bundle
from remem.adapters.importers.stream import values
from remem.core.errors import Unreadable

# Large exports are split: conversations-000.json, conversations-001.json, …
_NAME = re.compile(r"(?:^|/)conversations(?:[-_.]?\d+)?\.json$", re.IGNORECASE)
# Fields that are lists, whose elements the stream yields one by one.
_LIST_FIELDS = frozenset({"chat_messages"})
# How many conversations are checked for a field, because the first one may be empty.
_SAMPLE_SIZE = 5


def conversation_files(bundle: Bundle) -> list[str]:
    return [name for name in bundle.names if not bundle.is_archive or _NAME.search(name)]


def has_field(path: Path, field: str) -> bool:
    """Whether the conversations of a file have a field that identifies their product."""
    try:
        with open_bundle(path) as bundle:
            for name in conversation_files(bundle)[:1]:
                if bundle.head(name).lstrip(b"\xef\xbb\xbf \t\r\n")[:1] not in (b"[", b"{"):
                    return False
                with bundle.open(name) as file:
                    sample = (
                        talk
                        for talk, _ in zip(
                            _partial_conversations(values(file)), range(_SAMPLE_SIZE), strict=False
                        )
                    )
                    return any(field in talk for talk in sample)
    except Unreadable:
        pass
    return False


def read_conversations(path: Path, field: str) -> Iterator[dict[str, Any]]:
    """Yield each conversation of each file, in order."""
    with open_bundle(path) as bundle:
        names = conversation_files(bundle)
        if not names:
            raise Unreadable("There is no conversations.json in it; choose another file.")
        for name in names:
            with bundle.open(name) as file:
                yield from _complete_conversations(values(file), field)


def _partial_conversations(pairs: Iterator[tuple[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield the conversations of a list; a single conversation as one mapping per field."""
    for key, value in pairs:
        if key == "" or key == "conversations":
            if isinstance(value, dict):
                yield value
        else:
            yield {key: value}


def _complete_conversations(
    pairs: Iterator[tuple[str, Any]], field: str
) -> Iterator[dict[str, Any]]:
    """Yield complete conversations; a single one is assembled from its fields."""
    single: dict[str, Any] = {}
    for key, value in pairs:
        if key in ("", "conversations"):
            if isinstance(value, dict):
                yield value
        elif key == field and not isinstance(value, dict | list):
            continue
        elif key == field and field in _LIST_FIELDS:
            single.setdefault(key, []).append(value)
        else:
            single[key] = value
    if field in single:
        yield single
