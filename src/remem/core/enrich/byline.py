"""Find the author of a text in its byline."""

import re
from collections.abc import Iterable

from remem.core.language.times.calendar import MONTH_NAMES, WEEKDAY_NAMES

_NAME = r"[^\W\d_a-z][\w.'’-]*"
_PARTICLE = r"(?:(?:van|von|de|der|den|da|di|du|la|le|el|bin|al)[ \t]+){0,2}"
_PERSON = rf"{_NAME}(?:[ \t]+{_PARTICLE}{_NAME}){{1,3}}"
_PEOPLE = rf"{_PERSON}(?:(?:[ \t]*[,&]|[ \t]+(?:and|und|et|y|e))[ \t]+{_PERSON}){{0,4}}"
_END = r"(?=[ \t]*(?:$|[|·•–—,;(<]|(?:on|in|for|at|am|le|el|-)[ \t]|\d))"
_BY = re.compile(
    r"^(?i:(?:written|posted|published|authored|reported|story|text)[ \t]+)?"
    rf"(?i:by|von|par|por|door)[ \t]+({_PEOPLE}){_END}"
)
_LABELLED = re.compile(
    r"^(?i:authors?|written by|autor(?:in|es)?|auteurs?|autore|från|from)[ \t]*[:：][ \t]*"
    rf"[\"']?({_PEOPLE}|{_NAME})[\"']?{_END}"
)
_LABELLED_WIDE = re.compile(r"^(?:作者|著者|筆者|文)[ \t]*[:：／/][ \t]*([^\s,，。|]{2,12})")
_LINE_LIMIT = 160
# Capitalised words that often begin a line but are not names.
_NOT_NAMES = frozenset(
    "the this that these those our your my his her its their using default design how what when why"
    " all any some no not and or if in on at to for from with a an der die das le la el il"
    " staff admin".split()
).union(MONTH_NAMES, WEEKDAY_NAMES)


def author_in(lines: Iterable[str]) -> str | None:
    """The name in a line such as "By Jane Doe" or "Author: Jane Doe"."""
    for line in lines:
        for pattern in (_BY, _LABELLED, _LABELLED_WIDE):
            match = pattern.match(line[:_LINE_LIMIT])
            if match and _is_name(match[1]):
                return match[1].rstrip(" .,")
    return None


def _is_name(name: str) -> bool:
    words = re.findall(r"[^\W\d_][\w.'’-]*", name)
    capitalised = [word for word in words if not word[0].islower()]
    return bool(capitalised) and not any(word.casefold() in _NOT_NAMES for word in capitalised)
