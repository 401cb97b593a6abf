"""Speakers, and whether a statement is about its own speaker."""

import re

from remem.core.language.detect import language_of, may_be_english
from remem.core.language.lists import table
from remem.core.language.query_words import query_languages
from remem.core.language.sentences import sentences

# The user the memory belongs to: writes notes, saves statements, talks to an assistant.
USER = "user"
_USER_NAMES = frozenset({"user", "the user", "human", "me", "i"})
_ASSISTANT_NAMES = frozenset(
    "assistant ai bot system model agent chatgpt gpt claude gemini copilot".split()
)
_FEED_PREFIX, _PAGE_PREFIX, _FILE_PREFIX = "Feed: ", "Page: ", "File: "
_SELF = re.compile(r"\b(?:I|[Mm]e|[Mm]y|[Mm]ine|[Mm]yself)\b")
_US = re.compile(r"\b(?:we|us|our|ours|ourselves)\b", re.IGNORECASE)
_WORDS = table("person", "any")


def _any_of(words: str) -> str:
    # Not \b: the vowel signs of Indic scripts are no letters.
    return rf"(?<!\w)(?:{'|'.join(words.split())})(?!\w)"


_OTHER_LANGUAGES = re.compile(
    # "Mia" is a name.
    rf"(?!(?-i:Mia)){_any_of(_WORDS['first_person'])}"
    rf"|{'|'.join(_WORDS['first_person_unspaced'].split())}",
    re.IGNORECASE,
)
_AMBIGUOUS = re.compile(_any_of(_WORDS["first_person_of_its_language"]), re.IGNORECASE)
_IN_LANGUAGE = {
    language: re.compile(_any_of(words), re.IGNORECASE)
    for language, words in _WORDS["first_person_in"].items()
}
_NO_ENGLISH_SIGN = re.compile(r"[¿¡]|[^\W\d_a-zA-Z]")
_THE_USER = re.compile(_any_of(_WORDS["the_user"]), re.IGNORECASE)


def is_user(speaker: str | None) -> bool:
    """Whether the speaker is the user; a missing speaker counts as the user."""
    return not speaker or speaker.strip().casefold() in _USER_NAMES


def is_assistant(speaker: str | None) -> bool:
    """Whether the speaker is a program that the user talks to."""
    return bool(_ASSISTANT_NAMES & set((speaker or "").casefold().split()))


def feed_speaker(name: str) -> str:
    """The speaker name of a feed, with a prefix so that its title is never read as the user's
    name."""
    return f"{_FEED_PREFIX}{name}"


def is_feed(speaker: str | None) -> bool:
    return bool(speaker) and (speaker or "").casefold().startswith(_FEED_PREFIX.casefold())


def page_speaker(name: str) -> str:
    """The speaker name of a web page that names no author."""
    return f"{_PAGE_PREFIX}{name}"


def file_speaker(name: str) -> str:
    """The speaker name of a file that names no author: it may be anybody's."""
    return f"{_FILE_PREFIX}{name}"


def is_file(speaker: str | None) -> bool:
    return (speaker or "").startswith(_FILE_PREFIX)


def shown_name(speaker: str) -> str:
    """The name of a feed, page, file or person."""
    for prefix in (_FEED_PREFIX, _PAGE_PREFIX, _FILE_PREFIX):
        speaker = speaker.removeprefix(prefix)
    return speaker


def is_external(speaker: str | None) -> bool:
    """Whether the speaker is a feed, a page or a file, and not a person the user knows."""
    return is_feed(speaker) or (speaker or "").startswith((_PAGE_PREFIX, _FILE_PREFIX))


def mentions_self(text: str) -> bool:
    return _SELF.search(text) is not None


def mentions_us(text: str) -> bool:
    return _US.search(text) is not None


def depends_on_speaker(text: str) -> bool:
    """Whether the meaning changes with the speaker."""
    return mentions_self(text) or mentions_us(text) or _OTHER_LANGUAGES.search(text) is not None


def may_be_of_self(text: str) -> bool:
    """Whether the text may be about its speaker, also by a word of another language that means
    something else in English."""
    if depends_on_speaker(text) or _is_self_in_language(text):
        return True
    return bool(_AMBIGUOUS.search(text)) and any(
        _AMBIGUOUS.search(sentence) and not _is_english(sentence) for sentence in sentences(text)
    )


def _is_self_in_language(text: str) -> bool:
    found = {language for language, words in _IN_LANGUAGE.items() if words.search(text)}
    return bool(found) and not found.isdisjoint({*query_languages(text), language_of(text)})


def _is_english(sentence: str) -> bool:
    return may_be_english(sentence) and not _NO_ENGLISH_SIGN.search(sentence)


def mentions_user(text: str) -> bool:
    """Whether somebody writes of the user: "The user prefers tea"."""
    return _THE_USER.search(text) is not None
