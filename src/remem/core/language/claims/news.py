"""Whether a statement tells that something is not as it was."""

from collections.abc import Collection, Sequence
from itertools import pairwise

from remem.core.language.claims.verbs import BE, is_past
from remem.core.language.lists import phrases, word_set
from remem.core.language.words import Word, stem_set

_TURNS = stem_set("changes", "turns")
_BARE_PAST = frozenset("was were had did".split())
_NEWS = word_set("changes", "news")
_NEWS_PHRASES = phrases("changes", "news_phrases")
_TURN_PHRASES = phrases("changes", "turn_phrases")
_HINTS = word_set("changes", "hints")
_UNSURE = word_set("changes", "unsure")
_PLANNED = phrases("changes", "planned")
_RENEWED = frozenset("new another".split())
_PRESENT_BE = frozenset("is are am be".split())


def is_unsure(found: Sequence[Word]) -> bool:
    return any(word.low in _UNSURE for word in found) or has_phrase(found, _PLANNED)


def tells_news(found: Sequence[Word]) -> bool:
    """In words that mean nothing else; "again" in the present, for one may eat somewhere again."""
    lows = {word.low for word in found if not word.named}
    present = not any(is_past_event(word) for word in found if not word.named)
    return bool(lows & _NEWS) or ("again" in lows and present) or has_phrase(found, _NEWS_PHRASES)


def tells_turn(found: Sequence[Word], known: Collection[str]) -> bool:
    """That something ended or altered, or that there is a new one of the terms that are known."""
    if has_phrase(found, _TURN_PHRASES) or any(word.low in _HINTS for word in found):
        return True
    if any(word.low in _RENEWED and after.stem in known for word, after in pairwise(found)):
        return True
    return any(
        word.stem in _TURNS and is_past_event(word) and not is_state(found, at)
        for at, word in enumerate(found)
        if not word.named or at == 0
    )


def is_state(found: Sequence[Word], at: int) -> bool:
    """ "Is painted white" tells how it is; "is postponed" is among the words above."""
    return at > 0 and found[at - 1].low in _PRESENT_BE


def is_past_event(verb: Word) -> bool:
    return verb.low in _BARE_PAST or (is_past(verb) and verb.low not in BE)


def has_phrase(found: Sequence[Word], wanted: Sequence[tuple[str, ...]]) -> bool:
    lows = [word.low for word in found]
    return any(
        tuple(lows[at : at + len(phrase)]) == phrase
        for phrase in wanted
        for at in range(len(lows) - len(phrase) + 1)
    )
