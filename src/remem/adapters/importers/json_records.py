"""Read the records of JSON files, from lists under given keys."""

from collections.abc import Collection, Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any

from remem.adapters.importers.bundle import Bundle, open_bundle
from remem.adapters.importers.stream import values
from remem.core.errors import Unreadable

# How many records are checked to recognise the product.
_SAMPLE_SIZE = 5


def first_records(path: Path, list_keys: Collection[str]) -> list[dict[str, Any]]:
    """Return the first records. Empty for a file that is not JSON; for a truncated one, only the
    complete records."""
    records: list[dict[str, Any]] = []
    with suppress(Unreadable):
        if _is_json(path):
            for record in islice(read_records(path, list_keys), _SAMPLE_SIZE):
                records.append(record)
    return records


def _is_json(path: Path) -> bool:
    with open_bundle(path) as bundle:
        names = _files(bundle)[:1]
        heads = [bundle.head(name).lstrip(b"\xef\xbb\xbf \t\r\n") for name in names]
    return any(head[:1] in (b"[", b"{") for head in heads)


def read_records(path: Path, list_keys: Collection[str]) -> Iterator[dict[str, Any]]:
    with open_bundle(path) as bundle:
        for name in _files(bundle):
            with bundle.open(name) as file:
                for key, value in values(file):
                    if key in list_keys and isinstance(value, dict):
                        yield value


def _files(bundle: Bundle) -> list[str]:
    return bundle.names_ending(".json", ".jsonl", ".ndjson") if bundle.is_archive else [""]
