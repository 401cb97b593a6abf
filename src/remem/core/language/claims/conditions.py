"""Under which terms a fact is true, and what else its statement says."""

from collections.abc import Sequence

from remem.core.language.claims.attributes import PREPOSITIONS
from remem.core.language.claims.parse import Claim, content
from remem.core.language.claims.slots import ClaimSlot
from remem.core.language.quantities import amounts, is_quantity
from remem.core.language.words import Word

# Prepositions that bound a fact; others only tell more of it.
_TERMS = frozenset("for during until on at when if in under within per".split())
_TERMS_OF_AMOUNTS = _TERMS | {"from", "to", "with", "near", "via", "through"}
_EXTRA_LIMIT = 6
# Why one does something bounds nothing: "moved to Berlin for a job".
_REASONS = frozenset("work job love family studies university school college".split())


def same_terms(mine: ClaimSlot, theirs: ClaimSlot) -> bool:
    return terms(mine) == terms(theirs)


def terms(slot: ClaimSlot) -> frozenset[str]:
    """The words that bound a fact: "in staging", "for the API"; not "since 2019", and
    "in Berlin" only where it bounds an amount."""
    found: set[str] = set()
    amount = bool(amounts(slot.value))
    for phrase in _phrases(slot.extras):
        bounds = phrase[0].low in (_TERMS_OF_AMOUNTS if amount else _TERMS)
        if bounds and not _only_tells(phrase, amount):
            found.update(content(phrase[1:]))
    return frozenset(found)


def _only_tells(phrase: Sequence[Word], amount: bool) -> bool:
    """An amount is one at that place alone: milk costs 1.29 at Rewe, and something else at Lidl."""
    rest = phrase[1:]
    if phrase[0].low == "for" and any(word.low in _REASONS for word in rest):
        return True
    if phrase[0].low in ("in", "at") and rest:
        known = (
            is_quantity(word) or (word.named and not amount) or word.low == "the" for word in rest
        )
        return all(known)
    return False


def _phrases(extras: Sequence[Word]) -> list[list[Word]]:
    found: list[list[Word]] = []
    for word in extras:
        if word.low in PREPOSITIONS or not found:
            found.append([])
        found[-1].append(word)
    return found


def residue(theirs: ClaimSlot, new: Claim) -> bool:
    """Whether the old statement says more than its slot, which the new one would hide."""
    extras = theirs.extras
    if not extras or extras[0].low in PREPOSITIONS:
        return len(extras) > _EXTRA_LIMIT or any(word.low == "and" for word in extras)
    return not set(content(extras)) <= set(new.content)
