"""What a text shows of itself that helps to find it: that it asks, that it tells a time."""

import re

_SENTENCE = re.compile(r"[^.!?。？！]+[.!?。？！]*")
_NUMBER = (
    r"(?:\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten|(?:a )?couple of|(?:a )?few)"
)
_UNIT = r"(?:day|week|weekend|month|year)s?"
_SEASON = r"(?:night|morning|summer|winter|spring|fall|autumn)s?"
_WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_MONTH = (
    "january|february|march \\d|april|june|july|august|september|october|november|december"
    "|(?:in|on|since|by) may|may \\d{1,2}"
)
_TIME = re.compile(
    r"\b(?:yesterday|today|tonight|tomorrow"
    rf"|(?:last|next|this|this past|past) (?:{_UNIT}|{_SEASON})"
    rf"|(?:on|last|this|next) {_WEEKDAY}|{_NUMBER} {_UNIT} ago|(?:a )?few {_UNIT}"
    rf"|{_MONTH}|in \d{{4}}|\d{{4}}-\d\d-\d\d|(?:in|for|since) (?:the )?{_NUMBER} ?{_UNIT})\b",
    re.I,
)


def question_share(text: str) -> float:
    """How many of its sentences are questions, from 0 to 1."""
    sentences = _SENTENCE.findall(text)
    asked = sum(sentence.rstrip().endswith(("?", "？")) for sentence in sentences)
    return asked / max(1, len(sentences))


def tells_time(text: str) -> bool:
    return _TIME.search(text) is not None
