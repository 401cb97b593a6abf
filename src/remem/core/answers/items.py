"""The things that a place in a text names: the whole of each name, one by one; pure."""

import re

from remem.core.answers.sentences import SentenceSpan
from remem.core.language.numbers import ARTICLES, CARDINALS, count_in
from remem.core.language.words import stem

_FLAGS = re.IGNORECASE | re.ASCII
_NAME_GOES_ON = re.compile(r"(?:[ -](?:of|the|and the|&|de|van|von|la|le) )?[ -]?[A-Z0-9][\w'’-]*")
_NAME_BEFORE = re.compile(r"(?<![.!?:] )(?<!^)\b(?P<name>[A-Z][\w'’-]{0,40}) $")
_NEXT_NAME = re.compile(
    r"(?: \([^()]{1,12}\))?(?:, and |, | and | & | or )"
    r"(?P<name>(?:[Tt]he )?[A-Z][\w-]*(?: (?:of |the )*[A-Z0-9][\w-]*)*)(?!['’\w])"
)
_NEXT_THING = re.compile(
    r"(?:, and |, | and | & )(?:a|an|the|some|my|our|his|her|their|\d+|two|three|four|five|six) "
    r"[a-z-]+(?: [a-z-]+){0,2}?(?= (?:for|from|at|in|on|with|to|by|of|that|which|who|when|because"
    r"|as|and|but|before|after|last|next|yesterday|today|this)\b|[.,;!?)]|$)",
    re.ASCII,
)
# The rest of "liquorice, opera and sailing", to the end of the sentence.
_REST_OF_LIST = re.compile(
    r"(?:, [a-z-]{2,30}(?: [a-z-]{2,30})?){1,8},? (?:and|or|&) [a-z-]{2,30}(?: [a-z-]{2,30})?"
    r"(?=[.;!?)]|$)",
    re.ASCII,
)
_BETWEEN = re.compile(
    r"[,;]\s++(?:(?:and|or|plus)\s++)?|(?<!\s)\s++(?:and|or|plus|as well as|&)\s++"
)
# "Klara and the Sun" is one title.
_BETWEEN_TITLES = re.compile(
    r"[,;]\s++(?:(?:and|or|plus)\s++)?|(?<!\s)\s++(?:and|or|plus)\s++(?!the )"
)
# "I've read Austerlitz too"
_ALSO = re.compile(r"(?<=\w),? (?:too|as well|also|again)$", _FLAGS)
_EDGES = " .,;:!?\"'“”()"
_EMPTY = frozenset("a an the my your his her our their some i it new".split())
_WORD = re.compile(r"[^\W_]+")
_NOT_NAMED = frozenset(
    "I I'm Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March April"
    " May June July August September October November December".split()
)
_WORKS = re.compile(
    r"\b(?:books?|novels?|films?|movies?|songs?|albums?|shows?|series|plays?|games?|poems?)\b",
    _FLAGS,
)


def whole_name(text: str, start: int, end: int) -> SentenceSpan:
    """A place that begins or ends within a name, with the rest of the name."""
    if not text[start:end].strip() or not text[start].isupper():
        return SentenceSpan(start, end)
    last = text[start:end].split()[-1]
    while last[:1].isupper() and (found := _NAME_GOES_ON.match(text, end)):
        if found[0].split(" ")[-1] in _NOT_NAMED or not found[0].startswith((" ", "-")):
            break
        end, last = found.end(), found[0].split()[-1]
    while (found := _NAME_BEFORE.search(text, 0, start)) and found["name"] not in _NOT_NAMED:
        start = found.start("name")
    return SentenceSpan(start, end)


def with_others(text: str, start: int, end: int) -> SentenceSpan:
    """A thing with those that stand beside it: "Tuesday" of "Tuesday and Friday"."""
    beside = _NEXT_NAME if text[start : start + 1].isupper() else _NEXT_THING
    while found := beside.match(text, end):
        end = found.end()
    if rest := _REST_OF_LIST.match(text, end):
        end = rest.end()
    return SentenceSpan(start, end)


def split(text: str, start: int, end: int, question: str) -> list[SentenceSpan]:
    """Each thing of "bread, two candles and a lamp"; a title ("War and Peace") is one."""
    part = text[start:end]
    between = _BETWEEN_TITLES if _WORKS.search(question) else _BETWEEN
    if between is _BETWEEN_TITLES and _is_title(part):
        return [SentenceSpan(start, end)]
    places = [0]
    for found in between.finditer(part):
        places += [found.start(), found.end()]
    places.append(len(part))
    bare = (_bare(part, a, b) for a, b in zip(places[::2], places[1::2], strict=True))
    return [SentenceSpan(start + a, start + b) for a, b in bare if a < b]


def _is_title(part: str) -> bool:
    sides = _BETWEEN.split(part)
    return "," not in part and all(len(side.split()) == 1 for side in sides)


def _bare(part: str, start: int, end: int) -> tuple[int, int]:
    """Without marks around it, and without what is added in brackets."""
    while start < end and part[start] in _EDGES:
        start += 1
    opened = part.find("(", start + 1, end)
    if opened > 0:
        end = opened
    while start < end and part[end - 1] in _EDGES:
        end -= 1
    if also := _ALSO.search(part, start, end):
        end = also.start()
    return start, end


def key_of(item: str) -> frozenset[str]:
    """What an item is, however it is written."""
    found = _WORD.findall(item.casefold())
    return frozenset(stem(word) for word in found if word not in _EMPTY) or frozenset(found)


def is_same(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether one is named by the words of the other: "boots" and "the hiking boots"."""
    return bool(one) and bool(other) and (one <= other or other <= one)


def how_many(item: str) -> int:
    """Three for "three turtles", one for "a dog"."""
    first = next(iter(item.split()), "").lower()
    if first.isdigit() and len(first) <= 3 and len(item.split()) > 1:
        return int(first)
    if first in CARDINALS and first not in ARTICLES and len(item.split()) > 1:
        return count_in(item) or 1
    return 1
