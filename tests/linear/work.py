"""Counts the work of a rule over text: lines of Python, steps of regexes, characters of strings."""

import dataclasses
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any

from tests.linear.regex_steps import Count, TooManySteps, match_end, spans

_STRING_METHODS = (
    "__getitem__ __contains__ __add__ casefold count endswith expandtabs find index isspace join"
    " lower lstrip partition replace rfind rpartition rstrip split splitlines startswith strip"
    " title translate upper"
).split()
# Cheap at any length.
_CONSTANT_TIME = frozenset({"startswith", "endswith"})
# Methods that take a start and an end.
_WITH_RANGE = frozenset({"count", "find", "index", "rfind"})
# More than any limit that `growth.py` sets.
_MAX_STEPS = 2_000_000


class CountedText(str):
    """A text that counts the characters of strings made from it and of searches in it."""

    count_here: Count


def _counting_method(name: str) -> Callable[..., Any]:
    plain = getattr(str, name)

    def call(self: CountedText, *arguments: Any, **named: Any) -> Any:
        result = plain(self, *arguments, **named)
        self.count_here.add(_cost(name, self, arguments, result))
        return _counted_text(result, self.count_here) if isinstance(result, str) else result

    return call


def _cost(name: str, text: str, arguments: tuple[Any, ...], result: Any) -> int:
    """The number of characters that are copied or looked at."""
    if name in _CONSTANT_TIME:
        return 1
    if isinstance(result, str):
        return len(result)
    if name in _WITH_RANGE and len(arguments) > 1:
        first, last = [*arguments[1:3], len(text)][:2]
        if name in ("find", "index") and result >= 0:
            last = result + 1
        return max(1, min(last, len(text)) - first)
    return len(text)


for _name in _STRING_METHODS:
    setattr(CountedText, _name, _counting_method(_name))


def _counted_text(text: str, count: Count) -> CountedText:
    counted = CountedText(text)
    counted.count_here = count
    return counted


class CountedPattern:
    """A pattern that counts the steps of each call, then returns the result of the pattern. The
    steps are cached by call: rules share patterns, and repetitive texts have equal parts."""

    def __init__(self, pattern: "re.Pattern[Any]", count: Count) -> None:
        self._pattern, self._count = pattern, count
        self._steps_by_call: dict[tuple[Any, ...], int] = {}

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._pattern, name)
        if name not in ("match", "fullmatch", "search", "finditer", "findall", "split", "sub"):
            return value

        def call(*arguments: Any, **named: Any) -> Any:
            text = arguments[1] if name == "sub" else arguments[0]
            key = (name, str(text), *(arguments[1:] if name != "sub" else ()))
            if key not in self._steps_by_call:
                self._steps_by_call[key] = self._steps(*key)
            self._count.add(self._steps_by_call[key])
            return value(*arguments, **named)

        return call

    def _steps(self, name: str, text: str, start: int = 0, end: int | None = None) -> int:
        count = Count(_MAX_STEPS)
        with suppress(TooManySteps):
            self._run(count, name, text, start, end)
        return count.steps

    def _run(self, count: Count, name: str, text: str, start: int, end: int | None) -> None:
        place = {"start": min(start, len(text)), "end": end if end is None else min(end, len(text))}
        if name in ("match", "fullmatch"):
            match_end(self._pattern, text, count, whole=name == "fullmatch", **place)
            return
        matches = spans(self._pattern, text, count, **place)
        next(matches, None) if name in ("search", "split") else list(matches)


@contextmanager
def counted_patterns(count: Count) -> Iterator[None]:
    """Replace every pattern in a module of the core by a counted one."""
    replaced = []
    for module in [
        module for name, module in sys.modules.items() if name.startswith("remem.core.")
    ]:
        for name, value in list(vars(module).items()):
            wrapped = _wrapped(value, count)
            if wrapped is not value:
                replaced.append((module, name, value))
                setattr(module, name, wrapped)
    try:
        yield
    finally:
        for module, name, value in replaced:
            setattr(module, name, value)


def _wrapped(value: Any, count: Count) -> Any:
    if isinstance(value, re.Pattern):
        return CountedPattern(value, count)
    if type(value) is dict:
        wrapped_items: Any = {key: _wrapped(item, count) for key, item in value.items()}
        return (
            wrapped_items
            if any(wrapped_items[key] is not item for key, item in value.items())
            else value
        )
    if type(value) in (tuple, list):
        wrapped_items = type(value)(_wrapped(item, count) for item in value)
        return (
            wrapped_items
            if any(a is not b for a, b in zip(wrapped_items, value, strict=True))
            else value
        )
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        names = [field.name for field in dataclasses.fields(value) if field.init]
        changed = {
            name: wrapped
            for name in names
            if isinstance(getattr(value, name), (re.Pattern, tuple))
            and (wrapped := _wrapped(getattr(value, name), count)) is not getattr(value, name)
        }
        return dataclasses.replace(value, **changed) if changed else value
    return value


def work_of(rule: Callable[[str], Any], text: str, limit: int, count: Count) -> int:
    """The work of a rule for a text, up to a limit; `count` is that of `counted_patterns`."""
    count.steps, count.limit = 0, limit

    # Called for every line: a call of `count.add` would take as long again.
    def trace_line(_: FrameType, event: str, __: Any) -> Any:
        if event == "line":
            count.steps += 1
            if count.steps > count.limit:
                raise TooManySteps(count.steps)
        return trace_line

    def trace(frame: FrameType, _: str, __: Any) -> Any:
        return trace_line if "/remem/" in frame.f_code.co_filename else None

    previous_trace = sys.gettrace()
    sys.settrace(trace)
    try:
        rule(_counted_text(text, count))
    except TooManySteps:
        pass
    finally:
        sys.settrace(previous_trace)
    return count.steps
