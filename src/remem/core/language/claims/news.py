"""Detect statements that say that something changed."""

from collections.abc import Collection, Sequence
from itertools import pairwise

from remem.core.language.claims.verbs import BE, is_past
from remem.core.language.lists import phrases, word_set
from remem.core.language.words import Word, stem_set

_CHANGE_VERBS = stem_set("changes", "turns")
_BARE_PAST = frozenset("was were had did".split())
_NEWS_WORDS = word_set("changes", "news")
_NEWS_PHRASES = phrases("changes", "news_phrases")
_CHANGE_PHRASES = phrases("changes", "turn_phrases")
_CHANGE_HINTS = word_set("changes", "hints")
_UNSURE_WORDS = word_set("changes", "unsure")
_PLAN_PHRASES = phrases("changes", "planned")
_NEW_WORDS = frozenset("new another".split())
_PRESENT_BE = frozenset("is are am be".split())


def is_unsure(words: Sequence[Word]) -> bool:
    return any(word.low in _UNSURE_WORDS for word in words) or has_phrase(words, _PLAN_PHRASES)


def announces_news(words: Sequence[Word]) -> bool:
    """Whether unambiguous words announce news. "Again" counts only in the present tense, because
    "ate there again" is no news."""
    lowered = {word.low for word in words if not word.named}
    is_present = not any(is_past_event(word) for word in words if not word.named)
    return (
        bool(lowered & _NEWS_WORDS)
        or ("again" in lowered and is_present)
        or has_phrase(words, _NEWS_PHRASES)
    )


def announces_change(words: Sequence[Word], known_terms: Collection[str]) -> bool:
    """Whether a statement says that something ended or changed, or that there is a new one of the
    known terms."""
    if has_phrase(words, _CHANGE_PHRASES) or any(word.low in _CHANGE_HINTS for word in words):
        return True
    if any(word.low in _NEW_WORDS and after.stem in known_terms for word, after in pairwise(words)):
        return True
    return any(
        word.stem in _CHANGE_VERBS and is_past_event(word) and not is_state(words, index)
        for index, word in enumerate(words)
        if not word.named or index == 0
    )


def is_state(words: Sequence[Word], index: int) -> bool:
    """Whether a participle describes a state: "is painted white". ("Is postponed" is matched by the
    phrases above.)"""
    return index > 0 and words[index - 1].low in _PRESENT_BE


def is_past_event(verb: Word) -> bool:
    return verb.low in _BARE_PAST or (is_past(verb) and verb.low not in BE)


def has_phrase(words: Sequence[Word], wanted: Sequence[tuple[str, ...]]) -> bool:
    lowered = [word.low for word in words]
    return any(
        tuple(lowered[index : index + len(phrase)]) == phrase
        for phrase in wanted
        for index in range(len(lowered) - len(phrase) + 1)
    )
