"""Values of the database that cannot be shown: they are read as what they are, and never raise.

A row with such a value can be passed about, compared and sorted like any other; what shows rows
asks `problem_of` first and shows an error in place of that row alone."""

import json
from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any
from uuid import UUID

from remem.core.validate import json_depth

# JSON is written level by level, and what writes it gives up at 255 of them.
DEPTH_LIMIT = 200
_EPOCH = datetime(2000, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_OUT_OF_RANGE = "a date lies outside the years 1 to 9999"


class UnreadableMoment(datetime):
    """Before the year 1, after 9999, or infinite; as a datetime, the nearest there is."""


class UnreadableJson(dict[str, Any]):
    """Nested too deeply or with a number that is too long; as a dict, empty."""

    def __init__(self, reason: str) -> None:
        super().__init__()
        self.reason = reason


class UnreadableList(list[str]):
    """Lists inside a list, or nothing in place of a text; as a list, empty."""


_FIRST = UnreadableMoment(1, 1, 1, tzinfo=UTC)
_LAST = UnreadableMoment(9999, 12, 31, 23, 59, 59, 999999, tzinfo=UTC)
# Columns that are an object, and those that are a flat list of texts.
_OBJECTS = frozenset({"metadata", "context", "evidence", "data", "settings"})
_LISTS = frozenset({"tags", "heading_path", "aliases"})


def decode_moment(value: tuple[int]) -> datetime:
    """From microseconds since 2000, as the server sends them."""
    try:
        return _EPOCH + timedelta(microseconds=value[0])
    except OverflowError:
        return _FIRST if value[0] < 0 else _LAST


def encode_moment(value: datetime) -> tuple[int]:
    return ((value.astimezone(UTC) - _EPOCH) // _MICROSECOND,)


def decode_json(text: str) -> Any:
    try:
        value = json.loads(text)
    except RecursionError:
        return UnreadableJson("a value is nested too deeply")
    except ValueError:
        return UnreadableJson("a number has too many digits")
    # Only a text with that many brackets can be that deep.
    if text.count("{") + text.count("[") > DEPTH_LIMIT and json_depth(value, DEPTH_LIMIT) > (
        DEPTH_LIMIT
    ):
        return UnreadableJson("a value is nested too deeply")
    return value


def values_of(row: Any) -> dict[str, Any]:
    """A row by its columns, with a placeholder for values of the wrong type."""
    values = dict(row)
    for name in _OBJECTS & values.keys():
        if not isinstance(values[name], dict):
            values[name] = UnreadableJson(f"{name} is not an object")
    for name in _LISTS & values.keys():
        if not all(isinstance(text, str) for text in values[name]):
            values[name] = UnreadableList()
    return values


# Values of exactly these types can always be shown; nine of ten that are asked about are.
_PLAIN = frozenset({type(None), str, int, float, bool, datetime, UUID})


def problem_of(value: Any) -> str | None:
    """Why a row, as a dataclass, cannot be shown; None if it can."""
    if type(value) in _PLAIN:
        return None
    if isinstance(value, UnreadableMoment):
        return _OUT_OF_RANGE
    if isinstance(value, UnreadableJson):
        return value.reason
    if isinstance(value, UnreadableList):
        return "a list contains something else than texts"
    if is_dataclass(value) and not isinstance(value, type):
        return _first([getattr(value, name) for name in _names(type(value))])
    if isinstance(value, list | tuple):
        return _first(value)
    return None


def _first(values: Iterable[Any]) -> str | None:
    problems = (problem_of(value) for value in values if type(value) not in _PLAIN)
    return next(filter(None, problems), None)


@cache
def _names(kind: type) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))
