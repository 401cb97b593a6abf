"""Detect when one statement already says everything another says."""

from remem.core.language.claims.attributes import PREPOSITIONS
from remem.core.language.claims.parse import Claim, content_terms
from remem.core.language.claims.slots import IN_PROGRESS
from remem.core.language.claims.subjects import UNSTATED, same_subject
from remem.core.language.claims.values import rest_after, stems
from remem.core.language.quantities import is_quantity
from remem.core.language.words import stem

_SPEAKERS = frozenset({"<me>", "<us>"})
# Words that make word order matter.
_DIRECTIONS = frozenset("from to over than before after into onto instead".split())
# Words that limit the words next to them.
_LIMITING_STEMS = frozenset(
    stem(word)
    for word in "only sometimes except unless if when until rarely seldom mostly"
    " staging production dev local weekends weekdays but".split()
)
_WEAK_TERMS = frozenset(
    stem(word)
    for word in "can could would for to with go get do make take how what you your so up great good"
    " nice thing way lot well no yes it they them he she his her with about from out".split()
)


def repeats(new: Claim, old: Claim) -> bool:
    """Whether the new statement adds nothing to the old one."""
    return covers(old, new) and not _has_demonstrative(new) and not _generalizes(new, old)


def _has_demonstrative(new: Claim) -> bool:
    """Whether a demonstrative refers to something outside the statement: "I like these ideas"."""
    return any(word.low in _DEMONSTRATIVES and not word.named for word in new.words)


_DEMONSTRATIVES = frozenset("this these those it them such".split())


def _generalizes(new: Claim, old: Claim) -> bool:
    """Whether the new value is more general. Liking chocolate cake does not mean liking chocolate,
    but "tea and coffee" includes tea."""
    if new.slot is None or old.slot is None or new.slot.relation != old.slot.relation:
        return False
    new_value, old_value = new.slot.value, old.slot.value
    if len(stems(new_value)) >= len(stems(old_value)):
        return False
    rest = rest_after(old_value, new_value)
    return not rest or not (rest[0].low in _CONNECTIVES or is_quantity(rest[0]))


_CONNECTIVES = PREPOSITIONS | frozenset("and or called named who which".split())


def covers(wide: Claim, narrow: Claim) -> bool:
    """Whether `wide` says everything `narrow` says, about the same subject and in the same mood."""
    if wide.mood.denied != narrow.mood.denied or wide.mood.supposed != narrow.mood.supposed:
        return False
    if not _may_share_subject(wide, narrow):
        return False
    if _is_limited(wide, narrow):
        return False
    return _same_slot(wide, narrow) or _contains_terms(wide, narrow)


def _is_limited(wide: Claim, narrow: Claim) -> bool:
    """Whether the extra words of `wide` limit it: "no coffee after noon" says less than "no
    coffee"."""
    extra = set(wide.content) - set(narrow.content)
    return bool(extra & _LIMITING_STEMS) or (narrow.mood.denied and bool(extra))


def _may_share_subject(wide: Claim, narrow: Claim) -> bool:
    if wide.slot is None or narrow.slot is None:
        return True
    wide_subject, narrow_subject = wide.slot.subject, narrow.slot.subject
    if wide.slot.past != narrow.slot.past or _is_in_progress(wide) != _is_in_progress(narrow):
        return False
    if set(stems(wide.slot.former)) & set(stems((*narrow.slot.value, *narrow.slot.extras))):
        return False
    return same_subject(wide_subject, narrow_subject) or _is_joined_subject(
        wide_subject, narrow_subject
    )


def _is_in_progress(statement: Claim) -> bool:
    return statement.slot is not None and statement.slot.relation.startswith(IN_PROGRESS)


def _is_joined_subject(wide: tuple[str, ...], narrow: tuple[str, ...]) -> bool:
    """Whether `narrow` is one of the subjects joined in `wide`: "Anna and Bert" includes Anna."""
    return "and" in wide and " ".join(narrow) in " ".join(wide).split(" and ")


def _same_slot(wide: Claim, narrow: Claim) -> bool:
    wide_slot, narrow_slot = wide.slot, narrow.slot
    if wide_slot is None or narrow_slot is None or wide_slot.relation != narrow_slot.relation:
        return False
    if (
        not same_subject(wide_slot.subject, narrow_slot.subject)
        or rest_after(wide_slot.value, narrow_slot.value) is None
    ):
        return False
    return set(content_terms(narrow_slot.extras)) <= set(wide.content)


def _contains_terms(wide: Claim, narrow: Claim) -> bool:
    inner, outer = _terms(narrow, wide), _terms(wide, narrow)
    if (
        not _is_specific(inner, outer)
        or not set(inner) <= set(outer)
        or not _names(narrow) <= _lower_words(wide)
    ):
        return False
    if _have_different_relations(wide, narrow):
        return _is_contiguous(inner, outer)
    return _in_order(inner, outer) or not _order_counts(narrow)


def _have_different_relations(wide: Claim, narrow: Claim) -> bool:
    if wide.slot is None or narrow.slot is None:
        return False
    return wide.slot.relation != narrow.slot.relation


def _is_contiguous(inner: tuple[str, ...], outer: tuple[str, ...]) -> bool:
    """Whether the terms after the common beginning occur contiguously. "Lives in Oslo and works at
    Acme" covers "works at Acme", but not "works in Oslo"."""
    pairs = enumerate(zip(inner, outer, strict=False))
    common = next(
        (index for index, (inner_term, outer_term) in pairs if inner_term != outer_term), len(inner)
    )
    remaining = inner[common:]
    positions = range(common, len(outer) - len(remaining) + 1)
    return any(outer[index : index + len(remaining)] == remaining for index in positions)


def _terms(claim: Claim, other: Claim) -> tuple[str, ...]:
    unstated = [
        statement.slot is not None and statement.slot.subject == UNSTATED
        for statement in (claim, other)
    ]
    return tuple(term for term in claim.content if not (any(unstated) and term in _SPEAKERS))


def _is_specific(inner: tuple[str, ...], outer: tuple[str, ...]) -> bool:
    """Whether the terms are specific enough to be recognised."""
    specific = set(inner) - _SPEAKERS - _WEAK_TERMS
    return len(specific) > 1 or (bool(inner) and set(inner) == set(outer))


def _names(statement: Claim) -> set[str]:
    """The names of a statement, in lower case. Names are not stemmed: Mary is not Marie."""
    return {word.low for word in statement.words if word.named}


def _lower_words(statement: Claim) -> set[str]:
    return {word.low for word in statement.words}


def _in_order(inner: tuple[str, ...], outer: tuple[str, ...]) -> bool:
    rest = iter(outer)
    return all(term in rest for term in inner)


def _order_counts(statement: Claim) -> bool:
    """Whether word order matters: there are two names, or a word of direction."""
    names = {word.low for word in statement.words if word.text[:1].isupper() and word.low != "i"}
    return len(names) > 1 or any(word.low in _DIRECTIONS for word in statement.words)
