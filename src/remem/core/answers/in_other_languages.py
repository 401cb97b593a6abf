"""Whether a text can be the time or place that a question in another language asks for; pure."""

import re
from collections.abc import Sequence

from remem.core.language.detect import language_of
from remem.core.language.lists import table

# "when_de" has the words that ask for a time in German, and so on.
_LISTS: dict[str, tuple[str, ...]] = {
    name: tuple(words.split()) for name, words in table("questions", "any").items()
}
_DIGIT = re.compile(r"\d")
_WORD = re.compile(r"[^\W\d_]+(?:[-’'][^\W\d_]+)*")
# A preposition and an article stand before a place, seldom more.
WORDS_BEFORE = 3
# What is shorter is a whole word: "an" is a year, "Anne" is not.
BEGINNING_CHARS = 4


def is_no_time_or_place(question: str, text: str, sentence: str) -> bool:
    times, places = _languages(question, "when"), _languages(question, "where")
    # Of "Dove soap, how much?" the first word is a name.
    if not (times or places) or language_of(question) == "en":
        return False
    return not any(
        [
            *(_names_time(language, text, sentence) for language in times),
            *(_names_place(language, text, sentence) for language in places),
        ]
    )


def _languages(question: str, kind: str) -> list[str]:
    """Those in which the first word of a question asks for this."""
    first = _WORD.search(question)
    asks = re.split("['’]", first[0].lower())[0] if first else ""
    return [
        name.removeprefix(f"{kind}_")
        for name, words in _LISTS.items()
        if name.startswith(f"{kind}_") and asks in words
    ]


def _names_time(language: str, text: str, sentence: str) -> bool:
    times = _LISTS[f"times_{language}"]
    beginnings = tuple(time for time in times if len(time) >= BEGINNING_CHARS)
    said = [word.lower() for word in _WORD.findall(text)]
    return (
        any(word in times or word.startswith(beginnings) for word in said)
        or bool(_DIGIT.search(text))
        or _follows(_LISTS[f"before_time_{language}"], text, sentence)
    )


def _names_place(language: str, text: str, sentence: str) -> bool:
    """A name, a number, or what stands behind a word such as "in"."""
    inside = _WORD.findall(text)
    names = inside if not sentence.startswith(text) else inside[1:]
    return (
        any(word[0].isupper() for word in names)
        or bool(_DIGIT.search(text))
        or _follows(_LISTS[f"before_place_{language}"], text, sentence)
    )


def _follows(prepositions: Sequence[str], text: str, sentence: str) -> bool:
    before, _, _ = sentence.partition(text)
    said = [*_WORD.findall(before)[-WORDS_BEFORE:], *_WORD.findall(text)]
    return not set(prepositions).isdisjoint(word.lower() for word in said)
