"""Whether what a clause names came about, or was only tried, refused, or claimed; pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from remem.core.language.claims.attributes import PREPOSITIONS
from remem.core.language.claims.mood import weigh
from remem.core.language.claims.verbs import find_verb
from remem.core.language.lists import word_set
from remem.core.language.words import Word, stem_set

Outcome: TypeAlias = Literal["done", "undone", "open"]

_UNDONE = stem_set("outcomes", "undone")
_DONE_IF_DENIED = stem_set("outcomes", "done_if_denied")
_OPEN = stem_set("outcomes", "open_verbs")
_UNDONE_IF_DENIED = stem_set("outcomes", "undone_if_denied")
_PLEDGES = stem_set("outcomes", "pledges")
_CLAIMED = stem_set("outcomes", "claimed")
_CLAIMED_FORMS = word_set("outcomes", "claimed_forms")
_OWN_CLAIMS = stem_set("outcomes", "own_claims")
_CONDITIONS = word_set("outcomes", "conditions")
_DOUBTS = word_set("outcomes", "doubts")
_ASKING = stem_set("outcomes", "asking")
_SHORT_OF = word_set("outcomes", "short_of")
_SPEECH = stem_set("outcomes", "speech")
# "Asked my brother Tim to", "decided again against".
_REACH = 4
_NO_VERBS = frozenset("the a an this that these those my our your his her its their".split())
_BEFORE_ING = frozenset("about of against on from".split())
# "Should it rain, we will stay".
_INVERTED = re.compile(
    r"\s*+(?:should \w|(?:were|had) (?:i|we|you|he|she|it|they)\b)[^,?]*+,",
    re.IGNORECASE | re.ASCII,
)
_OPEN_BOX = re.compile(r"\s*(?:(?:[-*+•]|\d{1,3}[.)])\s{1,4})?(?:\[ ?\]|☐)")


@dataclass(frozen=True, slots=True)
class Governed:
    """From `start` on, the words of a clause stand behind the word whose stem is `by`."""

    start: int
    by: str
    outcome: Outcome
    is_pledge: bool = False
    is_of_next: bool = False
    """Of the next word alone: "almost everyone came"."""


def governed_in(said: Sequence[Word]) -> Governed | None:
    """The first part of a clause that is only tried, refused, claimed or the like."""
    for at, word in enumerate(said):
        if word.named:
            continue
        found = _too(said, at) or _short_of(said, at) or _claimed(said, at) or _governed(said, at)
        if found:
            return found
    return None


def condition_in(said: Sequence[Word]) -> tuple[int, bool] | None:
    """Where a word stands that makes a sentence depend on something; and whether it asks, so that
    only what stands behind it is open: "I will ask her if she comes"."""
    for at, word in enumerate(said):
        if word.low in _CONDITIONS and not word.named:
            return at, any(before.stem in _ASKING for before in said[max(0, at - 3) : at])
    return None


def is_doubtful(said: Sequence[Word]) -> bool:
    """ "Maybe she will come"."""
    return any(word.low in _DOUBTS and not word.named for word in said)


def is_supposed(sentence: str) -> bool:
    """ "Should it rain, we will stay": a condition without a word for it."""
    return _INVERTED.match(sentence) is not None


def is_open_task(sentence: str) -> bool:
    """A line of a list that is not ticked: "- [ ] call the roofer"."""
    return _OPEN_BOX.match(sentence) is not None


def _governed(said: Sequence[Word], at: int) -> Governed | None:
    by = said[at].stem
    if by not in _UNDONE | _OPEN | _PLEDGES:
        return None
    start = _verb_behind(said, at)
    if start is None or said[start].stem in _SPEECH:
        return None
    is_denied = weigh(said[:at])[1].denied
    return Governed(start, by, _outcome(by, is_denied), by in _PLEDGES)


def _outcome(by: str, is_denied: bool) -> Outcome:
    if by in _UNDONE:
        if not is_denied:
            return "undone"
        return "done" if by in _DONE_IF_DENIED else "open"
    return "undone" if is_denied and by in _UNDONE_IF_DENIED else "open"


def _verb_behind(said: Sequence[Word], at: int) -> int | None:
    """Where the verb stands: "tried to sell", "asked Tim to come", "thought about buying"."""
    for place in range(at + 1, min(at + 2 + _REACH, len(said))):
        word, before = said[place], said[place - 1]
        if before.low == "to" and place > at + 1:
            is_verb = not word.named and word.low not in _NO_VERBS | PREPOSITIONS
            return place if is_verb else None
        is_next = place == at + 1 or before.low in _BEFORE_ING
        if is_next and said[at].low != "about" and word.low.endswith("ing") and not word.named:
            return place
    return None


def _claimed(said: Sequence[Word], at: int) -> Governed | None:
    """ "Claims that she sent it"; what is only claimed, as a right or a prize, has no verb."""
    word = said[at]
    is_claim = word.stem in _CLAIMED or word.low in _CLAIMED_FORMS
    if not is_claim or at == 0:
        return None
    if find_verb(said[at + 1 :]) is None and _verb_behind(said, at) is None:
        return None
    is_own = said[at - 1].low == "i" and word.stem in _OWN_CLAIMS
    return None if is_own else Governed(at + 1, word.stem, "open")


def _short_of(said: Sequence[Word], at: int) -> Governed | None:
    if said[at].low not in _SHORT_OF or at + 1 >= len(said):
        return None
    return Governed(at + 1, said[at].low, "undone", is_of_next=True)


def _too(said: Sequence[Word], at: int) -> Governed | None:
    """ "Too young to drive"."""
    lows = [word.low for word in said[at : at + 4]]
    if len(lows) < 4 or lows[0] != "too" or lows[2] != "to":
        return None
    is_denied = weigh(said[:at])[1].denied
    return Governed(at + 3, "too", "open" if is_denied else "undone")
