"""Values of the database that cannot be shown: reading one returns a placeholder and never raises.

A row with such a value can be passed around, compared and sorted like any other. Code that shows
rows calls `unreadable_reason` first and shows an error in place of that row only."""

import json
from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any
from uuid import UUID

from remem.core.validate import json_depth

# JSON is serialised recursively, and the serialiser fails at 255 levels.
DEPTH_LIMIT = 200
_EPOCH = datetime(2000, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_OUT_OF_RANGE = "a date is outside the years 1 to 9999"


class UnreadableMoment(datetime):
    """Before the year 1, after 9999, or infinite; as a datetime, the nearest valid one."""


class UnreadableJson(dict[str, Any]):
    """JSON nested too deeply or with a number that is too long; as a dict, empty."""

    def __init__(self, reason: str) -> None:
        super().__init__()
        self.reason = reason


class UnreadableList(list[str]):
    """A list with nested lists or nulls; as a list, empty."""


_EARLIEST = UnreadableMoment(1, 1, 1, tzinfo=UTC)
_LATEST = UnreadableMoment(9999, 12, 31, 23, 59, 59, 999999, tzinfo=UTC)
# Columns that contain an object, and columns that contain a flat list of texts.
_OBJECT_COLUMNS = frozenset({"metadata", "context", "evidence", "data", "settings"})
_LIST_COLUMNS = frozenset({"tags", "heading_path", "aliases"})


def decode_moment(value: tuple[int]) -> datetime:
    """Decode microseconds since 2000, as the server sends them."""
    try:
        return _EPOCH + timedelta(microseconds=value[0])
    except OverflowError:
        return _EARLIEST if value[0] < 0 else _LATEST


def encode_moment(value: datetime) -> tuple[int]:
    return ((value.astimezone(UTC) - _EPOCH) // _MICROSECOND,)


def decode_json(text: str) -> Any:
    try:
        value = json.loads(text)
    except RecursionError:
        return UnreadableJson("a value is nested too deeply")
    except ValueError:
        return UnreadableJson("a number has too many digits")
    # Only a text with that many brackets can be that deep, so most texts skip the check.
    if text.count("{") + text.count("[") > DEPTH_LIMIT and json_depth(value, DEPTH_LIMIT) > (
        DEPTH_LIMIT
    ):
        return UnreadableJson("a value is nested too deeply")
    return value


def row_values(row: Any) -> dict[str, Any]:
    """The columns of a row, with a placeholder for values of the wrong type."""
    values = dict(row)
    for name in _OBJECT_COLUMNS & values.keys():
        if not isinstance(values[name], dict):
            values[name] = UnreadableJson(f"{name} is not an object")
    for name in _LIST_COLUMNS & values.keys():
        if not all(isinstance(text, str) for text in values[name]):
            values[name] = UnreadableList()
    return values


# Values of exactly these types can always be shown; nine of ten values are of these.
_ALWAYS_READABLE = frozenset({type(None), str, int, float, bool, datetime, UUID})


def unreadable_reason(value: Any) -> str | None:
    """Why a row, as a dataclass, cannot be shown, or None if it can."""
    if type(value) in _ALWAYS_READABLE:
        return None
    if isinstance(value, UnreadableMoment):
        return _OUT_OF_RANGE
    if isinstance(value, UnreadableJson):
        return value.reason
    if isinstance(value, UnreadableList):
        return "a list contains something other than texts"
    if is_dataclass(value) and not isinstance(value, type):
        return _first_reason([getattr(value, name) for name in _field_names(type(value))])
    if isinstance(value, list | tuple):
        return _first_reason(value)
    return None


def _first_reason(values: Iterable[Any]) -> str | None:
    problems = (unreadable_reason(value) for value in values if type(value) not in _ALWAYS_READABLE)
    return next(filter(None, problems), None)


@cache
def _field_names(kind: type) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))
