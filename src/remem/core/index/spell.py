"""Terms that nobody wrote: those that begin so, or else those that differ by a slip."""

from collections.abc import Sequence

from rapidfuzz.distance import OSA

from remem.core.db import Tx
from remem.core.index.store import vocabulary
from remem.core.scope import Scope

PREFIX_MIN, SLIP_MIN, LONG = 3, 4, 8
OFFERED, READ = 8, 1_000
# Each costs some probes of the index; a page of a strange language has hundreds.
GUESSED = 12


async def near_terms(tx: Tx, scope: Scope, kind: str, asked: Sequence[str]) -> list[str]:
    found: list[str] = []
    for term in asked[:GUESSED]:
        found += await _beginning(tx, scope, kind, term) or await _slips(tx, scope, kind, term)
    return list(dict.fromkeys(found))


async def _beginning(tx: Tx, scope: Scope, kind: str, term: str) -> list[str]:
    if len(term) < PREFIX_MIN:
        return []
    return await vocabulary(tx, scope, kind, term, OFFERED)


async def _slips(tx: Tx, scope: Scope, kind: str, term: str) -> list[str]:
    """The first letter is nearly always right; a number that differs is another number."""
    if len(term) < SLIP_MIN or any(char.isdigit() for char in term):
        return []
    for prefixes in ((term[:2], term[0] + term[2]), (term[0],)):
        known = [word for one in prefixes for word in await vocabulary(tx, scope, kind, one, READ)]
        if near := _near(term, known):
            return near
    return []


def _near(term: str, known: Sequence[str]) -> list[str]:
    """A long word may have two slips."""
    allowed = 1 if len(term) < LONG else 2
    slips = {word: OSA.distance(term, word, score_cutoff=allowed) for word in known}
    near = [word for word in slips if slips[word] <= allowed]
    return sorted(near, key=lambda word: (slips[word], word))[:OFFERED]
