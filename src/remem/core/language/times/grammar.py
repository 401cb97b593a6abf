"""How times are written: every expression of time in a text, with its parts; nothing is resolved.

Statements, queries and options all read times by this grammar; what each makes of an expression
is theirs to say: resolve.py, queries.py, options.py."""

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
    """One expression of time; its parts are the groups of its pattern, in lower case."""

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
        """No part of a longer word: neither "mid-June" nor "Friday's"."""
        after = self.text[self.end : self.end + 2]
        joined = self.start > 0 and self.text[self.start - 1] == "-"
        return not joined and not after.startswith("-") and after not in ("'s", "’s")


def _either(forms: list[str]) -> str:
    """The longest first: "sept" before "sep"."""
    return "|".join(sorted(forms, key=len, reverse=True))


_SHORT_DAYS = [form for form in cal.WEEKDAYS if form not in cal.WEEKDAY_NAMES]
# Those that are no other word as well, those that are one without a capital, and what follows a
# day in a note: its end, or a time.
_SURE_DAYS = "tues|tue|thurs|thur|thu|fri|weds"
_CAPITAL_DAYS = "(?-i:Mon|Wed|Sat|Sun)"
_STOPS = (
    r"(?=\s*(?:$|[.,;:!?)\n])|\s(?:\d|at\b|@|with\b|and\b|morning|afternoon|evening|night|noon))"
)
# Ash Wednesday and Good Friday are days of the year.
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
    # Beyond ASCII, letters such as ı and ſ pass for i and s, and are in no table of ours.
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
    """Pattern by pattern: of those that overlap, the caller takes the one it can use."""
    for kind, pattern in PATTERNS:
        for match in pattern.finditer(text):
            yield Expression(kind, match)
