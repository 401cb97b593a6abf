"""AccessLog fields that may be missing, empty or of another type than they should be."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from remem.adapters.extractors.dates import iso_date


def text(record: Mapping[str, Any], *names: str) -> str:
    """The first of the fields that has text."""
    found = (record.get(name) for name in names)
    return next((one.strip() for one in found if isinstance(one, str) and one.strip()), "")


def name(record: Mapping[str, Any], *names: str) -> str:
    """The first of the fields that names something: text, or a number."""
    found = (record.get(name) for name in names)
    named = (str(one).strip() for one in found if isinstance(one, str | int))
    return next((one for one in named if one), "")


def moment(record: Mapping[str, Any], *names: str) -> datetime | None:
    """The first of the fields that tells a moment, in any of the usual ways."""
    return next((at for one in names if (at := read_moment(record.get(one)))), None)


def read_moment(value: object) -> datetime | None:
    iso = iso_date(value) if isinstance(value, str | int | float) else None
    if iso is None:
        return None
    at = datetime.fromisoformat(iso)
    return at if at.tzinfo else at.replace(tzinfo=UTC)


def records(value: object) -> list[dict[str, Any]]:
    """The objects of a list."""
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def words(value: object, separators: str = ",") -> tuple[str, ...]:
    """Tags: a list of names, or one text with separators."""
    if isinstance(value, str):
        for separator in separators[1:]:
            value = value.replace(separator, separators[0])
        value = value.split(separators[0])
    if not isinstance(value, Iterable) or isinstance(value, Mapping):
        return ()
    named = (_word(one) for one in value)
    return tuple(dict.fromkeys(one for one in named if one))


def _word(value: object) -> str:
    if isinstance(value, Mapping):
        value = value.get("name")
    return value.strip().lstrip("#") if isinstance(value, str) else ""


def others(record: Mapping[str, Any], *known: str) -> dict[str, Any]:
    """Every field but these, where there is anything in it."""
    return {
        key: value
        for key, value in record.items()
        if key not in known and value is not None and value != "" and value != [] and value != {}
    }
