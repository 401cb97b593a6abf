"""Check whether a text is said by somebody other than the person a question is about; pure."""

import re
from collections.abc import Iterable

from remem.core.answers.model import Source
from remem.core.language.person import (
    is_assistant,
    is_external,
    is_file,
    is_user,
    may_be_of_self,
    mentions_user,
)

_WORD = re.compile(r"[^\W\d_]+")
_FIRST_PERSON = frozenset("i me my mine we our us".split())
_POSSESSIVES = re.compile(r"\b(?:my|our)\b")
_LEADING_DETERMINERS = re.compile(
    r"^(?:(?:my|our|your|his|her|their|this|that|these|those|some|just|so|really|very|quite)\s+)+",
    re.IGNORECASE,
)
_TELL_ME = re.compile(r"\b(?:tell|show|give|remind) me\b", re.IGNORECASE)
_SECOND_PERSON = frozenset("you your yours".split())


def named_speakers(question: str, sources: Iterable[Source]) -> frozenset[str]:
    """The speakers of the sources that the question names."""
    words = {word.lower() for word in _WORD.findall(question)}
    return frozenset(speaker for source in sources if (speaker := first_name(source)) in words)


def is_said_by_another(named: frozenset[str], source: Source) -> float:
    """From 0 to 1. People are asked about what they say of themselves; what others say about
    themselves does not answer, unless they address or name that person."""
    speaker = first_name(source)
    if not named or not speaker or speaker in named:
        return 0.0
    text_words = {word.lower() for word in _WORD.findall(_without_speaker(source))}
    if text_words & named:
        return 0.0
    if text_words & _SECOND_PERSON:
        return 0.5 if text_words & _FIRST_PERSON else 0.0
    return 1.0


def may_answer(question: str, source: Source) -> bool:
    """Not if the question is about the user and the text is about its own author: "I" in a feed, a
    page or a conversation is not the user, and "you" in a feed or a page is not the user either.
    In a file "I" may be the user; the answer then names the file."""
    speaker = source.speaker
    if is_user(speaker) or is_assistant(speaker) or is_file(speaker):
        return True
    if not is_about_user(question):
        return True
    text_words = {word.lower() for word in _WORD.findall(source.content)}
    is_about_author = bool(text_words & _FIRST_PERSON) or may_be_of_self(source.content)
    return not is_about_author and not (is_external(speaker) and text_words & _SECOND_PERSON)


def is_about_user(question: str) -> bool:
    return may_be_of_self(_TELL_ME.sub(" ", question))


def is_of_user_by_others(speaker: str | None, text: str) -> bool:
    """Whether somebody else, or a file, says it, and it may be about the user: then the answer
    names who says it."""
    if is_user(speaker) or is_assistant(speaker):
        return False
    return is_file(speaker) or mentions_user(text)


def rephrase_for_user(text: str, speaker: str | None) -> str:
    """Address the user: "my" in a note becomes "your". In a conversation, leading determiners are
    removed, because the question says whose it is."""
    if is_user(speaker):
        return _POSSESSIVES.sub("your", text)
    return _LEADING_DETERMINERS.sub("", text) or text


def first_name(source: Source) -> str:
    names = [] if is_external(source.speaker) else _WORD.findall(source.speaker or "")
    return names[0].lower() if names else ""


def _without_speaker(source: Source) -> str:
    return source.content.removeprefix(f"{source.speaker}:")
