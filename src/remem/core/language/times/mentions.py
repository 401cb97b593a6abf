"""Whether a text mentions a time: a hint for search that does not parse the time."""

import re

from remem.core.language.numbers import number_words
from remem.core.language.times import calendar as cal

_NUMBER = rf"(?:\d+|an?|{'|'.join(number_words(10, smallest=1))}|(?:a )?couple of|(?:a )?few)"
_UNIT = r"(?:day|week|weekend|month|year)s?"
_PART = rf"(?:night|morning|{'|'.join(cal.SEASONS)})s?"
# "May" and "march" are also ordinary words.
_MONTH = "|".join(name for name in cal.MONTH_NAMES if name not in cal.ALSO_WORDS)
_TIME = re.compile(
    r"\b(?:yesterday|today|tonight|tomorrow"
    rf"|(?:last|next|this|this past|past) (?:{_UNIT}|{_PART})"
    rf"|(?:on|last|this|next) (?:{'|'.join(cal.WEEKDAY_NAMES)})"
    rf"|{_NUMBER} {_UNIT} ago|(?:a )?few {_UNIT}"
    rf"|{_MONTH}|march \d|(?:in|on|since|by) may|may \d{{1,2}}"
    rf"|in \d{{4}}|\d{{4}}-\d\d-\d\d|(?:in|for|since) (?:the )?{_NUMBER} ?{_UNIT})\b",
    re.I,
)


def mentions_time(text: str) -> bool:
    return _TIME.search(text) is not None
