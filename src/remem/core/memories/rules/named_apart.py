"""Whether two statements speak of two things of one kind: other names, numbers or places; pure."""

from collections.abc import Sequence

from remem.core.language.claims.attributes import VERBS
from remem.core.language.claims.parse import content as terms_of
from remem.core.language.claims.verbs import BE, find_verb
from remem.core.language.words import Word

# Within so many words a statement says of what it is.
QUALIFIED_WORDS = 4
_AT = frozenset("on at in by near".split())
_DETERMINERS = frozenset("the my our your his her their".split())


def are_named_otherwise(new: Sequence[Word], old: Sequence[Word]) -> bool:
    """ "Room Oak" is not "room Birch", nor kettle 1 kettle 2, nor the cinema on Kiln Lane the one
    at the station: after the same word, another name, number or place."""
    mine, theirs = _numbered(new), _numbered(old)
    if mine and theirs and mine[0] == theirs[0] and mine[1] != theirs[1]:
        return True
    if _are_labelled_otherwise(new, old):
        return True
    return any(
        one.stem == other.stem and _told_apart(new[at + 1 :], old[before + 1 :])
        for at, one in enumerate(new[:QUALIFIED_WORDS])
        for before, other in enumerate(old[:QUALIFIED_WORDS])
        if not one.named
    )


def _are_labelled_otherwise(new: Sequence[Word], old: Sequence[Word]) -> bool:
    """ "Meter shop 0419" is not "meter home 0412", jotted down without a verb."""
    if find_verb(old) is not None:
        return False
    mine, theirs = _label(new), _label(old)
    return bool(mine & theirs and mine - theirs and theirs - mine)


def _label(found: Sequence[Word]) -> frozenset[str]:
    """What stands before the first figure or verb."""
    own = found[1:] if found and found[0].low in _DETERMINERS else found
    end = next((at for at, word in enumerate(own) if _ends_label(word)), len(own))
    return frozenset(terms_of(own[:end])) if end <= QUALIFIED_WORDS else frozenset()


def _ends_label(word: Word) -> bool:
    return word.low in BE or any(map(str.isdigit, word.text))


def _numbered(found: Sequence[Word]) -> tuple[str, str] | None:
    """The thing and the number that a statement begins with, if it goes on to say something of it:
    "rent 900 euros" has no number of its own."""
    own = found[1:] if found and found[0].low in _DETERMINERS else found
    if len(own) < QUALIFIED_WORDS or not own[1].low.isdigit():
        return None
    goes_on = own[2].low in BE | {"of"} or own[2].stem in VERBS
    return (own[0].stem, own[1].low) if goes_on else None


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
