"""Extract the things that a place in a text names, each by its complete name; pure."""

import re

from remem.core.answers.sentences import SentenceSpan
from remem.core.language.numbers import ARTICLES, CARDINALS, count_in
from remem.core.language.words import stem

_FLAGS = re.IGNORECASE | re.ASCII
_NAME_CONTINUES = re.compile(
    r"(?:[ -](?:of|the|and the|&|de|van|von|la|le) )?[ -]?[A-Z0-9][\w'’-]*"
)
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
# The remainder of "liquorice, opera and sailing", to the end of the sentence.
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
_TRAILING_ADVERB = re.compile(r"(?<=\w),? (?:too|as well|also|again)$", _FLAGS)
_EDGES = " .,;:!?\"'“”()"
_EMPTY = frozenset("a an the my your his her our their some i it new".split())
_WORD = re.compile(r"[^\W_]+")
_NOT_NAMED = frozenset(
    "I I'm Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March April"
    " May June July August September October November December".split()
)
_TITLED_WORKS = re.compile(
    r"\b(?:books?|novels?|films?|movies?|songs?|albums?|shows?|series|plays?|games?|poems?)\b",
    _FLAGS,
)


def whole_name(text: str, start: int, end: int) -> SentenceSpan:
    """A place that begins or ends within a name, extended to the full name."""
    if not text[start:end].strip() or not text[start].isupper():
        return SentenceSpan(start, end)
    last = text[start:end].split()[-1]
    while last[:1].isupper() and (match := _NAME_CONTINUES.match(text, end)):
        if match[0].split(" ")[-1] in _NOT_NAMED or not match[0].startswith((" ", "-")):
            break
        end, last = match.end(), match[0].split()[-1]
    while (match := _NAME_BEFORE.search(text, 0, start)) and match["name"] not in _NOT_NAMED:
        start = match.start("name")
    return SentenceSpan(start, end)


def include_adjacent(text: str, start: int, end: int) -> SentenceSpan:
    """A thing and the ones listed next to it: "Tuesday" becomes "Tuesday and Friday"."""
    next_item = _NEXT_NAME if text[start : start + 1].isupper() else _NEXT_THING
    while match := next_item.match(text, end):
        end = match.end()
    if rest := _REST_OF_LIST.match(text, end):
        end = rest.end()
    return SentenceSpan(start, end)


def split_items(text: str, start: int, end: int, question: str) -> list[SentenceSpan]:
    """Each item of "bread, two candles and a lamp"; a title ("War and Peace") is one item."""
    part = text[start:end]
    separator = _BETWEEN_TITLES if _TITLED_WORKS.search(question) else _BETWEEN
    if separator is _BETWEEN_TITLES and _is_title(part):
        return [SentenceSpan(start, end)]
    offsets = [0]
    for match in separator.finditer(part):
        offsets += [match.start(), match.end()]
    offsets.append(len(part))
    stripped = (_strip(part, a, b) for a, b in zip(offsets[::2], offsets[1::2], strict=True))
    return [SentenceSpan(start + a, start + b) for a, b in stripped if a < b]


def _is_title(part: str) -> bool:
    sides = _BETWEEN.split(part)
    return "," not in part and all(len(side.split()) == 1 for side in sides)


def _strip(part: str, start: int, end: int) -> tuple[int, int]:
    """Without surrounding punctuation, a note in brackets and a trailing "too"."""
    while start < end and part[start] in _EDGES:
        start += 1
    bracket = part.find("(", start + 1, end)
    if bracket > 0:
        end = bracket
    while start < end and part[end - 1] in _EDGES:
        end -= 1
    if adverb := _TRAILING_ADVERB.search(part, start, end):
        end = adverb.start()
    return start, end


def key_of(item: str) -> frozenset[str]:
    """A key that is equal for different spellings of an item."""
    item_words = _WORD.findall(item.casefold())
    return frozenset(stem(word) for word in item_words if word not in _EMPTY) or frozenset(
        item_words
    )


def is_same(first: frozenset[str], second: frozenset[str]) -> bool:
    """Whether the words of one include those of the other: "boots" and "the hiking boots"."""
    return bool(first) and bool(second) and (first <= second or second <= first)


def quantity_of(item: str) -> int:
    """3 for "three turtles", 1 for "a dog"."""
    first = next(iter(item.split()), "").lower()
    if first.isdigit() and len(first) <= 3 and len(item.split()) > 1:
        return int(first)
    if first in CARDINALS and first not in ARTICLES and len(item.split()) > 1:
        return count_in(item) or 1
    return 1
