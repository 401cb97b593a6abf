"""What a statement is meant as: affirmed or denied, over, changed just now, or only supposed."""

from collections.abc import Sequence
from dataclasses import dataclass

from remem.core.language.lists import word_set
from remem.core.language.words import Word, opens_title, stem

_NEGATORS = word_set("mood", "negators")
# Phrases that say: it was so, and is so no more.
_ENDED = tuple(
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
_HEADS = frozenset("remember note fyi reminder that".split())


@dataclass(frozen=True, slots=True)
class Mood:
    denied: bool = False
    ended: bool = False
    """The denial is news: it was so before."""
    changed: bool = False
    supposed: bool = False


def weigh(words: Sequence[Word], question: bool = False) -> tuple[tuple[Word, ...], Mood]:
    """The words that remain when denial and the like are taken out, and what those said."""
    title = 1 if words and opens_title(words, _VERBS) else 0
    kept, ended = _without_endings(words[title:])
    denials = sum(_denies(word) for word in kept) + (ended > 0)
    lows = {word.low for word in words[title:] if not word.named}
    mood = Mood(
        denied=denials % 2 == 1,
        ended=ended > 0,
        changed=bool(lows & _CHANGED),
        supposed=question or bool(lows & _SUPPOSED) or _may(words) or _is_ahead(words),
    )
    left = [word for word in kept if word.named or word.low not in _AUXILIARIES]
    left = [word for word in left if not _denies(word)]
    return (*words[:title], *_trim(left)), mood


def _denies(word: Word) -> bool:
    """A name denies nothing, unless it is a word that was shouted."""
    return word.low in _NEGATORS and (not word.named or (word.text.isupper() and len(word.low) > 1))


def _may(words: Sequence[Word]) -> bool:
    return any(word.text == "may" for word in words)


def _trim(words: Sequence[Word]) -> tuple[Word, ...]:
    left = [word for word in words if word.named or word.low not in _NOISE]
    while left and left[0].low in _HEADS and len(left) > 2:
        left.pop(0)
    return tuple(left)


def _is_ahead(words: Sequence[Word]) -> bool:
    """Only announced: "will move", "moving next month"; but "will be" fixes a date."""
    lows = [word.low for word in words if not word.named]
    for at, low in enumerate(lows):
        following = lows[at + 1 : at + 3]
        if low == "will" and "be" not in following:
            return True
        if (low == "going" and following[:1] == ["to"]) or (
            low == "next" and following[:1] in (["month"], ["year"], ["week"], ["summer"])
        ):
            return True
    return "tomorrow" in lows


def _without_endings(words: Sequence[Word]) -> tuple[list[Word], int]:
    kept, count, at = [], 0, 0
    lows = [word.low if not word.named else word.text for word in words]
    while at < len(lows):
        length = next(
            (len(p) for p in _ENDED if tuple(lows[at : at + len(p)]) == p and len(lows) > len(p)), 0
        )
        count += length > 0
        kept += [] if length else [words[at]]
        at += length or 1
    return _without_any_more(kept, count)


def _without_any_more(words: list[Word], count: int) -> tuple[list[Word], int]:
    """ "Does not … any more": the denial stands apart from its end."""
    lows = [word.low for word in words]
    for at, low in enumerate(lows[:-1]):
        if low == "any" and lows[at + 1] in ("more", "longer"):
            kept = words[:at] + words[at + 2 :]
            # Counted as the denial itself, so the word that denies is taken out with it.
            first = next((n for n, word in enumerate(kept) if _denies(word)), None)
            return [word for n, word in enumerate(kept) if n != first], count + 1
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
