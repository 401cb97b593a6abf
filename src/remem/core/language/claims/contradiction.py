"""Detect when a new statement replaces an old one: it denies it or gives its slot a new value."""

from collections.abc import Sequence

from remem.core.language.claims.attributes import ONE_PURPOSES
from remem.core.language.claims.conditions import (
    condition_terms,
    same_conditions,
    says_more_than_slot,
)
from remem.core.language.claims.mood import OPPOSITES
from remem.core.language.claims.parse import Claim, content_terms
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
    """The reason why the old statement is no longer true, or None when it may still be true."""
    if new.mood.supposed or old.mood.supposed:
        return _dropped_plan(new, old) if new.mood.supposed == old.mood.supposed else None
    if new.mood.denied != old.mood.denied:
        return _denial(new, old)
    if new.mood.denied or new.slot is None or old.slot is None:
        return None
    if not covers_subject(new.slot, old.slot):
        return None
    return (
        _opposite(new.slot, old.slot)
        or _former_value(new, new.slot, old.slot)
        or _replacement(new, new.slot, old.slot)
    )


def covers_subject(new: ClaimSlot, old: ClaimSlot) -> bool:
    """Whether a new slot is about the subject of the old one. Where we live, I live too; but the
    tools of a team are not mine."""
    new_subject, old_subject = new.subject, old.subject
    is_shared_residence = (new_subject, old_subject) == (
        US,
        ME,
    ) and new.relation == old.relation == _RESIDENCE
    return is_shared_residence or same_subject(new_subject, old_subject)


def _dropped_plan(new: Claim, old: Claim) -> str | None:
    if new.mood.ended and not old.mood.denied and set(new.content) == set(old.content):
        return "the plan was dropped"
    return None


def _denial(new: Claim, old: Claim) -> str | None:
    if new.slot is None or old.slot is None:
        return "the same, denied" if new.content and new.content == old.content else None
    if not same_subject(new.slot.subject, old.slot.subject):
        return None
    if new.slot.relation != old.slot.relation or not same_conditions(new.slot, old.slot):
        return None
    if (new.slot.past and not new.mood.ended) or old.slot.past:
        return None
    return "the same, denied" if _denies_value(new, new.slot, old.slot) else None


def _denies_value(new: Claim, new_slot: ClaimSlot, old_slot: ClaimSlot) -> bool:
    if says_more_than_slot(old_slot, new):
        return False
    rest = rest_after(old_slot.value, new_slot.value)
    if rest and new.mood.ended:
        # "No Node" also denies Node 18, but "no tea" does not deny "tea and coffee".
        return all(is_quantity(word) for word in rest)
    return set(stems(new_slot.value)) == set(stems(old_slot.value))


def _opposite(new: ClaimSlot, old: ClaimSlot) -> str | None:
    new_predicate, old_predicate = _predicate(new), _predicate(old)
    if (
        len(new_predicate) != len(old_predicate)
        or not same_conditions(new, old)
        or old.past
        or new.past
    ):
        return None
    differences = [(a, b) for a, b in zip(new_predicate, old_predicate, strict=True) if a != b]
    if len(differences) == 1 and OPPOSITES.get(differences[0][0]) == differences[0][1]:
        return "the opposite"
    return None


def _former_value(new: Claim, new_slot: ClaimSlot, old_slot: ClaimSlot) -> str | None:
    """The new statement names a former value, and the old one says nothing more than that value."""
    former = (
        new_slot.value
        if new_slot.relation == _LEAVE and old_slot.relation == _EMPLOYER
        else new_slot.former
    )
    if old_slot.past or not former:
        return None
    if _replaces_condition(former, new_slot, old_slot):
        return "names it as left behind"
    if stems(former) != stems(old_slot.value) or old_slot.arity == "open":
        return None
    is_complete = not says_more_than_slot(old_slot, new) and condition_terms(
        old_slot
    ) <= condition_terms(new_slot)
    return "names it as left behind" if is_complete else None


def _replaces_condition(former: Sequence[Word], new_slot: ClaimSlot, old_slot: ClaimSlot) -> bool:
    """The same except for the time or place: "cleans our flat on Mondays instead of Wednesdays"."""
    if new_slot.relation != old_slot.relation or stems(new_slot.value) != stems(old_slot.value):
        return False
    return bool(old_slot.extras) and set(content_terms(old_slot.extras)) == set(
        content_terms(former)
    )


_LEAVE, _EMPLOYER, _RESIDENCE = stem("leave"), stem("employer"), stem("residence")


def _predicate(slot: ClaimSlot) -> list[str]:
    return [*slot.relation.split(), *stems(slot.value)]


def _replacement(new: Claim, new_slot: ClaimSlot, old_slot: ClaimSlot) -> str | None:
    if (
        new_slot.relation != old_slot.relation
        or new_slot.past
        or old_slot.past
        or "many" in _arities(new_slot, old_slot)
    ):
        return None
    if covers(new_slot.value, old_slot.value) or covers(old_slot.value, new_slot.value):
        return None
    if (
        not same_conditions(new_slot, old_slot)
        or says_more_than_slot(old_slot, new)
        or not _may_replace(new, new_slot, old_slot)
    ):
        return None
    return "another value of the same"


def _arities(new_slot: ClaimSlot, old_slot: ClaimSlot) -> set[str]:
    return {new_slot.arity, old_slot.arity}


def _may_replace(new: Claim, new_slot: ClaimSlot, old_slot: ClaimSlot) -> bool:
    if _may_recur(new, new_slot):
        return False
    if new_slot.relation == SCHEDULE:
        return _rescheduled(new_slot, old_slot)
    if only_amounts_differ(new_slot.value, old_slot.value):
        return _is_not_model_number(new_slot) and not (
            new_slot.arity == "open" and _has_day(new_slot)
        )
    if new_slot.arity == "one":
        return new_slot.typed or could_replace(new_slot.value, old_slot.value, new_slot.relation)
    if new_slot.arity == "now":
        return new.mood.changed and could_replace(new_slot.value, old_slot.value, new_slot.relation)
    if new_slot.arity == "each":
        return same_kind(new_slot.value, old_slot.value) and _is_exclusive(new, new_slot)
    return new_slot.arity == "each_now" and _is_swapped(new, new_slot, old_slot)


def _is_exclusive(new: Claim, slot: ClaimSlot) -> bool:
    """Whether a value excludes another of its kind. Only professions may coexist."""
    return new.mood.changed or "profession" not in kinds_of(slot.value)


def _may_recur(new: Claim, slot: ClaimSlot) -> bool:
    """Whether the event may happen more than once. There may be a train at eight and at nine, and
    yoga on two days; but "the meeting" and "our train" are one, and so is an event that changed."""
    if new.mood.changed or not new.words or new.words[0].low in _POSSESSIVES:
        return False
    if set(slot.subject) & _TIMETABLED:
        return any(kind == "time" for kind, _ in amounts(slot.value))
    is_bare = new.words[0].low not in _DEFINITE and len(slot.subject) == 1
    return slot.relation == SCHEDULE and is_bare and kind_of(slot.value[0]) == "weekday"


def _rescheduled(new_slot: ClaimSlot, old_slot: ClaimSlot) -> bool:
    """Whether an appointment moved. Recurring days ("Mondays") may coexist."""
    is_recurring = any(word.low.endswith("days") for word in (*new_slot.value, *old_slot.value))
    new_amounts, old_amounts = dict(amounts(new_slot.value)), dict(amounts(old_slot.value))
    shared_kinds = new_amounts.keys() & old_amounts.keys()
    return not is_recurring and any(new_amounts[kind] != old_amounts[kind] for kind in shared_kinds)


def _has_day(slot: ClaimSlot) -> bool:
    """Whether the value names a day; the same may be done on another day too."""
    return any(kind in _DAYS for kind, _ in amounts(slot.value))


_POSSESSIVES = frozenset("my our your his her their".split())
_DEFINITE = frozenset("the a an this that".split())
_TIMETABLED = frozenset("train bus tram ferry metro subway shuttle coach".split())
_DAYS = frozenset("weekday month date year".split())


def _is_not_model_number(slot: ClaimSlot) -> bool:
    """Whether the amount is not part of a model name. "Has an iPhone 14" may be about another
    phone; "has 5 members" and "a size of 5" are amounts."""
    if slot.relation not in ("have", "own"):
        return True
    return kind_of(slot.value[0]) == "number" or any(word.low == "of" for word in slot.value)


def _is_swapped(new: Claim, new_slot: ClaimSlot, old_slot: ClaimSlot) -> bool:
    if not same_kind(new_slot.value, old_slot.value):
        return bool(condition_terms(new_slot) & ONE_PURPOSES) and condition_terms(
            new_slot
        ) == condition_terms(old_slot)
    return new.mood.changed or bool(condition_terms(new_slot))
