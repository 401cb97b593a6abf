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
# Cheap whatever the length.
_FREE = frozenset({"startswith", "endswith"})
# From one place to another, where those are given.
_RANGED = frozenset({"count", "find", "index", "rfind"})
# More than any limit that `growth.py` sets.
_STEPS_MOST = 2_000_000


class CountedText(str):
    """A text that counts the characters of what is made of it, and of what is searched in it."""

    count_here: Count


def _counted(name: str) -> Callable[..., Any]:
    plain = getattr(str, name)

    def call(self: CountedText, *arguments: Any, **named: Any) -> Any:
        result = plain(self, *arguments, **named)
        self.count_here.add(_cost(name, self, arguments, result))
        return _again(result, self.count_here) if isinstance(result, str) else result

    return call


def _cost(name: str, text: str, arguments: tuple[Any, ...], result: Any) -> int:
    """The characters that are copied or looked at."""
    if name in _FREE:
        return 1
    if isinstance(result, str):
        return len(result)
    if name in _RANGED and len(arguments) > 1:
        first, last = [*arguments[1:3], len(text)][:2]
        if name in ("find", "index") and result >= 0:
            last = result + 1
        return max(1, min(last, len(text)) - first)
    return len(text)


for _name in _STRING_METHODS:
    setattr(CountedText, _name, _counted(_name))


def _again(text: str, count: Count) -> CountedText:
    made = CountedText(text)
    made.count_here = count
    return made


class CountedPattern:
    """A pattern that counts the steps of each call, then answers as the pattern does. The same call
    takes the same steps: rules share patterns, and a text that repeats itself has equal parts."""

    def __init__(self, pattern: "re.Pattern[Any]", count: Count) -> None:
        self._pattern, self._count = pattern, count
        self._known: dict[tuple[Any, ...], int] = {}

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._pattern, name)
        if name not in ("match", "fullmatch", "search", "finditer", "findall", "split", "sub"):
            return value

        def call(*arguments: Any, **named: Any) -> Any:
            text = arguments[1] if name == "sub" else arguments[0]
            asked = (name, str(text), *(arguments[1:] if name != "sub" else ()))
            if asked not in self._known:
                self._known[asked] = self._steps(*asked)
            self._count.add(self._known[asked])
            return value(*arguments, **named)

        return call

    def _steps(self, name: str, text: str, start: int = 0, end: int | None = None) -> int:
        count = Count(_STEPS_MOST)
        with suppress(TooManySteps):
            self._run(count, name, text, start, end)
        return count.steps

    def _run(self, count: Count, name: str, text: str, start: int, end: int | None) -> None:
        place = {"start": min(start, len(text)), "end": end if end is None else min(end, len(text))}
        if name in ("match", "fullmatch"):
            match_end(self._pattern, text, count, whole=name == "fullmatch", **place)
            return
        found = spans(self._pattern, text, count, **place)
        next(found, None) if name in ("search", "split") else list(found)


@contextmanager
def counted_patterns(count: Count) -> Iterator[None]:
    """Every pattern that a module of the core has, counted."""
    replaced = []
    for module in [one for name, one in sys.modules.items() if name.startswith("remem.core.")]:
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
        made: Any = {key: _wrapped(one, count) for key, one in value.items()}
        return made if any(made[key] is not one for key, one in value.items()) else value
    if type(value) in (tuple, list):
        made = type(value)(_wrapped(one, count) for one in value)
        return made if any(a is not b for a, b in zip(made, value, strict=True)) else value
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        names = [one.name for one in dataclasses.fields(value) if one.init]
        changed = {
            name: wrapped
            for name in names
            if isinstance(getattr(value, name), (re.Pattern, tuple))
            and (wrapped := _wrapped(getattr(value, name), count)) is not getattr(value, name)
        }
        return dataclasses.replace(value, **changed) if changed else value
    return value


def work_of(rule: Callable[[str], Any], text: str, limit: int, count: Count) -> int:
    """How much a rule does with a text, up to a limit; `count` is that of `counted_patterns`."""
    count.steps, count.limit = 0, limit

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        if "/remem/" not in frame.f_code.co_filename:
            return None
        if event == "line":
            count.add(1)
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        rule(_again(text, count))
    except TooManySteps:
        pass
    finally:
        sys.settrace(before)
    return count.steps
