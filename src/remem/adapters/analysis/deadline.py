"""How long the analysis of a text may take: some seconds, and more for a long text."""

import sys
from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from typing import Any

# Ten times what the slowest analysis of ordinary text takes.
SECONDS_A_CHAR = 1e-4


@dataclass(frozen=True, slots=True)
class Deadline:
    base_s: float = 5.0

    def seconds(self, arguments: tuple[Any, ...]) -> float:
        return self.base_s + SECONDS_A_CHAR * _chars(arguments)


def _chars(value: Any) -> int:
    """The characters of the texts in some arguments."""
    if isinstance(value, str):
        return len(value)
    if isinstance(value, (list, tuple)):
        return sum([_chars(item) for item in value])
    return sum([_chars(getattr(value, name)) for name in _fields(type(value))])


@cache
def _fields(kind: type) -> tuple[str, ...]:
    """The fields of a dataclass; none of anything else."""
    return tuple(field.name for field in fields(kind)) if is_dataclass(kind) else ()


def check_is_named(function: Callable[..., Any]) -> None:
    """Raise TypeError for a function that another process could not find by its name."""
    module = sys.modules.get(function.__module__)
    if getattr(module, function.__name__, None) is not function:
        raise TypeError(f"{function.__qualname__} is not a function of a module")
