"""Apply filters to values: equality, nested objects, and comparisons such as `$gt`."""

import operator
from collections.abc import Callable, Mapping
from itertools import islice
from typing import Any

_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "$eq": operator.eq,
    "$ne": operator.ne,
    "$gt": operator.gt,
    "$gte": operator.ge,
    "$lt": operator.lt,
    "$lte": operator.le,
}
# Longer texts are compared here; the server only gets values that it can tell apart.
_TEXT_LIMIT = 200
_FIELDS_LIMIT = 50


def matches(value: Mapping[str, Any], filter: Mapping[str, Any] | None) -> bool:
    return all(
        _matches_value(value.get(name), expected) for name, expected in (filter or {}).items()
    )


def _matches_value(value: Any, expected: Any) -> bool:
    if not isinstance(expected, Mapping):
        return _as_list(value) == _as_list(expected)
    if any(str(name).startswith("$") for name in expected):
        return all(_compare(value, name, limit) for name, limit in expected.items())
    return isinstance(value, Mapping) and matches(value, expected)


def _compare(value: Any, name: str, limit: Any) -> bool:
    if name not in _COMPARE:
        raise ValueError(f"{name} is not a comparison; use one of: {', '.join(_COMPARE)}")
    try:
        return _COMPARE[name](value, limit)
    except TypeError:
        return False


def _as_list(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def server_filter(fields: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return the fields whose equality the server can check."""
    named = ((str(name), value) for name, value in (fields or {}).items())
    supported = (
        (name, value) for name, value in named if _is_supported(name) and _is_supported(value)
    )
    return dict(islice(supported, _FIELDS_LIMIT))


def _is_supported(value: Any) -> bool:
    if isinstance(value, str):
        return len(value) <= _TEXT_LIMIT and value.isprintable()
    return isinstance(value, bool | int)
