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
# Beside words that are found: fewer, and only of words long enough that few others are as near.
MENDED, MENDED_MIN, MENDED_OFFERED = 4, 5, 2


async def near_terms(tx: Tx, scope: Scope, kind: str, asked: Sequence[str]) -> list[str]:
    """Where none of the words stands anywhere."""
    found: list[str] = []
    for term in asked[:GUESSED]:
        found += await _beginning(tx, scope, kind, term) or await _slips(tx, scope, kind, term)
    return list(dict.fromkeys(found))


async def mended_terms(tx: Tx, scope: Scope, kind: str, missing: Sequence[str]) -> list[str]:
    """Where other words of the question are found: this one may be misspelt, or not there."""
    found: list[str] = []
    likely = [term for term in missing if len(term) >= MENDED_MIN and term.isalpha()]
    for term in likely[:MENDED]:
        near = await _slips_behind(tx, scope, kind, term, _beginnings(term))
        # It stands in another project: it is no slip.
        found += near[:MENDED_OFFERED] if term not in near else []
    return list(dict.fromkeys(found))


async def _beginning(tx: Tx, scope: Scope, kind: str, term: str) -> list[str]:
    if len(term) < PREFIX_MIN:
        return []
    return await vocabulary(tx, scope, kind, term, OFFERED)


async def _slips(tx: Tx, scope: Scope, kind: str, term: str) -> list[str]:
    """The first letter is nearly always right; a number that differs is another number."""
    if len(term) < SLIP_MIN or any(char.isdigit() for char in term):
        return []
    return await _slips_behind(tx, scope, kind, term, _beginnings(term)) or await _slips_behind(
        tx, scope, kind, term, (term[0],)
    )


def _beginnings(term: str) -> tuple[str, ...]:
    """As it is written, and with the second letter left out or behind the third."""
    return tuple(dict.fromkeys((term[:2], term[0] + term[2])))


async def _slips_behind(
    tx: Tx, scope: Scope, kind: str, term: str, prefixes: Sequence[str]
) -> list[str]:
    known = [word for one in prefixes for word in await vocabulary(tx, scope, kind, one, READ)]
    return _near(term, known)


def _near(term: str, known: Sequence[str]) -> list[str]:
    """A long word may have two slips."""
    allowed = 1 if len(term) < LONG else 2
    slips = {word: OSA.distance(term, word, score_cutoff=allowed) for word in known}
    near = [word for word in slips if slips[word] <= allowed]
    return sorted(near, key=lambda word: (slips[word], word))[:OFFERED]
