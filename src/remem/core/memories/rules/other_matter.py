"""Whether two statements are of different people, things or matters; pure."""

from remem.core.language.claims.news import TURNS
from remem.core.language.claims.outline import SPEAKERS, Outline
from remem.core.language.lists import phrases, word_set
from remem.core.language.words import stem, stem_set

_OPPOSITE = tuple(frozenset(pair) for pair in phrases("changes", "opposite"))
_INDEFINITE = word_set("changes", "indefinite")
_RESIDES = stem_set("changes", "resides")
_ID_CHARS = 16
_BE, _DIE = stem("be"), stem("die")


def is_of_other_matter(new: Outline, old: Outline, announced: bool) -> bool:
    """Surely, whatever the reader says."""
    return (
        _are_called_apart(new, old)
        or _share_only_ids(new, old)
        or _is_owned_by_another(new, old)
        or _is_said_of_another(new, old)
        or (not announced and _is_of_other_head(new, old))
        or _is_of_one_who_died(new, old)
        or _are_opposite(new, old)
        or _is_of_any(new)
        or _is_of_any(old)
    )


def may_be_of_other_matter(new: Outline, old: Outline, telling: bool) -> bool:
    """Unless the reader is certain."""
    return (
        _is_of_another(new, old, telling)
        or _are_qualified_apart(new, old)
        or _is_qualified_otherwise(new, old)
    )


def _are_called_apart(new: Outline, old: Outline) -> bool:
    """Locker 19 is not locker 18, and the office in York not the one in Leeds."""
    return _has_own_call(new, old) and _has_own_call(old, new)


def _has_own_call(one: Outline, other: Outline) -> bool:
    has_number = any(map(str.isdigit, "".join(one.subject - other.terms)))
    return has_number or bool(_names(one) - other.terms)


def _share_only_ids(new: Outline, old: Outline) -> bool:
    """Of what has a long id, nothing is known by it: a backup and an error may name the same."""
    shared = (old.terms & new.terms) - SPEAKERS
    return bool(shared) and all(len(one) >= _ID_CHARS and not one.isalpha() for one in shared)


def _is_owned_by_another(new: Outline, old: Outline) -> bool:
    """ "My manager is Colin", and Colin's manager is Petra."""
    if new.head != old.head or not old.subject & SPEAKERS or new.subject & SPEAKERS:
        return False
    lows = [word.low for word in new.words]
    return any(
        owner.stem in new.subject and mark == "'s"
        for owner, mark in zip(new.words, lows[1:], strict=False)
    )


def _is_said_of_another(new: Outline, old: Outline) -> bool:
    """The same, or something else, of somebody else by name: "Ana works in law", "Ben in law"."""
    if not new.subject or not old.subject or new.subject & old.terms or old.subject & new.terms:
        return False
    return new.verb == old.verb or bool(_names(new) and _names(old))


def _is_of_other_head(new: Outline, old: Outline) -> bool:
    """ "The capital of Germany is Berlin", and Germany is in Europe."""
    is_plain = new.verb == old.verb == _BE
    return is_plain and bool(old.head) and old.head not in new.terms


def _is_of_one_who_died(new: Outline, old: Outline) -> bool:
    """What somebody wrote is still by them, and whom they married they married."""
    if new.verb != _DIE:
        return False
    others = {word.stem for word in old.words if word.named} - new.terms
    return not new.subject & old.subject or (old.verb not in _RESIDES and bool(others))


def _are_opposite(new: Outline, old: Outline) -> bool:
    mine, theirs = ({word.low for word in one.words} for one in (new, old))
    return any(
        len(pair & mine) == len(pair & theirs) == 1 != len(pair & mine & theirs)
        for pair in _OPPOSITE
    )


def _is_of_any(said: Outline) -> bool:
    """ "Something hums": of what, nobody knows."""
    return any(word.low in _INDEFINITE for word in said.words[:2])


def _is_of_another(new: Outline, old: Outline, telling: bool) -> bool:
    """Another person or thing: not all whom the old one is of are named, or nothing of it is."""
    if _names(old) - new.terms:
        return True
    shared = (old.terms & new.terms) - SPEAKERS - TURNS
    if not old.verb:
        return len(shared) < 2 and not old.core & new.terms
    if not old.core:
        return not shared and not (telling and old.subject & new.subject)
    return not (old.core & new.terms or (new.subject <= SPEAKERS and shared - old.subject))


def _are_qualified_apart(new: Outline, old: Outline) -> bool:
    """ "The hallway light" is not "the bathroom light"."""
    shared = new.subject & old.subject
    return bool(shared and new.subject - old.terms and old.subject - new.terms)


def _is_qualified_otherwise(new: Outline, old: Outline) -> bool:
    """ "Entry to the climbing hall" may be another matter of the hall."""
    more = bool(old.subject) and old.subject <= new.subject
    return more and bool(new.head) and new.head not in old.terms


def _names(said: Outline) -> frozenset[str]:
    return frozenset(word.stem for word in said.words if word.named and word.stem in said.subject)
