"""Terms that nobody wrote: those that begin so, or else those that differ by a slip."""

from collections.abc import Sequence

from rapidfuzz.distance import OSA

from remem.core.db import Tx
from remem.core.index.store import vocabulary
from remem.core.scope import Scope

PREFIX_MIN, SLIP_MIN = 3, 4
OFFERED, READ = 8, 1_000


async def near_terms(tx: Tx, scope: Scope, kind: str, asked: Sequence[str]) -> list[str]:
    found: list[str] = []
    for term in asked:
        found += await _beginning(tx, scope, kind, term) or await _slips(tx, scope, kind, term)
    return list(dict.fromkeys(found))


async def _beginning(tx: Tx, scope: Scope, kind: str, term: str) -> list[str]:
    if len(term) < PREFIX_MIN:
        return []
    return await vocabulary(tx, scope, kind, term, OFFERED)


async def _slips(tx: Tx, scope: Scope, kind: str, term: str) -> list[str]:
    """The first letter is nearly always right; a long word may have two slips."""
    if len(term) < SLIP_MIN:
        return []
    known = await vocabulary(tx, scope, kind, term[:2], READ)
    known += await vocabulary(tx, scope, kind, term[0] + term[2:3], READ)
    allowed = 1 if len(term) < 8 else 2
    slips = {word: OSA.distance(term, word, score_cutoff=allowed) for word in known}
    near = [word for word in slips if slips[word] <= allowed]
    return sorted(near, key=lambda word: (slips[word], word))[:OFFERED]
