"""Which values a filter leaves: equality, parts of objects, and comparisons such as `$gt`."""

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
# Longer texts are compared here: the server is asked about what it can keep apart.
_TEXT_LIMIT = 200
_FIELDS_LIMIT = 50


def leaves(value: Mapping[str, Any], filter: Mapping[str, Any] | None) -> bool:
    return all(_fits(value.get(name), wanted) for name, wanted in (filter or {}).items())


def _fits(value: Any, wanted: Any) -> bool:
    if not isinstance(wanted, Mapping):
        return _listed(value) == _listed(wanted)
    if any(str(name).startswith("$") for name in wanted):
        return all(_compared(value, name, limit) for name, limit in wanted.items())
    return isinstance(value, Mapping) and leaves(value, wanted)


def _compared(value: Any, name: str, limit: Any) -> bool:
    if name not in _COMPARE:
        raise ValueError(f"{name} is no comparison; use one of: {', '.join(_COMPARE)}")
    try:
        return _COMPARE[name](value, limit)
    except TypeError:
        return False


def _listed(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def plain_equals(fields: Mapping[str, Any] | None) -> dict[str, Any]:
    """Those fields whose equality the server itself can decide."""
    named = ((str(name), value) for name, value in (fields or {}).items())
    askable = ((name, value) for name, value in named if _askable(name) and _askable(value))
    return dict(islice(askable, _FIELDS_LIMIT))


def _askable(value: Any) -> bool:
    if isinstance(value, str):
        return len(value) <= _TEXT_LIMIT and value.isprintable()
    return isinstance(value, bool | int)
