"""Classify what a question asks for; pure."""

import re
from datetime import datetime
from typing import NamedTuple

from remem.core.answers.model import Kind

_FLAGS = re.IGNORECASE | re.ASCII
_LEAD = (
    r"^\W*(?:(?:and|so|but|do you (?:know|remember)|can you (?:tell|remind) me|(?:please )?(?:tell|"
    r"remind) me)\W+)?"
)
_AUXILIARY = "did|does|do|has|have|had|is|are|was|were|will|would|can|could"
_AGO = re.compile(rf"{_LEAD}how (?:many|much|long) ?(days|weeks|months|years|time)? ?ago\b", _FLAGS)
_WHEN = re.compile(
    rf"{_LEAD}(?:when\b|(?:(?:in|on|during|at|by) )?(?:what|which) (?:date|day|month|year|week|"
    r"time|weekend)\b|(?:since|by) when\b)",
    _FLAGS,
)
# When something usually happens, or at which time of day.
_ASKS_USUAL = re.compile(
    rf"{_LEAD}(?:(?:at )?what time\b|(?:when|(?:on )?(?:what|which) days?) (?:do|does|is|are|can|"
    r"should|must)\b)",
    _FLAGS,
)
_TIME_OF_DAY = re.compile(
    r"\b(?:\d{1,2}[:.]\d\d|\d{1,2} ?(?:am|pm|a\.m|p\.m|o['’]clock)|half past|quarter (?:past|to)|"
    r"noon|midnight|every|each|daily|weekly|monthly|weekdays|weekends|"
    r"(?:first|second|third|fourth) (?:mon|tues|wednes|thurs|fri|satur|sun)day|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day(?:s| (?:morn|afternoon|even|night)\w*s))\b"
    r"|^(?:at )?\d{1,2}$",
    _FLAGS,
)
_HOW_LONG = re.compile(rf"{_LEAD}(?:for )?how (?:long|often|old|far|tall|big|much)\b", _FLAGS)
# "The number of my locker" is not a count.
_HOW_MANY_OF = (
    r"(?:how many|what is the (?:total )?number of(?! (?:my|our|your|his|her|their|the)\b))"
)
_COUNT = re.compile(rf"{_LEAD}{_HOW_MANY_OF}\b", _FLAGS)
_WHICH_NOUN = re.compile(
    rf"{_LEAD}(?:in |at |with |on |from )?(?:what|which)"
    rf"((?: (?!(?:{_AUXILIARY})\b)[\w'’+/.-]+){{1,6}}?) (?:{_AUXILIARY})\b",
    _FLAGS,
)
_ASKS_PLURAL = re.compile(
    rf"{_LEAD}(?:what|which|who) (?:are|were|have been) |{_LEAD}(?:what|which) (?:all|else)\b"
    rf"|{_LEAD}who have "
    rf"|{_LEAD}where (?:has|have) ",
    _FLAGS,
)
# All things of a kind: "what did I buy?", without a place or time.
_ALL_DONE = re.compile(
    rf"{_LEAD}(?:what|who|whom|where) (?:did|have|has) "
    r"(?!(?:my|our|the|a|an|his|her|their|your|to|got)\b)[\w'’-]+ (?:all )?[a-z]+"
    r"(?: (?:so far|lately|recently|this (?:week|month|year)|last (?:week|month|year)))?\W*$"
    rf"|{_LEAD}(?:who|whom) did (?:i|we) [a-z]+(?: [a-z]+)? (?:with|to|for|from)\W*$",
    _FLAGS,
)
# What people usually have several of, named by a verb: "what does Ivy like?"
_OF_MANY = re.compile(
    rf"{_LEAD}what (?:is|are|am) [\w'’ -]{{1,60}} (?:allergic|intolerant) to\W*$"
    rf"|{_LEAD}what (?:do|does) [\w'’ -]{{1,60}} "
    r"(?:like|love|enjoy|hate|dislike|collect|play|speak)\W*$"
    rf"|{_LEAD}(?:what|which) (?:medicine|medication|language|instrument|sport) (?:do|does)"
    r" [\w'’ -]{1,60} (?:take|speak|play|do)\W*$",
    _FLAGS,
)
_HOW_MANY = re.compile(rf"{_LEAD}{_HOW_MANY_OF}\s+(?P<rest>.*)$", _FLAGS)
_COUNTED = re.compile(
    rf"^(?P<noun>(?:(?!(?:{_AUXILIARY})\b)[\w'’-]+ ){{1,4}}?)(?P<verb>(?:{_AUXILIARY})\b.*)$",
    _FLAGS,
)
_ASKS_PAST = re.compile(
    r"\b(?:did|was|were|had|used to|before|previous\w*|former\w*|originally|old)\b", _FLAGS
)
_SORTS = ("kind", "type", "sort")
_SINGULAR = ("ss", "us", "is", "news", "series", "'s", "’s")
UNITS_D = {"days": 1.0, "weeks": 7.0, "months": 30.44, "years": 365.25}


# How much time is left.
_UNTIL = re.compile(
    rf"{_LEAD}how (?:many|much|long)(?: (?:days|weeks|months|years|time))?"
    r"(?: (?:is it|is there|are there|are|is|will it be))?(?: still)?(?: left)?(?: to go)?"
    r" (?:until|till)\b",
    _FLAGS,
)
_IN_HOW_MANY = re.compile(
    rf"{_LEAD}in how (?:many|much) (?:days|weeks|months|years|time)\b", _FLAGS
)


class QuestionType(NamedTuple):
    """The kind of the answer; `unit` is what "how many days ago" counts. `usual` means that it asks
    when something usually happens, or at which time of day."""

    kind: Kind
    unit: str = ""
    usual: bool = False


def what_is_asked(question: str) -> QuestionType:
    question = question[:1_000]
    if match := _AGO.search(question):
        return QuestionType("ago", (match[1] or "days").lower().replace("time", "days"))
    if _WHEN.search(question):
        return QuestionType("when", usual=_ASKS_USUAL.search(question) is not None)
    if _COUNT.search(question):
        return QuestionType("count")
    if _HOW_LONG.search(question):
        return QuestionType("one")
    return QuestionType("list" if _asks_for_several(question) else "one")


def ago_as_when(question: str) -> str:
    """ "When did I move?" for "How many weeks ago did I move?": a reader knows no time now."""
    match = _AGO.search(question[:1_000])
    return f"When{question[match.end() :]}" if match else question


def until_as_when(question: str) -> str:
    """ "When is my flight?" for "How many weeks until my flight?": the answer is a date."""
    for pattern, asked in ((_IN_HOW_MANY, "When"), (_UNTIL, "When is")):
        if match := pattern.search(question[:1_000]):
            return f"{asked}{question[match.end() :]}"
    return question


class CountQuestion(NamedTuple):
    """What "how many" counts, the question for the things themselves, and, if it counts times, the
    question whether it happened."""

    noun: str
    question: str
    happened: str = ""

    @property
    def are_times(self) -> bool:
        return self.noun.lower() in ("times", "occasions")


def what_is_counted(question: str) -> CountQuestion | None:
    """ "Which books did I read?" for "How many books did I read?"; "When did I swim?" for times."""
    match = _HOW_MANY.search(question[:1_000])
    if match is None or what_is_asked(question).kind != "count":
        return None
    rest = match["rest"].rstrip("?!. ")
    if not rest:
        return None
    parts = _COUNTED.match(rest)
    noun = (parts["noun"] if parts else rest).split()
    last = noun[-1] if parts else noun[0]
    if last.lower() in ("times", "occasions") and parts:
        return CountQuestion(last, f"When {parts['verb']}?", f"{parts['verb']}?")
    return CountQuestion(last, f"Which {rest}?")


def ago_in_words(question_type: QuestionType, moment: datetime, asked_at: datetime) -> str:
    """ "2 weeks ago"; in days if it is less than one of the units."""
    days = (asked_at.date() - moment.date()).days
    count = round(days / UNITS_D[question_type.unit])
    if count == 0:
        return "today" if days == 0 else f"{days} {'day' if days == 1 else 'days'} ago"
    return f"{count} {question_type.unit if count != 1 else question_type.unit[:-1]} ago"


def asks_for_now(question: str) -> bool:
    """Whether it asks about the present, not the past."""
    return _ASKS_PAST.search(question) is None


def is_usual(words: str) -> bool:
    """Whether the words give a time of day or a recurring time, which no date makes clearer."""
    return _TIME_OF_DAY.search(words) is not None


def _asks_for_several(question: str) -> bool:
    if _ASKS_PLURAL.search(question) or _ALL_DONE.search(question) or _OF_MANY.search(question):
        return True
    match = _WHICH_NOUN.search(question)
    return match is not None and _names_several(match[1].split())


def _names_several(noun: list[str]) -> bool:
    """Whether its main noun is plural: "areas" in "areas of the country", but in "kind of books"
    the last one."""
    end = noun.index("of") if "of" in noun[1:] else len(noun)
    return _is_plural(noun[end - 1]) or (noun[end - 1] in _SORTS and _is_plural(noun[-1]))


def _is_plural(noun: str) -> bool:
    low = noun.lower()
    return low in ("people", "children") or (
        low.endswith("s") and len(low) > 3 and not low.endswith(_SINGULAR)
    )
