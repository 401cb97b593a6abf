"""The records of a JSON file that lists them, under whichever name."""

from collections.abc import Collection, Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any

from remem.adapters.importers.bundle import Bundle, opened
from remem.adapters.importers.stream import values
from remem.core.errors import Unreadable

# So many of the first tell whose file it is.
_LOOKS = 5


def first_records(path: Path, holders: Collection[str]) -> list[dict[str, Any]]:
    """None of a file that is no JSON; of one that was cut off, those that are whole."""
    found: list[dict[str, Any]] = []
    with suppress(Unreadable):
        if _is_json(path):
            for one in islice(records_of(path, holders), _LOOKS):
                found.append(one)
    return found


def _is_json(path: Path) -> bool:
    with opened(path) as bundle:
        names = _files(bundle)[:1]
        heads = [bundle.head(name).lstrip(b"\xef\xbb\xbf \t\r\n") for name in names]
    return any(head[:1] in (b"[", b"{") for head in heads)


def records_of(path: Path, holders: Collection[str]) -> Iterator[dict[str, Any]]:
    with opened(path) as bundle:
        for name in _files(bundle):
            with bundle.open(name) as file:
                for key, value in values(file):
                    if key in holders and isinstance(value, dict):
                        yield value


def _files(bundle: Bundle) -> list[str]:
    return bundle.ending(".json", ".jsonl", ".ndjson") if bundle.is_archive else [""]
