"""Check whether a text can answer "when" or "where" asked in another language; pure."""

import re
from collections.abc import Sequence

from remem.core.language.detect import language_of
from remem.core.language.lists import table

# "when_de" lists the German words that ask for a time, and so on.
_LISTS: dict[str, tuple[str, ...]] = {
    name: tuple(words.split()) for name, words in table("questions", "any").items()
}
_DIGIT = re.compile(r"\d")
_WORD = re.compile(r"[^\W\d_]+(?:[-’'][^\W\d_]+)*")
# The number of words before a place to search for its preposition: seldom more than an article is
# between.
PREPOSITION_DISTANCE = 3
# Shorter entries match complete words only: "an" means year, but "Anne" does not.
MIN_PREFIX_CHARS = 4


def is_no_time_or_place(question: str, text: str, sentence: str) -> bool:
    times, places = _languages(question, "when"), _languages(question, "where")
    # In "Dove soap, how much?" the first word is a name.
    if not (times or places) or language_of(question) == "en":
        return False
    return not any(
        [
            *(_names_time(language, text, sentence) for language in times),
            *(_names_place(language, text, sentence) for language in places),
        ]
    )


def _languages(question: str, kind: str) -> list[str]:
    """The languages in which the first word of the question asks for this kind of answer."""
    first = _WORD.search(question)
    question_word = re.split("['’]", first[0].lower())[0] if first else ""
    return [
        name.removeprefix(f"{kind}_")
        for name, words in _LISTS.items()
        if name.startswith(f"{kind}_") and question_word in words
    ]


def _names_time(language: str, text: str, sentence: str) -> bool:
    times = _LISTS[f"times_{language}"]
    prefixes = tuple(time for time in times if len(time) >= MIN_PREFIX_CHARS)
    text_words = [word.lower() for word in _WORD.findall(text)]
    return (
        any(word in times or word.startswith(prefixes) for word in text_words)
        or bool(_DIGIT.search(text))
        or _follows(_LISTS[f"before_time_{language}"], text, sentence)
    )


def _names_place(language: str, text: str, sentence: str) -> bool:
    """Whether it has a name or a number, or follows a preposition such as "in"."""
    text_words = _WORD.findall(text)
    names = text_words if not sentence.startswith(text) else text_words[1:]
    return (
        any(word[0].isupper() for word in names)
        or bool(_DIGIT.search(text))
        or _follows(_LISTS[f"before_place_{language}"], text, sentence)
    )


def _follows(prepositions: Sequence[str], text: str, sentence: str) -> bool:
    preceding, _, _ = sentence.partition(text)
    nearby = [*_WORD.findall(preceding)[-PREPOSITION_DISTANCE:], *_WORD.findall(text)]
    return not set(prepositions).isdisjoint(word.lower() for word in nearby)
