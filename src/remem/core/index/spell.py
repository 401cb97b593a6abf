"""Terms that are not in the store: complete prefixes of one-word queries, and match typos."""

from collections.abc import Sequence

from rapidfuzz.distance import OSA

from remem.core.db import Tx
from remem.core.index.policy import WORD_POLICY
from remem.core.index.store import vocabulary
from remem.core.scope import Scope


async def completed_terms(
    tx: Tx, scope: Scope, kinds: Sequence[str], asked: Sequence[str]
) -> dict[str, str]:
    """Of a query of one word that stands nowhere: the terms it begins, or else those that differ
    from it by a slip, each with the term it stands in for."""
    found: dict[str, str] = {}
    for term in asked[: WORD_POLICY.completed]:
        near = await _beginning(tx, scope, kinds, term) or await _slips(tx, scope, kinds, term)
        found |= dict.fromkeys(near, term)
    return found


async def repaired_terms(
    tx: Tx, scope: Scope, kinds: Sequence[str], missing: Sequence[str]
) -> dict[str, str]:
    """Of a query of several words, for those that stand nowhere: the terms that differ by a slip,
    each with the term it stands in for. A word is no beginning of another one here: "use" does
    not mean "user's"."""
    found: dict[str, str] = {}
    likely = [
        term for term in missing if len(term) >= WORD_POLICY.repaired_least and term.isalpha()
    ]
    for term in likely[: WORD_POLICY.repaired]:
        near = await _slips_behind(tx, scope, kinds, term, _beginnings(term))
        # It is in another project, so it is not a typo.
        found |= dict.fromkeys(
            near[: WORD_POLICY.repaired_offered] if term not in near else [], term
        )
    return found


async def _beginning(tx: Tx, scope: Scope, kinds: Sequence[str], term: str) -> list[str]:
    if len(term) < WORD_POLICY.prefix_least:
        return []
    offered = WORD_POLICY.offered
    return (await _words(tx, scope, kinds, term, offered))[:offered]


async def _slips(tx: Tx, scope: Scope, kinds: Sequence[str], term: str) -> list[str]:
    """The first letter is nearly always right; a number that differs is another number."""
    if len(term) < WORD_POLICY.slip_least or any(char.isdigit() for char in term):
        return []
    near = await _slips_behind(tx, scope, kinds, term, _beginnings(term))
    return near or await _slips_behind(tx, scope, kinds, term, (term[0],))


def _beginnings(term: str) -> tuple[str, ...]:
    """As it is written, and with the second letter left out or behind the third."""
    return tuple(dict.fromkeys((term[:2], term[0] + term[2])))


async def _slips_behind(
    tx: Tx, scope: Scope, kinds: Sequence[str], term: str, prefixes: Sequence[str]
) -> list[str]:
    read = WORD_POLICY.offered_of
    known = [word for one in prefixes for word in await _words(tx, scope, kinds, one, read)]
    return _near(term, known)


async def _words(tx: Tx, scope: Scope, kinds: Sequence[str], prefix: str, limit: int) -> list[str]:
    found = [word for kind in kinds for word in await vocabulary(tx, scope, kind, prefix, limit)]
    return sorted(set(found))


def _near(term: str, known: Sequence[str]) -> list[str]:
    """A long word may have two slips."""
    allowed = 1 if len(term) < WORD_POLICY.two_slips_least else 2
    slips = {word: OSA.distance(term, word, score_cutoff=allowed) for word in known}
    near = [word for word in slips if slips[word] <= allowed]
    return sorted(near, key=lambda word: (slips[word], word))[: WORD_POLICY.offered]
