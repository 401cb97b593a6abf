"""The files that contain conversations, whichever assistant they were had with."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from remem.adapters.importers.bundle import Bundle, opened
from remem.adapters.importers.stream import values
from remem.core.errors import Unreadable

# Large exports come in parts: conversations-000.json, conversations-001.json, …
_NAME = re.compile(r"(?:^|/)conversations(?:[-_.]?\d+)?\.json$", re.IGNORECASE)
# Fields that are lists, whose elements come one by one.
_LISTED = frozenset({"chat_messages"})
# So many of the first are looked at: a conversation may be empty.
_LOOKS = 5


def files_of(bundle: Bundle) -> list[str]:
    return [name for name in bundle.names if not bundle.is_archive or _NAME.search(name)]


def has_field(path: Path, field: str) -> bool:
    """Whether its conversations have this field, by which their maker is known."""
    try:
        with opened(path) as bundle:
            for name in files_of(bundle)[:1]:
                if bundle.head(name).lstrip(b"\xef\xbb\xbf \t\r\n")[:1] not in (b"[", b"{"):
                    return False
                with bundle.open(name) as file:
                    looked = (
                        one for one, _ in zip(_talks(values(file)), range(_LOOKS), strict=False)
                    )
                    return any(field in one for one in looked)
    except Unreadable:
        pass
    return False


def parts_of(path: Path, field: str) -> Iterator[dict[str, Any]]:
    """Each conversation of each file, in order."""
    with opened(path) as bundle:
        names = files_of(bundle)
        if not names:
            raise Unreadable("There is no conversations.json in it; choose another file.")
        for name in names:
            with bundle.open(name) as file:
                yield from _whole(values(file), field)


def _talks(found: Iterator[tuple[str, Any]]) -> Iterator[dict[str, Any]]:
    """Those of a list; one by itself shows its fields one by one."""
    for key, value in found:
        if key == "" or key == "conversations":
            if isinstance(value, dict):
                yield value
        else:
            yield {key: value}


def _whole(found: Iterator[tuple[str, Any]], field: str) -> Iterator[dict[str, Any]]:
    """A file of a single conversation is put together again from its fields."""
    single: dict[str, Any] = {}
    for key, value in found:
        if key in ("", "conversations"):
            if isinstance(value, dict):
                yield value
        elif key == field and not isinstance(value, dict | list):
            continue
        elif key == field and field in _LISTED:
            single.setdefault(key, []).append(value)
        else:
            single[key] = value
    if field in single:
        yield single
