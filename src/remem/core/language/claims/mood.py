"""The mood of a statement: affirmed or denied, ended, just changed, or only supposed."""

from collections.abc import Sequence
from dataclasses import dataclass

from remem.core.language.lists import word_set
from remem.core.language.words import Word, starts_with_title, stem

_NEGATORS = word_set("mood", "negators")
# Phrases for something that was true and no longer is.
_ENDED_PHRASES = tuple(
    tuple(phrase.split())
    for phrase in (
        "no longer",
        "not any more",
        "no more",
        "used to",
        "has stopped",
        "have stopped",
        "stopped",
        "quit",
        "has quit",
        "gave up",
        "given up",
        "formerly",
        "previously",
        "got rid of",
        "ceased to",
    )
)
_CHANGED = word_set("mood", "changed")
_SUPPOSED = word_set("mood", "supposed")
_AUXILIARIES = frozenset("do does did".split())
_NOISE = word_set("mood", "noise")
_VERBS = frozenset("is was are were".split())
_OPENING_WORDS = frozenset("remember note fyi reminder that".split())


@dataclass(frozen=True, slots=True)
class Mood:
    denied: bool = False
    ended: bool = False
    """The denial is news: the statement was true before."""
    changed: bool = False
    supposed: bool = False


def extract_mood(words: Sequence[Word], question: bool = False) -> tuple[tuple[Word, ...], Mood]:
    """Split a statement into its words without markers of mood, and the mood they express."""
    title_length = 1 if words and starts_with_title(words, _VERBS) else 0
    without_endings, ended_count = _remove_ended_phrases(words[title_length:])
    negations = sum(_is_negation(word) for word in without_endings) + (ended_count > 0)
    lowered = {word.low for word in words[title_length:] if not word.named}
    mood = Mood(
        denied=negations % 2 == 1,
        ended=ended_count > 0,
        changed=bool(lowered & _CHANGED),
        supposed=question or bool(lowered & _SUPPOSED) or _has_may(words) or _is_announced(words),
    )
    remaining = [word for word in without_endings if word.named or word.low not in _AUXILIARIES]
    remaining = [word for word in remaining if not _is_negation(word)]
    return (*words[:title_length], *_remove_noise(remaining)), mood


def _is_negation(word: Word) -> bool:
    """Whether a word negates. A name does not, unless it is a word in capitals."""
    return word.low in _NEGATORS and (not word.named or (word.text.isupper() and len(word.low) > 1))


def _has_may(words: Sequence[Word]) -> bool:
    return any(word.text == "may" for word in words)


def _remove_noise(words: Sequence[Word]) -> tuple[Word, ...]:
    remaining = [word for word in words if word.named or word.low not in _NOISE]
    while remaining and remaining[0].low in _OPENING_WORDS and len(remaining) > 2:
        remaining.pop(0)
    return tuple(remaining)


def _is_announced(words: Sequence[Word]) -> bool:
    """Whether a statement only announces something: "will move", "moving next month". "Will be"
    counts as settled."""
    lowered = [word.low for word in words if not word.named]
    for index, low in enumerate(lowered):
        following = lowered[index + 1 : index + 3]
        if low == "will" and "be" not in following:
            return True
        if (low == "going" and following[:1] == ["to"]) or (
            low == "next" and following[:1] in (["month"], ["year"], ["week"], ["summer"])
        ):
            return True
    return "tomorrow" in lowered


def _remove_ended_phrases(words: Sequence[Word]) -> tuple[list[Word], int]:
    remaining, count, index = [], 0, 0
    lowered = [word.low if not word.named else word.text for word in words]
    while index < len(lowered):
        length = next(
            (
                len(phrase)
                for phrase in _ENDED_PHRASES
                if tuple(lowered[index : index + len(phrase)]) == phrase
                and len(lowered) > len(phrase)
            ),
            0,
        )
        count += length > 0
        remaining += [] if length else [words[index]]
        index += length or 1
    return _remove_any_more(remaining, count)


def _remove_any_more(words: list[Word], count: int) -> tuple[list[Word], int]:
    """Remove "any more" that is separate from its negation: "does not … any more"."""
    lowered = [word.low for word in words]
    for index, low in enumerate(lowered[:-1]):
        if low == "any" and lowered[index + 1] in ("more", "longer"):
            remaining = words[:index] + words[index + 2 :]
            # It is counted as the negation itself, so the negating word is removed with it.
            negation_index = next(
                (position for position, word in enumerate(remaining) if _is_negation(word)), None
            )
            return [
                word for position, word in enumerate(remaining) if position != negation_index
            ], count + 1
    return words, count


OPPOSITES = {
    stem(a): stem(b)
    for pair in (
        "like hate",
        "open closed",
        "enabled disabled",
        "on off",
        "allowed forbidden",
        "required optional",
        "public private",
        "active inactive",
        "online offline",
        "available unavailable",
        "single married",
        "up down",
        "passing failing",
    )
    for a, b in (pair.split(), reversed(pair.split()))
}
