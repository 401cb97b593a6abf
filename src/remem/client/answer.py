"""How an answer is read: a dict as the server sent it, with its fields as typed attributes."""

import types
from collections.abc import Mapping
from datetime import datetime
from functools import cache
from typing import Any, Union, get_args, get_origin, get_type_hints


class Answer(dict[str, Any]):
    """What the server said, whole. `answer.title` is `answer["title"]`, with moments as datetimes;
    fields this client does not know yet are there too."""

    def __init__(self, said: Mapping[str, Any]) -> None:
        hints = _hints(type(self))
        super().__init__({name: _shaped(hints.get(_snake(name)), said[name]) for name in said})

    def __getattr__(self, name: str) -> Any:
        hint = _hints(type(self)).get(name)
        for spelt in (name, _camel(name)):
            if spelt in self:
                return _read(hint, self[spelt])
        if type(None) in get_args(hint):
            return None
        raise AttributeError(
            f"{type(self).__name__} has no field '{name}'; it has: {', '.join(self)}"
        )


@cache
def _hints(kind: type[Answer]) -> dict[str, Any]:
    return get_type_hints(kind)


def _shaped(hint: Any, value: Any) -> Any:
    """Answers within an answer, by what its class says of them."""
    if isinstance(value, list):
        (inner,) = get_args(_meant(hint, list)) or (None,)
        return [_shaped(inner, one) for one in value]
    kind = _meant(hint, Answer)
    return kind(value) if kind and isinstance(value, dict) else value


def _meant(hint: Any, kind: type) -> Any:
    """The part of `X | None` that is of a kind, or the hint itself."""
    union = get_origin(hint) in (Union, types.UnionType)
    for part in get_args(hint) if union else (hint,):
        plain = get_origin(part) or part
        if isinstance(plain, type) and issubclass(plain, kind):
            return part
    return None


def _read(hint: Any, value: Any) -> Any:
    if isinstance(value, str) and _meant(hint, datetime):
        return datetime.fromisoformat(value)
    return value


@cache
def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(part.capitalize() for part in rest)


@cache
def _snake(name: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)
