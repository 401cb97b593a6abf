"""Whether the event of a clause happened, or was only tried, refused or claimed; pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from remem.core.language.claims.attributes import PREPOSITIONS
from remem.core.language.claims.mood import extract_mood
from remem.core.language.claims.verbs import find_verb
from remem.core.language.lists import word_set
from remem.core.language.words import Word, stem_set

Outcome: TypeAlias = Literal["done", "undone", "open"]

_UNDONE_VERBS = stem_set("outcomes", "undone")
_DONE_IF_DENIED = stem_set("outcomes", "done_if_denied")
_OPEN_VERBS = stem_set("outcomes", "open_verbs")
_UNDONE_IF_DENIED = stem_set("outcomes", "undone_if_denied")
_PLEDGES = stem_set("outcomes", "pledges")
_CLAIM_VERBS = stem_set("outcomes", "claimed")
_CLAIM_FORMS = word_set("outcomes", "claimed_forms")
_OWN_CLAIMS = stem_set("outcomes", "own_claims")
_CONDITIONS = word_set("outcomes", "conditions")
_DOUBTS = word_set("outcomes", "doubts")
_ASKING = stem_set("outcomes", "asking")
_ALMOST_WORDS = word_set("outcomes", "short_of")
_SPEECH = stem_set("outcomes", "speech")
# How far a governed verb may be from its governing word: "asked my brother Tim to", "decided
# again against".
_MAX_DISTANCE = 4
_NOT_VERBS = frozenset("the a an this that these those my our your his her its their".split())
_BEFORE_ING = frozenset("about of against on from".split())
# "Should it rain, we will stay".
_INVERTED = re.compile(
    r"\s*+(?:should \w|(?:were|had) (?:i|we|you|he|she|it|they)\b)[^,?]*+,",
    re.IGNORECASE | re.ASCII,
)
_OPEN_BOX = re.compile(r"\s*(?:(?:[-*+•]|\d{1,3}[.)])\s{1,4})?(?:\[ ?\]|☐)")


@dataclass(frozen=True, slots=True)
class Governed:
    """The part of a clause, from word `start` on, that depends on the word with the stem `by`."""

    start: int
    by: str
    outcome: Outcome
    is_pledge: bool = False
    is_of_next: bool = False
    """Only the next word depends on it: "almost everyone came"."""


def governed_in(words: Sequence[Word]) -> Governed | None:
    """The first part of a clause that was only tried, refused, claimed or the like."""
    for at, word in enumerate(words):
        if word.named:
            continue
        governed = (
            _governed_by_too(words, at)
            or _governed_by_almost(words, at)
            or _governed_by_claim(words, at)
            or _governed_by_verb(words, at)
        )
        if governed:
            return governed
    return None


def condition_in(words: Sequence[Word]) -> tuple[int, bool] | None:
    """The index of a word such as "if" that makes the sentence conditional, and whether it
    introduces an indirect question, so that only the part after it is open: "I will ask her if she
    comes"."""
    for at, word in enumerate(words):
        if word.low in _CONDITIONS and not word.named:
            return at, any(before.stem in _ASKING for before in words[max(0, at - 3) : at])
    return None


def is_doubtful(words: Sequence[Word]) -> bool:
    """Whether a clause expresses doubt: "maybe she will come"."""
    return any(word.low in _DOUBTS and not word.named for word in words)


def is_supposed(sentence: str) -> bool:
    """Whether a sentence is a condition without "if": "should it rain, we will stay"."""
    return _INVERTED.match(sentence) is not None


def is_open_task(sentence: str) -> bool:
    """Whether a line is an unchecked task: "- [ ] call the roofer"."""
    return _OPEN_BOX.match(sentence) is not None


def _governed_by_verb(words: Sequence[Word], at: int) -> Governed | None:
    by = words[at].stem
    if by not in _UNDONE_VERBS | _OPEN_VERBS | _PLEDGES:
        return None
    start = _governed_verb(words, at)
    if start is None or words[start].stem in _SPEECH:
        return None
    is_denied = extract_mood(words[:at])[1].denied
    return Governed(start, by, _outcome(by, is_denied), by in _PLEDGES)


def _outcome(by: str, is_denied: bool) -> Outcome:
    if by in _UNDONE_VERBS:
        if not is_denied:
            return "undone"
        return "done" if by in _DONE_IF_DENIED else "open"
    return "undone" if is_denied and by in _UNDONE_IF_DENIED else "open"


def _governed_verb(words: Sequence[Word], at: int) -> int | None:
    """The index of the verb that depends on the word at `at`: "tried to sell", "asked Tim to come",
    "thought about buying"."""
    for index in range(at + 1, min(at + 2 + _MAX_DISTANCE, len(words))):
        word, previous = words[index], words[index - 1]
        if previous.low == "to" and index > at + 1:
            is_verb = not word.named and word.low not in _NOT_VERBS | PREPOSITIONS
            return index if is_verb else None
        is_next = index == at + 1 or previous.low in _BEFORE_ING
        if is_next and words[at].low != "about" and word.low.endswith("ing") and not word.named:
            return index
    return None


def _governed_by_claim(words: Sequence[Word], at: int) -> Governed | None:
    """The part that is only claimed: "claims that she sent it". Claiming a right or a prize has no
    such verb."""
    word = words[at]
    is_claim = word.stem in _CLAIM_VERBS or word.low in _CLAIM_FORMS
    if not is_claim or at == 0:
        return None
    if find_verb(words[at + 1 :]) is None and _governed_verb(words, at) is None:
        return None
    is_own = words[at - 1].low == "i" and word.stem in _OWN_CLAIMS
    return None if is_own else Governed(at + 1, word.stem, "open")


def _governed_by_almost(words: Sequence[Word], at: int) -> Governed | None:
    if words[at].low not in _ALMOST_WORDS or at + 1 >= len(words):
        return None
    return Governed(at + 1, words[at].low, "undone", is_of_next=True)


def _governed_by_too(words: Sequence[Word], at: int) -> Governed | None:
    """The part after "too … to": "too young to drive"."""
    lows = [word.low for word in words[at : at + 4]]
    if len(lows) < 4 or lows[0] != "too" or lows[2] != "to":
        return None
    is_denied = extract_mood(words[:at])[1].denied
    return Governed(at + 3, "too", "open" if is_denied else "undone")
