"""Whether two numbers with a dot between them are a day and a month, which 1.6. need not be."""

import re

from remem.core.language.lists import table
from remem.core.language.phrase_lists import any_of

# How far before a number its label or preposition may begin.
_BEFORE_CHARS = 24
# After the dot of a day; a full stop is hardly followed by them.
_GOES_ON = frozenset(",;)]-–—")
_ZERO_DAY = re.compile(r"0\d\.\d")
_PADDED, _TWO_DIGITS = re.compile(r"0\d\.\s?(?:0\d|1[0-2])"), re.compile(r"\.\s?\d\d$")
_LABEL = re.compile(r"[:=：＝≈~]\s*\Z")


def _words(name: str) -> list[str]:
    rows = table("times", "any").values()
    return [word.replace("_", " ") for row in rows for word in row.get(name, "").split()]


# Not between two amounts: "4.5 to 5.6.".
_BEFORE_DAY = re.compile(
    rf"(?<!\d)(?<!\d\s)(?:{any_of([*_words('on'), *_words('limit')])})\s*\Z", re.IGNORECASE
)
_NUMBERED = re.compile(rf"(?:{any_of(_words('numbered'))}|§|#)\.?\s*\Z", re.IGNORECASE)
_PLANS = "|".join(map(re.escape, sorted(set(_words("plan")), key=len, reverse=True)))
_PLAN = re.compile(rf"(?<!\w)(?:{_PLANS})|(?:{_PLANS})(?!\w)", re.IGNORECASE)


def writes_days_with_dots(language: str) -> bool:
    return table("times", "any").get(language, {}).get("day_sign") == "."


def is_numbered(text: str, start: int) -> bool:
    """Whether the word before says what the number names: "version 1.6", "§ 2.3"."""
    return _NUMBERED.search(_before(text, start)) is not None


def is_labelled(text: str, start: int) -> bool:
    """Whether it is the value of a label: "pressure: 1.6."."""
    return _LABEL.search(_before(text, start)) is not None


def is_dotted_day(text: str, start: int, end: int, *, usual: bool, follows_day: bool) -> bool:
    """Whether 1.6. is a day and not a number at the end of a sentence, if no word of time beside it
    says so. `usual`: days are written so in this language. `follows_day`: there is a day in figures
    before it in the line."""
    has_dot = text[end - 1] == "."
    if has_dot and text[end : end + 1].isdecimal():
        return False
    line_start = text.rfind("\n", 0, start) + 1
    if not text[line_start:start].strip():
        return True
    is_after_preposition = _BEFORE_DAY.search(_before(text, start)) is not None
    if not has_dot:
        return usual and (
            _PADDED.fullmatch(text, start, end) is not None
            or (is_after_preposition and _TWO_DIGITS.search(text[start:end]) is not None)
        )
    return (
        is_after_preposition
        or follows_day
        or _goes_on(text, end)
        or _ZERO_DAY.match(text, start) is not None
        or _PLAN.search(_line(text, line_start, end)) is not None
    )


def _before(text: str, start: int) -> str:
    return text[max(0, start - _BEFORE_CHARS) : start]


def _line(text: str, line_start: int, end: int) -> str:
    line_end = text.find("\n", end)
    return text[line_start : line_end if line_end >= 0 else len(text)]


def _goes_on(text: str, end: int) -> bool:
    """Whether the sentence goes on behind the dot."""
    behind = text[end : end + _BEFORE_CHARS].lstrip(" \t")[:1]
    is_apart = text[end : end + 1].isspace()
    return behind in _GOES_ON or (is_apart and (behind.isdecimal() or behind.islower()))
