"""Words that are not useful as tags: verbs, units, words of the calendar, possible secrets."""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import import_module
from typing import Any

from remem.core.language.lists import table, word_list, word_set
from remem.core.language.numbers import CARDINALS, SCALES
from remem.core.language.stopwords import ALL_STOP_WORDS, EMPTY_WORDS, STOP_WORDS
from remem.core.language.times.calendar import PARTS_OF_DAY, SEASONS, WEEKDAY_NAMES
from remem.core.language.vocabulary import ADVERBS, PAST

_REGULAR = word_list("tags", "regular")
_IRREGULAR = word_list("tags", "irregular")


def _forms(verb: str) -> set[str]:
    stem = verb[:-1] if verb.endswith(("e", "y")) else verb
    third = f"{stem}ies" if verb.endswith("ry") else f"{verb}s"
    past = f"{stem}ied" if verb.endswith("ry") else f"{stem}ed"
    return {verb, third, past, f"{verb}ed"}


VERBS = frozenset(_IRREGULAR).union(PAST, ADVERBS, *map(_forms, _REGULAR))
UNITS = word_set("tags", "units").union(
    CARDINALS, SCALES, (f"{day}s" for day in WEEKDAY_NAMES), ("half", "dozen")
)
BEFORE_NOUNS = {
    language: frozenset(words.split())
    for language, words in table("nouns", "any")["before"].items()
}
"""By language: articles and other words that are directly before a noun."""
_NEVER = frozenset[str]().union(
    *BEFORE_NOUNS.values(),
    *(table("nouns", "any")[name].split() for name in ("forms_of_address", "secrets")),
)
_MIN_STOP_WORDS = 3
_WORD = re.compile(r"[^\W\d_]+")
_CALENDAR_FIELDS = (
    "january february march april may june july august september october november december monday"
    " tuesday wednesday thursday friday saturday sunday am pm year month week day hour minute"
    " second ago in relative-type relative-type-regex"
).split()
_SECRETS = word_set("tags", "secrets")
_CODES = word_set("tags", "codes")
SENSITIVE = _SECRETS | (_CODES - {"no", "id", "card", "phone", "passport"})
_SECRET_DISTANCE, _CODE_DISTANCE = 6, 2
_FUNCTION_WORDS = frozenset(
    "is are was were the a an to of for my our its = : - \" “ ” ' `".split()
)


def languages_in(words: frozenset[str], language: str | None) -> tuple[str, ...]:
    """The language of a text, and others of which it has several stop words."""
    main = STOP_WORDS.get(language or "", frozenset())
    others = (
        name
        for name, stop_words in STOP_WORDS.items()
        if len(words & (stop_words - main)) >= _MIN_STOP_WORDS
    )
    return tuple(dict.fromkeys([*([language] if language else []), *others]))


def not_tags(languages: Sequence[str]) -> frozenset[str]:
    """Words that are no tags in a text of these languages."""
    stop_words = (STOP_WORDS.get(language, frozenset()) for language in languages)
    known = any(language in STOP_WORDS for language in languages)
    words = _NEVER.union(*stop_words, () if known else ALL_STOP_WORDS)
    if not languages or "en" in languages:
        words |= VERBS
    calendars = (calendar_words(language) for language in {*languages, "en"})
    return words.union(EMPTY_WORDS, UNITS, SENSITIVE, *calendars)


@cache
def calendar_words(language: str) -> frozenset[str]:
    """Months, weekdays, parts of the day, seasons and words such as "tomorrow"."""
    try:
        # Imported by name: there are two hundred, and a text needs one or two.
        data = import_module(f"dateparser.data.date_translation_data.{language}")
    except ImportError:
        return frozenset()
    known = " ".join(word for key in _CALENDAR_FIELDS for word in _strings(data.info.get(key)))
    words = frozenset(word.casefold() for word in _WORD.findall(known))
    english = (*PARTS_OF_DAY, *SEASONS) if language == "en" else ()
    times: str = table("questions", "any").get(f"times_{language}", "")
    return words.union(times.split(), english)


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        value = value.values()
    if isinstance(value, str):
        yield value
    elif value:
        for part in value:
            yield from _strings(part)


def secret_words(tokens: Sequence[str]) -> set[str]:
    """The words of a line near a word such as password, code or number, in lower case: they may be
    the secret."""
    lowered = [token.casefold() for token in tokens]
    secrets: set[str] = set()
    for at, word in enumerate(lowered):
        if word in _SECRETS:
            secrets.update(lowered[max(0, at - _SECRET_DISTANCE) : at + _SECRET_DISTANCE + 1])
        elif word in _CODES:
            secrets.update(_next_words(lowered[at + 1 :]), _next_words(lowered[:at][::-1]))
    return secrets


def _next_words(words: Sequence[str]) -> list[str]:
    """The next few words that are not function words."""
    next_words: list[str] = []
    for word in words[: 4 * _CODE_DISTANCE]:
        if word in ".!?;" or len(next_words) == _CODE_DISTANCE:
            break
        if word not in _FUNCTION_WORDS:
            next_words.append(word)
    return next_words
