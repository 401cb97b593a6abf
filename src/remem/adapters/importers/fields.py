"""Read record fields that may be missing, empty or of an unexpected type."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from remem.adapters.extractors.dates import iso_date


def text(record: Mapping[str, Any], *names: str) -> str:
    """Return the first field that has text."""
    values = (record.get(name) for name in names)
    return next((value.strip() for value in values if isinstance(value, str) and value.strip()), "")


def name(record: Mapping[str, Any], *names: str) -> str:
    """Return the first field that is a name: text, or a number."""
    values = (record.get(name) for name in names)
    texts = (str(value).strip() for value in values if isinstance(value, str | int))
    return next((text for text in texts if text), "")


def moment(record: Mapping[str, Any], *names: str) -> datetime | None:
    """Return the first field that is a time, in any of the usual formats."""
    return next((at for name in names if (at := parse_moment(record.get(name)))), None)


def parse_moment(value: object) -> datetime | None:
    iso = iso_date(value) if isinstance(value, str | int | float) else None
    if iso is None:
        return None
    at = datetime.fromisoformat(iso)
    return at if at.tzinfo else at.replace(tzinfo=UTC)


def records(value: object) -> list[dict[str, Any]]:
    """Return the objects of a list."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def tags(value: object, separators: str = ",") -> tuple[str, ...]:
    """Parse tags: a list of names, or a text with separators."""
    if isinstance(value, str):
        for separator in separators[1:]:
            value = value.replace(separator, separators[0])
        value = value.split(separators[0])
    if not isinstance(value, Iterable) or isinstance(value, Mapping):
        return ()
    names = (_tag_name(item) for item in value)
    return tuple(dict.fromkeys(name for name in names if name))


def _tag_name(value: object) -> str:
    if isinstance(value, Mapping):
        value = value.get("name")
    return value.strip().lstrip("#") if isinstance(value, str) else ""


def others(record: Mapping[str, Any], *known: str) -> dict[str, Any]:
    """Return all other fields that are not empty."""
    return {
        key: value
        for key, value in record.items()
        if key not in known and value is not None and value != "" and value != [] and value != {}
    }
