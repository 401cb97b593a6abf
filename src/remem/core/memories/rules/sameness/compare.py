"""Whether two memories say the same and may be merged; for the nightly `consolidate`.

"Anna's garden shed is green" and "The garden shed of Anna is green" are the same. Vectors barely
distinguish numbers, names, negations and tenses, and a small model misses some of them too. So any
possible difference found here is final, and only for the rest is a reader asked whether different
words mean the same."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, TypeAlias

from remem.core.language.claims.mood import OPPOSITES
from remem.core.language.claims.parse import content_terms
from remem.core.language.claims.value_kinds import kinds_of
from remem.core.language.person import is_user
from remem.core.language.quantities import is_quantity
from remem.core.language.words import Word
from remem.core.memories.rules.sameness.contrasts import CONTRASTS, OPPOSITE_PAIRS
from remem.core.memories.rules.sameness.order import is_same_order
from remem.core.memories.rules.sameness.read import (
    QUALIFIERS,
    ReadStatement,
    bare_name,
    read_statement,
)
from remem.core.memories.rules.sameness.swapped_roles import has_swapped_roles
from remem.core.memories.rules.sameness.wordings import normalize_wording

# `read`: ask a reader. `same` and `different` are final.
Sameness: TypeAlias = Literal["same", "read", "different"]
CHARS_LIMIT = 1_500
WORDS_LIMIT = 120
# If one statement has more words than this that the other lacks, they are different.
OWN_WORDS_LIMIT = 4


@dataclass(frozen=True, slots=True)
class Compared:
    """The fields of a memory that are compared."""

    content: str
    speaker: str | None = None
    dates: Sequence[Mapping[str, Any]] = ()
    # `valid_from`, `valid_until`, `occurred_at` and `due_at`.
    moments: tuple[datetime | None, ...] = ()


def compare(first: Compared, second: Compared) -> Sameness:
    """Compare two memories; the order of the arguments does not matter."""
    if not _is_comparable(first.content) or not _is_comparable(second.content):
        return "different"
    if _speaker(first) != _speaker(second) or _days(first) != _days(second):
        return "different"
    if first.moments != second.moments:
        return "different"
    a, b = (read_statement(normalize_wording(memory.content)) for memory in (first, second))
    if _differ_in_detail(a, b):
        return "different"
    only_a, only_b = _own_words(a, b), _own_words(b, a)
    if not only_a and not only_b:
        return "same"
    if only_a[:1] == list(a.words[:1]) and only_b[:1] == list(b.words[:1]):
        # The first words differ: as likely as not they are two names.
        return "different"
    return "different" if _are_contrary(only_a, only_b) else "read"


def _is_comparable(text: str) -> bool:
    return 0 < len(text) <= CHARS_LIMIT and len(text.split()) <= WORDS_LIMIT


def _speaker(memory: Compared) -> str:
    return "" if is_user(memory.speaker) else " ".join((memory.speaker or "").casefold().split())


def _days(memory: Compared) -> set[tuple[Any, Any]]:
    return {(date.get("start"), date.get("end")) for date in memory.dates if date.get("start")}


def _differ_in_detail(first: ReadStatement, second: ReadStatement) -> bool:
    return (
        first.is_question != second.is_question
        or first.numbers != second.numbers
        or first.qualifiers != second.qualifiers
        or first.tense.differs(second.tense)
        or bool(_missing_names(first, second) or _missing_names(second, first))
        or has_swapped_roles(first, second)
        or not is_same_order(first.words, second.words)
    )


def _missing_names(first: ReadStatement, second: ReadStatement) -> set[str]:
    """Names in the first that the second lacks, even as a capitalized first word."""
    return set(first.names) - {bare_name(word) for word in second.words}


def _own_words(first: ReadStatement, second: ReadStatement) -> list[Word]:
    """The words of the first that the second lacks in any form."""
    if _without_spaces(first.words) == _without_spaces(second.words):
        return []
    known = {*second.terms, *(word.low for word in second.words)}
    return [
        word
        for word in first.words
        if word.low not in known
        and word.low not in QUALIFIERS
        and any(term not in known for term in content_terms([word]))
    ]


def _without_spaces(words: Sequence[Word]) -> str:
    """One string, so that "window sill" equals "windowsill"."""
    return "".join(word.low.replace("-", "") for word in words)


def _are_contrary(first: Sequence[Word], second: Sequence[Word]) -> bool:
    """Whether the words that differ may contradict each other."""
    if max(len(first), len(second)) > OWN_WORDS_LIMIT:
        return True
    if any(is_quantity(word) or word.named for word in (*first, *second)):
        return True
    return any(_is_contrary(a, b) for a in first for b in second)


def _is_contrary(a: Word, b: Word) -> bool:
    if OPPOSITES.get(a.stem) == b.stem or frozenset((a.stem, b.stem)) in OPPOSITE_PAIRS:
        return True
    if kinds_of([a]) & kinds_of([b]) or _negates(a.low, b.low):
        return True
    return bool(CONTRASTS.get(a.stem, frozenset()) & CONTRASTS.get(b.stem, frozenset()))


def _negates(a: str, b: str) -> bool:
    """Whether one is the other with a negative prefix: "paid", "unpaid"."""
    return any(
        a == prefix + b or b == prefix + a
        for prefix in ("un", "in", "im", "dis", "non", "non-", "ir", "il", "mis", "de", "re", "ex-")
    )
