"""How long the analysis of a text may take: some seconds, and more for a long text."""

import sys
from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass
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
    if is_dataclass(value) and not isinstance(value, type):
        return sum(_chars(getattr(value, field.name)) for field in fields(value))
    if isinstance(value, (list, tuple)):
        return sum(_chars(item) for item in value)
    return 0


def check_is_named(function: Callable[..., Any]) -> None:
    """Raise TypeError for a function that another process could not find by its name."""
    module = sys.modules.get(function.__module__)
    if getattr(module, function.__name__, None) is not function:
        raise TypeError(f"{function.__qualname__} is not a function of a module")
