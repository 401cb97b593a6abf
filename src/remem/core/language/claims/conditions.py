"""The conditions under which a fact is true, and what else its statement says."""

from collections.abc import Sequence

from remem.core.language.claims.attributes import PREPOSITIONS
from remem.core.language.claims.parse import Claim, content_terms
from remem.core.language.claims.slots import ClaimSlot
from remem.core.language.quantities import amounts, is_quantity
from remem.core.language.words import Word

# Prepositions that limit a fact; others only add detail.
_LIMITING_PREPOSITIONS = frozenset("for during until on at when if in under within per".split())
_LIMITING_PREPOSITIONS_OF_AMOUNTS = _LIMITING_PREPOSITIONS | {
    "from",
    "to",
    "with",
    "near",
    "via",
    "through",
}
_MAX_EXTRA_WORDS = 6
# A reason is not a condition: "moved to Berlin for a job".
_REASONS = frozenset("work job love family studies university school college".split())


def same_conditions(new: ClaimSlot, old: ClaimSlot) -> bool:
    return condition_terms(new) == condition_terms(old)


def condition_terms(slot: ClaimSlot) -> frozenset[str]:
    """The terms that limit a fact: "in staging", "for the API"; not "since 2019", and "in Berlin"
    only when it limits an amount."""
    condition_words: set[str] = set()
    is_amount = bool(amounts(slot.value))
    for phrase in _phrases(slot.extras):
        limits = phrase[0].low in (
            _LIMITING_PREPOSITIONS_OF_AMOUNTS if is_amount else _LIMITING_PREPOSITIONS
        )
        if limits and not _is_only_detail(phrase, is_amount):
            condition_words.update(content_terms(phrase[1:]))
    return frozenset(condition_words)


def _is_only_detail(phrase: Sequence[Word], is_amount: bool) -> bool:
    """Whether a phrase is only detail. A place limits an amount: milk costs 1.29 at Rewe, and
    another price at Lidl."""
    rest = phrase[1:]
    if phrase[0].low == "for" and any(word.low in _REASONS for word in rest):
        return True
    if phrase[0].low in ("in", "at") and rest:
        is_detail = (
            is_quantity(word) or (word.named and not is_amount) or word.low == "the"
            for word in rest
        )
        return all(is_detail)
    return False


def _phrases(extras: Sequence[Word]) -> list[list[Word]]:
    result: list[list[Word]] = []
    for word in extras:
        if word.low in PREPOSITIONS or not result:
            result.append([])
        result[-1].append(word)
    return result


def says_more_than_slot(old: ClaimSlot, new: Claim) -> bool:
    """Whether the old statement says more than its slot, which replacing it would lose."""
    extras = old.extras
    if not extras or extras[0].low in PREPOSITIONS:
        return len(extras) > _MAX_EXTRA_WORDS or any(word.low == "and" for word in extras)
    return not set(content_terms(extras)) <= set(new.content)
