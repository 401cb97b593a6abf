"""Replace query terms that are in no text: complete a single word, and correct typos."""

from collections.abc import Sequence

from rapidfuzz.distance import OSA

from remem.core.index.index_store import vocabulary
from remem.core.index.policy import WORD_POLICY
from remem.core.transaction import Tx


async def complete_terms(tx: Tx, kinds: Sequence[str], missing: Sequence[str]) -> dict[str, str]:
    """For a query of one unknown word: the terms that begin with it, or else those that differ by a
    typo. Maps each to the query term it replaces."""
    completions: dict[str, str] = {}
    for term in missing[: WORD_POLICY.max_completed_terms]:
        terms = await _completions(tx, kinds, term) or await _similar(tx, kinds, term)
        completions |= dict.fromkeys(terms, term)
    return completions


async def correct_terms(tx: Tx, kinds: Sequence[str], missing: Sequence[str]) -> dict[str, str]:
    """For the unknown words of a longer query: the terms that differ by a typo. Maps each to the
    query term it replaces. Words are not completed here: "use" does not mean "user's"."""
    corrections: dict[str, str] = {}
    correctable = [
        term for term in missing if len(term) >= WORD_POLICY.min_corrected_chars and term.isalpha()
    ]
    for term in correctable[: WORD_POLICY.max_corrected_terms]:
        near = await _similar_with_prefix(tx, kinds, term, _prefixes(term))
        # A term that is its own match is in another project, so it is not a typo.
        corrections |= dict.fromkeys(
            near[: WORD_POLICY.max_corrections] if term not in near else [], term
        )
    return corrections


async def _completions(tx: Tx, kinds: Sequence[str], term: str) -> list[str]:
    if len(term) < WORD_POLICY.min_prefix_chars:
        return []
    limit = WORD_POLICY.max_guesses
    return (await _vocabulary(tx, kinds, term, limit))[:limit]


async def _similar(tx: Tx, kinds: Sequence[str], term: str) -> list[str]:
    """The first letter is nearly always right; a number that differs is another number."""
    if len(term) < WORD_POLICY.min_typo_chars or any(char.isdigit() for char in term):
        return []
    near = await _similar_with_prefix(tx, kinds, term, _prefixes(term))
    return near or await _similar_with_prefix(tx, kinds, term, (term[0],))


def _prefixes(term: str) -> tuple[str, ...]:
    """The first two letters, and the prefix if the second letter is missing or swapped with the
    third."""
    return tuple(dict.fromkeys((term[:2], term[0] + term[2])))


async def _similar_with_prefix(
    tx: Tx, kinds: Sequence[str], term: str, prefixes: Sequence[str]
) -> list[str]:
    limit = WORD_POLICY.max_vocabulary
    words = [word for prefix in prefixes for word in await _vocabulary(tx, kinds, prefix, limit)]
    return _within_typos(term, words)


async def _vocabulary(tx: Tx, kinds: Sequence[str], prefix: str, limit: int) -> list[str]:
    words = [word for kind in kinds for word in await vocabulary(tx, kind, prefix, limit)]
    return sorted(set(words))


def _within_typos(term: str, words: Sequence[str]) -> list[str]:
    """Words that differ from the term by a typo, nearest first; a long word may have two."""
    allowed = 1 if len(term) < WORD_POLICY.min_two_typo_chars else 2
    distances = {word: OSA.distance(term, word, score_cutoff=allowed) for word in words}
    near = [word for word in distances if distances[word] <= allowed]
    return sorted(near, key=lambda word: (distances[word], word))[: WORD_POLICY.max_guesses]
