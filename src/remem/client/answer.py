"""Replies of the server as dicts whose fields are also typed attributes."""

import types
from collections.abc import Mapping
from datetime import datetime
from functools import cache
from typing import Any, Union, get_args, get_origin, get_type_hints


class Answer(dict[str, Any]):
    """A complete reply of the server. `answer.title` is `answer["title"]`, with times as datetimes.
    Fields that this client does not know yet are there too."""

    def __init__(self, reply: Mapping[str, Any]) -> None:
        hints = _hints(type(self))
        super().__init__({name: _convert(hints.get(_snake(name)), reply[name]) for name in reply})

    def __getattr__(self, name: str) -> Any:
        hint = _hints(type(self)).get(name)
        for spelling in (name, _camel(name)):
            if spelling in self:
                return _read(hint, self[spelling])
        if type(None) in get_args(hint):
            return None
        raise AttributeError(
            f"{type(self).__name__} has no field '{name}'; it has: {', '.join(self)}"
        )


@cache
def _hints(kind: type[Answer]) -> dict[str, Any]:
    return get_type_hints(kind)


def _convert(hint: Any, value: Any) -> Any:
    """Convert nested dicts and lists to the Answer classes of the type hint."""
    if isinstance(value, list):
        (inner,) = get_args(_part_of_type(hint, list)) or (None,)
        return [_convert(inner, item) for item in value]
    kind = _part_of_type(hint, Answer)
    return kind(value) if kind and isinstance(value, dict) else value


def _part_of_type(hint: Any, kind: type) -> Any:
    """Return the part of a union that is a subclass of `kind`, or the hint itself if it is one."""
    is_union = get_origin(hint) in (Union, types.UnionType)
    for part in get_args(hint) if is_union else (hint,):
        plain = get_origin(part) or part
        if isinstance(plain, type) and issubclass(plain, kind):
            return part
    return None


def _read(hint: Any, value: Any) -> Any:
    if isinstance(value, str) and _part_of_type(hint, datetime):
        return datetime.fromisoformat(value)
    return value


@cache
def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(part.capitalize() for part in rest)


@cache
def _snake(name: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)
