"""When a new statement takes the place of an old one: it denies it, or fills its slot anew."""

from collections.abc import Sequence

from remem.core.language.claims.attributes import ONE_PURPOSES
from remem.core.language.claims.conditions import residue, same_terms, terms
from remem.core.language.claims.mood import OPPOSITES
from remem.core.language.claims.parse import Claim, content
from remem.core.language.claims.slots import SCHEDULE, ClaimSlot
from remem.core.language.claims.subjects import ME, US, same_subject
from remem.core.language.claims.value_kinds import kinds_of
from remem.core.language.claims.values import (
    could_replace,
    covers,
    only_amounts_differ,
    rest_after,
    same_kind,
    stems,
)
from remem.core.language.quantities import amounts, is_quantity, kind_of
from remem.core.language.words import Word, stem


def contradiction(new: Claim, old: Claim) -> str | None:
    """Why the old statement is no longer true, or None when it may still be."""
    if new.mood.supposed or old.mood.supposed:
        return _taken_back(new, old) if new.mood.supposed == old.mood.supposed else None
    if new.mood.denied != old.mood.denied:
        return _denial(new, old)
    if new.mood.denied or new.slot is None or old.slot is None:
        return None
    if not speaks_for(new.slot, old.slot):
        return None
    return (
        _opposite(new.slot, old.slot)
        or _departure(new, new.slot, old.slot)
        or _replacement(new, new.slot, old.slot)
    )


def speaks_for(new: ClaimSlot, old: ClaimSlot) -> bool:
    """Where we live I live; of a team and its tools that is not so."""
    mine, theirs = new.subject, old.subject
    together = (mine, theirs) == (US, ME) and new.relation == old.relation == _RESIDENCE
    return together or same_subject(mine, theirs)


def _taken_back(new: Claim, old: Claim) -> str | None:
    if new.mood.ended and not old.mood.denied and set(new.content) == set(old.content):
        return "what was meant is meant no longer"
    return None


def _denial(new: Claim, old: Claim) -> str | None:
    if new.slot is None or old.slot is None:
        return "the same, denied" if new.content and new.content == old.content else None
    if not same_subject(new.slot.subject, old.slot.subject):
        return None
    if new.slot.relation != old.slot.relation or not same_terms(new.slot, old.slot):
        return None
    if (new.slot.past and not new.mood.ended) or old.slot.past:
        return None
    return "the same, denied" if _denies_value(new, new.slot, old.slot) else None


def _denies_value(new: Claim, mine: ClaimSlot, theirs: ClaimSlot) -> bool:
    if residue(theirs, new):
        return False
    rest = rest_after(theirs.value, mine.value)
    if rest and new.mood.ended:
        # No Node is no Node 18 either, but no tea says nothing of tea and coffee.
        return all(is_quantity(word) for word in rest)
    return set(stems(mine.value)) == set(stems(theirs.value))


def _opposite(new: ClaimSlot, old: ClaimSlot) -> str | None:
    mine, theirs = _predicate(new), _predicate(old)
    if len(mine) != len(theirs) or not same_terms(new, old) or old.past or new.past:
        return None
    differing = [(a, b) for a, b in zip(mine, theirs, strict=True) if a != b]
    if len(differing) == 1 and OPPOSITES.get(differing[0][0]) == differing[0][1]:
        return "the opposite"
    return None


def _departure(new: Claim, mine: ClaimSlot, theirs: ClaimSlot) -> str | None:
    """The new statement names what it leaves behind, and the old one says no more than that."""
    gone = mine.value if mine.relation == _LEAVE and theirs.relation == _EMPLOYER else mine.gone
    if theirs.past or not gone:
        return None
    if _leaves_term(gone, mine, theirs):
        return "names it as left behind"
    if stems(gone) != stems(theirs.value) or theirs.arity == "open":
        return None
    settled = not residue(theirs, new) and terms(theirs) <= terms(mine)
    return "names it as left behind" if settled else None


def _leaves_term(gone: Sequence[Word], mine: ClaimSlot, theirs: ClaimSlot) -> bool:
    """ "Cleans our flat on Mondays instead of Wednesdays": the same, but for when or where."""
    if mine.relation != theirs.relation or stems(mine.value) != stems(theirs.value):
        return False
    return bool(theirs.extras) and set(content(theirs.extras)) == set(content(gone))


_LEAVE, _EMPLOYER, _RESIDENCE = stem("leave"), stem("employer"), stem("residence")


def _predicate(slot: ClaimSlot) -> list[str]:
    return [*slot.relation.split(), *stems(slot.value)]


def _replacement(new: Claim, mine: ClaimSlot, theirs: ClaimSlot) -> str | None:
    if (
        mine.relation != theirs.relation
        or mine.past
        or theirs.past
        or "many" in _arities(mine, theirs)
    ):
        return None
    if covers(mine.value, theirs.value) or covers(theirs.value, mine.value):
        return None
    if not same_terms(mine, theirs) or residue(theirs, new) or not _may_replace(new, mine, theirs):
        return None
    return "another value of the same"


def _arities(mine: ClaimSlot, theirs: ClaimSlot) -> set[str]:
    return {mine.arity, theirs.arity}


def _may_replace(new: Claim, mine: ClaimSlot, theirs: ClaimSlot) -> bool:
    if _may_recur(new, mine):
        return False
    if mine.relation == SCHEDULE:
        return _rescheduled(mine, theirs)
    if only_amounts_differ(mine.value, theirs.value):
        return _is_no_model(mine) and not (mine.arity == "open" and _has_day(mine))
    if mine.arity == "one":
        return mine.typed or could_replace(mine.value, theirs.value, mine.relation)
    if mine.arity == "now":
        return new.mood.changed and could_replace(mine.value, theirs.value, mine.relation)
    if mine.arity == "each":
        return same_kind(mine.value, theirs.value) and _is_exclusive(new, mine)
    return mine.arity == "each_now" and _swapped(new, mine, theirs)


def _is_exclusive(new: Claim, mine: ClaimSlot) -> bool:
    """A person may have two professions, and is of two minds in nothing else here."""
    return new.mood.changed or "profession" not in kinds_of(mine.value)


def _may_recur(new: Claim, mine: ClaimSlot) -> bool:
    """There is a train at eight and one at nine, and yoga on two days; but the meeting, or our
    train, is one, and what is said to have changed is the same."""
    if new.mood.changed or not new.words or new.words[0].low in _SINGLING:
        return False
    if set(mine.subject) & _TIMETABLED:
        return any(kind == "time" for kind, _ in amounts(mine.value))
    bare = new.words[0].low not in _DEFINITE and len(mine.subject) == 1
    return mine.relation == SCHEDULE and bare and kind_of(mine.value[0]) == "weekday"


def _rescheduled(mine: ClaimSlot, theirs: ClaimSlot) -> bool:
    """Days that recur may stand side by side; the rest of the appointment must be the same."""
    recurs = any(word.low.endswith("days") for word in (*mine.value, *theirs.value))
    one, other = dict(amounts(mine.value)), dict(amounts(theirs.value))
    shared = one.keys() & other.keys()
    return not recurs and any(one[kind] != other[kind] for kind in shared)


def _has_day(slot: ClaimSlot) -> bool:
    """What is done on a day may be done on another day too."""
    return any(kind in _DAYS for kind, _ in amounts(slot.value))


_SINGLING = frozenset("my our your his her their".split())
_DEFINITE = frozenset("the a an this that".split())
_TIMETABLED = frozenset("train bus tram ferry metro subway shuttle coach".split())
_DAYS = frozenset("weekday month date year".split())


def _is_no_model(slot: ClaimSlot) -> bool:
    """ "Has an iPhone 14" may be of another phone; "has 5 members", "a size of 5" may not."""
    if slot.relation not in ("have", "own"):
        return True
    return kind_of(slot.value[0]) == "number" or any(word.low == "of" for word in slot.value)


def _swapped(new: Claim, mine: ClaimSlot, theirs: ClaimSlot) -> bool:
    if not same_kind(mine.value, theirs.value):
        return bool(terms(mine) & ONE_PURPOSES) and terms(mine) == terms(theirs)
    return new.mood.changed or bool(terms(mine))
