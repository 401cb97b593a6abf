"""Whether two memories that are close in meaning may be merged: pure, and careful.

Vectors hardly tell a number, a name, a "not" or a tense, and a small model misses some of them too.
So whatever could make two statements different keeps them apart, and only then may a reader say
that different words mean the same."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, TypeAlias

from remem.core.language.claims.mood import OPPOSITES
from remem.core.language.claims.parse import content
from remem.core.language.claims.value_kinds import kinds_of
from remem.core.language.person import is_user
from remem.core.language.quantities import is_quantity
from remem.core.language.words import Word
from remem.core.memories.rules.sameness.contrasts import CONTRASTS, OPPOSITE_PAIRS
from remem.core.memories.rules.sameness.order import is_same_order
from remem.core.memories.rules.sameness.read import (
    WEIGHTY,
    ReadStatement,
    bare_name,
    read_statement,
)
from remem.core.memories.rules.sameness.turned_around import is_turned_around
from remem.core.memories.rules.sameness.wordings import in_one_wording

# `read` asks a reader; `same` needs nobody; `different` is final.
Sameness: TypeAlias = Literal["same", "read", "different"]
CHARS_LIMIT = 1_500
WORDS_LIMIT = 120
# More words than this on a side, and they do not say the same.
OWN_WORDS_LIMIT = 4


@dataclass(frozen=True, slots=True)
class Compared:
    """As much of a memory as is compared."""

    content: str
    speaker: str | None = None
    dates: Sequence[Mapping[str, Any]] = ()
    # When it is valid, happened and is due.
    moments: tuple[datetime | None, ...] = ()


def compare(one: Compared, other: Compared) -> Sameness:
    """What the two are to each other, whichever came first."""
    if not _may_be_read(one.content) or not _may_be_read(other.content):
        return "different"
    if _speaker(one) != _speaker(other) or _days(one) != _days(other):
        return "different"
    if one.moments != other.moments:
        return "different"
    mine, theirs = (read_statement(in_one_wording(said.content)) for said in (one, other))
    if _differs_in_detail(mine, theirs):
        return "different"
    own, their_own = _own_words(mine, theirs), _own_words(theirs, mine)
    if not own and not their_own:
        return "same"
    if own[:1] == list(mine.words[:1]) and their_own[:1] == list(theirs.words[:1]):
        # Both begin with another word: as likely as not with another name.
        return "different"
    return "different" if _are_contrary(own, their_own) else "read"


def _may_be_read(text: str) -> bool:
    return 0 < len(text) <= CHARS_LIMIT and len(text.split()) <= WORDS_LIMIT


def _speaker(said: Compared) -> str:
    return "" if is_user(said.speaker) else " ".join((said.speaker or "").casefold().split())


def _days(said: Compared) -> set[tuple[Any, Any]]:
    return {(one.get("start"), one.get("end")) for one in said.dates if one.get("start")}


def _differs_in_detail(mine: ReadStatement, theirs: ReadStatement) -> bool:
    return (
        mine.asks != theirs.asks
        or mine.numbers != theirs.numbers
        or mine.weighty != theirs.weighty
        or mine.tense.differs(theirs.tense)
        or bool(_unnamed(mine, theirs) or _unnamed(theirs, mine))
        or is_turned_around(mine, theirs)
        or not is_same_order(mine.words, theirs.words)
    )


def _unnamed(mine: ReadStatement, theirs: ReadStatement) -> set[str]:
    """Names of the one that do not stand in the other, where they may begin a sentence."""
    return set(mine.names) - {bare_name(word) for word in theirs.words}


def _own_words(mine: ReadStatement, theirs: ReadStatement) -> list[Word]:
    """The words of the one that the other does not have in any form."""
    if _run_together(mine.words) == _run_together(theirs.words):
        return []
    known = {*theirs.terms, *(word.low for word in theirs.words)}
    return [
        word
        for word in mine.words
        if word.low not in known
        and word.low not in WEIGHTY
        and any(term not in known for term in content([word]))
    ]


def _run_together(found: Sequence[Word]) -> str:
    """ "Window sill" is "windowsill"."""
    return "".join(word.low.replace("-", "") for word in found)


def _are_contrary(mine: Sequence[Word], theirs: Sequence[Word]) -> bool:
    if max(len(mine), len(theirs)) > OWN_WORDS_LIMIT:
        return True
    if any(is_quantity(word) or word.named for word in (*mine, *theirs)):
        return True
    return any(_is_contrary(one, other) for one in mine for other in theirs)


def _is_contrary(one: Word, other: Word) -> bool:
    if OPPOSITES.get(one.stem) == other.stem or frozenset((one.stem, other.stem)) in OPPOSITE_PAIRS:
        return True
    if kinds_of([one]) & kinds_of([other]) or _negates(one.low, other.low):
        return True
    return bool(CONTRASTS.get(one.stem, frozenset()) & CONTRASTS.get(other.stem, frozenset()))


def _negates(one: str, other: str) -> bool:
    """ "Paid" and "unpaid"."""
    return any(
        one == prefix + other or other == prefix + one
        for prefix in ("un", "in", "im", "dis", "non", "non-", "ir", "il", "mis", "de", "re", "ex-")
    )
