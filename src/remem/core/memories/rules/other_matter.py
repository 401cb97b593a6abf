"""Whether two statements are of different people, things or matters; pure."""

from collections.abc import Sequence
from itertools import pairwise

from remem.core.language.claims.attributes import PREPOSITIONS
from remem.core.language.claims.news import has_phrase
from remem.core.language.claims.outline import SPEAKERS, Outline
from remem.core.language.claims.parse import content as terms_of
from remem.core.language.lists import phrases, word_set
from remem.core.language.tokens import STOP_WORDS
from remem.core.language.words import Word, stem, stem_set

_OPPOSITE = tuple(frozenset(pair) for pair in phrases("changes", "opposite"))
_INDEFINITE = word_set("changes", "indefinite")
_RESIDES = stem_set("changes", "resides")
# What several may do at the same time.
_SHARED = stem_set("changes", "many") | _RESIDES
_DETERMINERS = frozenset("the my our your his her their".split())
DEFINITE_WORDS = 3
_NO_LONGER = (("no", "longer"), ("any", "longer"), ("any", "more"), ("anymore",))
_REASONS = frozenset("since because after from as due".split())
_LIGHT = SPEAKERS | frozenset(
    map(stem, (*PREPOSITIONS, *STOP_WORDS, *"longer anymore any more not never perhaps".split()))
)
_ID_CHARS = 16
_BE, _DIE = stem("be"), stem("die")


def is_of_other_matter(new: Outline, old: Outline, announced: bool) -> bool:
    """Surely, whatever the reader says."""
    return (
        _share_only_ids(new, old)
        or _is_of_any(old)
        or _is_owned_by_another(new, old)
        or _is_of_one_who_died(new, old)
        or _is_of_part(new, old)
        or _denies_part(new, old)
        or (not announced and _is_fact_of_another(new, old))
        or _are_numbered_apart(new, old)
        or (_is_of_somebody_else(new, old) and not (announced and _have_same_place(new, old)))
    )


def may_be_of_other_matter(new: Outline, old: Outline, announced: bool) -> bool:
    """Unless the reader is certain."""
    return (
        _is_of_somebody_else(new, old)
        or (not announced and _begins_with_another(new, old))
        or _are_opposite(new, old)
    )


def _is_of_somebody_else(new: Outline, old: Outline) -> bool:
    """Called by another name, or the same said of another: "Ana works in law", "Ben works
    in politics"."""
    same_verb = new.verb == old.verb
    return _are_called_apart(new, old) or (same_verb and _shares_no_subject(new, old))


def _have_same_place(new: Outline, old: Outline) -> bool:
    """ "Ben leads the project now": of what one has at a time, the next one took over."""
    return old.verb not in _SHARED and bool(_definite(new) & _definite(old))


def _definite(said: Outline) -> frozenset[str]:
    """What stands behind "the" or "our"."""
    found: set[str] = set()
    for at, word in enumerate(said.words):
        if word.low in _DETERMINERS:
            found.update(terms_of(said.words[at + 1 : at + 1 + DEFINITE_WORDS]))
    return frozenset(found)


def _are_called_apart(new: Outline, old: Outline) -> bool:
    """The office in York is not the one in Leeds."""
    return bool(_names(new) - old.terms and _names(old) - new.terms)


def _are_numbered_apart(new: Outline, old: Outline) -> bool:
    """Locker 19 is not locker 18."""
    own = (new.subject - old.terms, old.subject - new.terms)
    return all(any(map(str.isdigit, "".join(one))) for one in own)


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
        owner.text[0].isupper() and owner.stem in new.subject and mark == "'s"
        for owner, mark in zip(new.words, lows[1:], strict=False)
    )


def _shares_no_subject(new: Outline, old: Outline) -> bool:
    if not new.subject or not old.subject:
        return False
    return not new.subject & old.terms and not old.subject & new.terms


def _begins_with_another(new: Outline, old: Outline) -> bool:
    """ "The van runs on diesel", and winter tyres went on the van. What we do is of anything."""
    named = new.subject and old.subject and not _is_ours(new, old)
    return bool(named) and not new.subject & old.subject


def _is_ours(new: Outline, old: Outline) -> bool:
    return bool((new.subject | old.subject) & SPEAKERS)


def _is_fact_of_another(new: Outline, old: Outline) -> bool:
    """ "The capital of Germany is Berlin", and Germany is in Europe: plain facts, and not of the
    same. What goes on behind a comma or "and" mostly tells why something changed."""
    goes_on = any(word.breaks or word.low == "and" for word in new.words)
    if not new.subject or not old.subject or goes_on or _is_ours(new, old):
        return False
    has_own_name = bool(_names(old) - new.terms or _names(new) - old.terms)
    return has_own_name or (new.verb == old.verb == _BE and new.head != old.head)


def _is_of_part(new: Outline, old: Outline) -> bool:
    """ "The museum shop" is not the museum."""
    things = {after.stem for word, after in pairwise(old.words) if word.low in _DETERMINERS}
    if old.head not in things or new.verb != old.verb or new.head in old.terms:
        return False
    stems = [word.stem for word in new.words]
    return any(pair == (old.head, new.head) for pair in pairwise(stems))


def _denies_part(new: Outline, old: Outline) -> bool:
    """ "The app no longer works on Android 8": on others it does. Why and since when is no part."""
    if not has_phrase(new.words, _NO_LONGER) or old.verb not in {one.stem for one in new.words}:
        return False
    said = frozenset(terms_of(_first_clause(new.words)))
    value = old.terms - old.subject - {old.verb} - _LIGHT
    return bool(value) and value <= said and bool(said - old.terms - _LIGHT)


def _first_clause(found: Sequence[Word]) -> list[Word]:
    """Without why it is so, or since when."""
    clause: list[Word] = []
    for word in found:
        if word.low in _REASONS:
            break
        clause.append(word)
        if word.breaks:
            break
    return clause


def _is_of_one_who_died(new: Outline, old: Outline) -> bool:
    """What somebody wrote is still by them, and whom they married they married; but who was our
    landlord is it no longer."""
    if new.verb != _DIE or not new.subject or not old.subject or old.subject & SPEAKERS:
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


def _names(said: Outline) -> frozenset[str]:
    return frozenset(word.stem for word in said.words if word.named and word.stem in said.subject)
