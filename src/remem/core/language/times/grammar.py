"""The grammar of time expressions: finds them in a text with their parts, without resolving them.

Statements, queries and options share this grammar; resolve.py, queries.py and options.py interpret
the expressions."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from remem.core.language.numbers import COUNT
from remem.core.language.times import calendar as cal

Kind: TypeAlias = Literal[
    "near_day", "part_of_day", "ago", "ahead", "within", "stretch", "weekday", "edge",
    "short_edge", "date", "numeric", "season", "year",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Expression:
    """A time expression; its parts are the groups of its pattern, in lower case."""

    kind: Kind
    match: re.Match[str]

    def __getitem__(self, group: str) -> str:
        return (self.match[group] or "").lower()

    @property
    def text(self) -> str:
        return self.match.string

    @property
    def start(self) -> int:
        return self.match.start()

    @property
    def end(self) -> int:
        return self.match.end()

    @property
    def is_bare(self) -> bool:
        """Whether it is not part of a longer word, such as "mid-June" or "Friday's"."""
        after = self.text[self.end : self.end + 2]
        joined = self.start > 0 and self.text[self.start - 1] == "-"
        return not joined and not after.startswith("-") and after not in ("'s", "’s")


def _either(forms: list[str]) -> str:
    """An alternation with the longest form first: "sept" before "sep"."""
    return "|".join(sorted(forms, key=len, reverse=True))


_SHORT_DAYS = [form for form in cal.WEEKDAYS if form not in cal.WEEKDAY_NAMES]
# Short names that are no other word; those that are another word without a capital; and what
# follows a day in a note: its end or a time.
_SURE_DAYS = "tues|tue|thurs|thur|thu|fri|weds"
_CAPITAL_DAYS = "(?-i:Mon|Wed|Sat|Sun)"
_STOPS = (
    r"(?=\s*(?:$|[.,;:!?)\n])|\s(?:\d|at\b|@|with\b|and\b|morning|afternoon|evening|night|noon))"
)
# Ash Wednesday and Good Friday are holidays.
_WEEKDAY = (
    r"(?<!Ash )(?<!Good )(?<!Black )(?<!Cyber )(?<!Easter )"
    rf"(?P<weekday>{'|'.join(cal.WEEKDAY_NAMES)})"
)
_MONTH = rf"(?P<month>{_either(list(cal.MONTHS))})"
_PART = rf"(?P<part>{'|'.join(cal.PARTS_OF_DAY)})"
_SEASON = rf"(?P<season>{'|'.join(cal.SEASONS)})"
_ORDINAL = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_BEFORE = (
    r"(?:(?<!-)(?P<before>on|in|by|until|till|before|after|since|from|around|during|over|due|to|for)"
    r"(?: (?:the|about|around))? )?"
)
_NEAR = (
    r"(?P<near>the day before yesterday|the day after tomorrow|yesterday|today|tonight|tomorrow)"
)
_WHICH = r"(?P<which>last|next|this past|this coming|this|past|coming)"
_STRETCH = (
    r"(?P<which>(?:last|previous|these|this|next) past|last|next|this|these|past|previous|coming)"
)
_UNIT = r"(?P<unit>minute|hour|day|night|weekend|week|month|year)"


def _compiled(pattern: str) -> re.Pattern[str]:
    # Without ASCII mode, ı and ſ would match i and s, but they are not in the word lists.
    return re.compile(rf"(?<!\w)(?ai:{pattern})(?!\w)")


PATTERNS: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    ("near_day", _compiled(rf"{_BEFORE}{_NEAR}(?: {_PART})?")),
    ("part_of_day", _compiled(rf"{_BEFORE}(?P<which>this|last) {_PART}")),
    ("ago", _compiled(rf"(?P<before>)(?:about |around )?{COUNT} {_UNIT}s?(?: or so)? ago")),
    ("ahead", _compiled(rf"(?P<before>)in (?:about |around |the next )?{COUNT} {_UNIT}s?"
                        r"(?: from now)?(?: time)?")),
    ("within", _compiled(rf"(?P<before>)within (?:the next )?{COUNT} {_UNIT}s?")),
    ("stretch", _compiled(rf"{_BEFORE}(?:the )?{_STRETCH}(?: {COUNT})? {_UNIT}(?P<many>s)?")),
    ("weekday", _compiled(rf"{_BEFORE}(?:the )?(?:{_WHICH} )?{_WEEKDAY}(?: {_PART})?")),
    ("weekday", _compiled(rf"{_BEFORE}{_WHICH} (?P<weekday>{_either(_SHORT_DAYS)})(?P<part>)")),
    ("weekday", _compiled(rf"(?P<before>by|until|till|before|due|on|for|to) (?P<which>)"
                          rf"(?P<weekday>{_SURE_DAYS}|(?:{_CAPITAL_DAYS}|mon|wed|sat){_STOPS})"
                          r"(?P<part>)")),
    ("weekday", _compiled(rf"(?P<before>)(?P<which>)(?<!the )(?P<weekday>(?:{_SURE_DAYS}"
                          rf"|(?<=[a-z,] ){_CAPITAL_DAYS}){_STOPS})(?P<part>)")),
    ("edge", _compiled(rf"(?:at )?{_BEFORE}(?:the )?(?P<edge>end|beginning|start) of (?:the )?"
                       r"(?:(?P<which>this|next|last) )?(?P<unit>day|week|month|year)")),
    ("short_edge", _compiled(rf"{_BEFORE}(?P<edge>eod|eow|eom|eoy)")),
    ("date", _compiled(rf"{_BEFORE}(?:{_WEEKDAY},? )?(?:the )?{_ORDINAL}(?: of)? {_MONTH}"
                       rf"(?:\.(?= ))?(?:,? {_YEAR})?")),
    ("date", _compiled(rf"{_BEFORE}(?:{_WEEKDAY},? )?{_MONTH}\.? {_ORDINAL}(?!:)(?:,? {_YEAR})?")),
    ("date", _compiled(rf"{_BEFORE}(?<!\d )(?P<day>){_MONTH}(?:\.? (?:of )?{_YEAR})?")),
    ("numeric", _compiled(rf"{_BEFORE}(?:(?P<iso>\d{{4}}-\d\d-\d\d)"
                          r"|(?<!version )(?P<plain>\d{1,2}[./]\d{1,2}[./]\d{4}))")),
    ("season", _compiled(rf"{_BEFORE}(?P<which>last|this|next) {_SEASON}")),
    ("year", _compiled(rf"(?P<before>in|since|by|until|during|of|throughout|year) {_YEAR}")),
)  # fmt: skip


def expressions_in(text: str) -> Iterator[Expression]:
    """Yield expressions pattern by pattern. They may overlap; the caller takes those it can use."""
    for kind, pattern in PATTERNS:
        for match in pattern.finditer(text):
            yield Expression(kind, match)
