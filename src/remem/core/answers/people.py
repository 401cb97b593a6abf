"""Whether a text is said by somebody else than the one a question is about; pure."""

import re
from collections.abc import Iterable

from remem.core.answers.model import Source
from remem.core.language.person import depends_on_speaker, is_assistant, is_elsewhere, is_user

_WORD = re.compile(r"[^\W\d_]+")
_FIRST = frozenset("i me my mine we our us".split())
_MINE = re.compile(r"\b(?:my|our)\b")
_POINTS = re.compile(
    r"^(?:(?:my|our|your|his|her|their|this|that|these|those|some|just|so|really|very|quite)\s+)+",
    re.IGNORECASE,
)
_TELL_ME = re.compile(r"\b(?:tell|show|give|remind) me\b", re.IGNORECASE)
_SECOND = frozenset("you your yours".split())


def named_speakers(question: str, sources: Iterable[Source]) -> frozenset[str]:
    """Of those who speak in the sources, whom the question names."""
    words = {word.lower() for word in _WORD.findall(question)}
    return frozenset(speaker for source in sources if (speaker := first_name(source)) in words)


def is_said_by_another(named: frozenset[str], source: Source) -> float:
    """From 0 to 1. One who is asked about tells of themselves; what another says of themselves is
    no answer, unless they speak to them or of them."""
    speaker = first_name(source)
    if not named or not speaker or speaker in named:
        return 0.0
    said = {word.lower() for word in _WORD.findall(_without_speaker(source))}
    if said & named:
        return 0.0
    if said & _SECOND:
        return 0.5 if said & _FIRST else 0.0
    return 1.0


def may_answer(question: str, source: Source) -> bool:
    """Whom a feed, a page or somebody in a talk calls "I" is not the user, who asks about
    themselves; nor is it the user whom a feed or a page calls "you"."""
    if is_user(source.speaker) or is_assistant(source.speaker):
        return True
    if not depends_on_speaker(_TELL_ME.sub(" ", question)):
        return True
    said = {word.lower() for word in _WORD.findall(source.content)}
    return not said & (_FIRST | _SECOND if is_elsewhere(source.speaker) else _FIRST)


def as_told(text: str, speaker: str | None) -> str:
    """What is mine in a note is yours in its answer; whose it is in a talk the question says."""
    if is_user(speaker):
        return _MINE.sub("your", text)
    return _POINTS.sub("", text) or text


def first_name(source: Source) -> str:
    names = _WORD.findall(source.speaker or "")
    return names[0].lower() if names else ""


def _without_speaker(source: Source) -> str:
    return source.content.removeprefix(f"{source.speaker}:")
