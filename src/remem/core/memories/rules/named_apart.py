"""Whether two statements speak of two things of one kind, by their names or places; pure."""

from collections.abc import Sequence

from remem.core.language.claims.parse import content as terms_of
from remem.core.language.claims.verbs import BE
from remem.core.language.words import Word

# Within so many words a statement says of what it is.
QUALIFIED_WORDS = 4
_AT = frozenset("on at in by near".split())


def are_named_otherwise(new: Sequence[Word], old: Sequence[Word]) -> bool:
    """ "Room Oak" is not "room Birch", nor the cinema on Kiln Lane the one at the station: after
    the same word, another name or place."""
    return any(
        one.stem == other.stem and _told_apart(new[at + 1 :], old[before + 1 :])
        for at, one in enumerate(new[:QUALIFIED_WORDS])
        for before, other in enumerate(old[:QUALIFIED_WORDS])
        if not one.named
    )


def _told_apart(after: Sequence[Word], before: Sequence[Word]) -> bool:
    if not after or not before:
        return False
    if after[0].named and before[0].named:
        return after[0].stem != before[0].stem
    mine, theirs = (_place(found) for found in (after, before))
    return bool(mine and theirs) and not mine & theirs


def _place(found: Sequence[Word]) -> frozenset[str]:
    """What stands behind "on" or "at", up to the verb."""
    if found[0].low not in _AT:
        return frozenset()
    return frozenset(terms_of([word for word in found[1:4] if word.named or word.low not in BE]))
