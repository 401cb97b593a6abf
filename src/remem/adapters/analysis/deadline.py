"""The time limit of an analysis: some seconds, and more for a long text."""

import sys
from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from typing import Any

# Ten times what the slowest analysis of ordinary text takes.
SECONDS_A_CHAR = 1e-4
# So that no text keeps a process for minutes.
MOST_S = 60.0


@dataclass(frozen=True, slots=True)
class Deadline:
    base_s: float = 5.0

    def seconds(self, arguments: tuple[Any, ...]) -> float:
        most_s = max(MOST_S, self.base_s)
        return min(most_s, self.base_s + SECONDS_A_CHAR * _count_chars(arguments))


def _count_chars(value: Any) -> int:
    """Count the characters of all strings in a value."""
    if isinstance(value, str):
        return len(value)
    if isinstance(value, (list, tuple)):
        return sum([_count_chars(item) for item in value])
    return sum([_count_chars(getattr(value, name)) for name in _fields(type(value))])


@cache
def _fields(kind: type) -> tuple[str, ...]:
    """The names of the fields of a dataclass; empty for other types."""
    return tuple(field.name for field in fields(kind)) if is_dataclass(kind) else ()


def check_is_named(function: Callable[..., Any]) -> None:
    """Raise TypeError for a function that another process cannot find by name."""
    module = sys.modules.get(function.__module__)
    if getattr(module, function.__name__, None) is not function:
        raise TypeError(f"{function.__qualname__} is not a function of a module")
