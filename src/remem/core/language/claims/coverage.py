"""When one statement already says what another says."""

from remem.core.language.claims.attributes import PREPOSITIONS
from remem.core.language.claims.parse import Claim, content
from remem.core.language.claims.slots import UNDER_WAY
from remem.core.language.claims.subjects import UNTOLD, same_subject
from remem.core.language.claims.values import rest_after, stems
from remem.core.language.quantities import is_quantity
from remem.core.language.words import stem

_SPEAKERS = frozenset({"<me>", "<us>"})
# Words that make the order of the others count.
_DIRECTIONS = frozenset("from to over than before after into onto instead".split())
# Words that bound what stands beside them.
_BOUNDS = frozenset(
    stem(word)
    for word in "only sometimes except unless if when until rarely seldom mostly"
    " staging production dev local weekends weekdays but".split()
)
_FAINT = frozenset(
    stem(word)
    for word in "can could would for to with go get do make take how what you your so up great good"
    " nice thing way lot well no yes it they them he she his her with about from out".split()
)


def repeats(new: Claim, old: Claim) -> bool:
    """Whether the new one says nothing that the old one does not say."""
    return covers(old, new) and not _points(new) and not _generalizes(new, old)


def _points(new: Claim) -> bool:
    """ "I like these ideas": which ones, the words do not say."""
    return any(word.low in _POINTERS and not word.named for word in new.words)


_POINTERS = frozenset("this these those it them such".split())


def _generalizes(new: Claim, old: Claim) -> bool:
    """Who likes chocolate cake need not like chocolate; but tea and coffee are tea as well."""
    if new.slot is None or old.slot is None or new.slot.relation != old.slot.relation:
        return False
    short, long = new.slot.value, old.slot.value
    if len(stems(short)) >= len(stems(long)):
        return False
    rest = rest_after(long, short)
    return not rest or not (rest[0].low in _JOINING or is_quantity(rest[0]))


_JOINING = PREPOSITIONS | frozenset("and or called named who which".split())


def covers(wide: Claim, narrow: Claim) -> bool:
    """Whether the one says everything the other says, of the same subject and in the same mood."""
    if wide.mood.denied != narrow.mood.denied or wide.mood.supposed != narrow.mood.supposed:
        return False
    if not _may_speak_of_the_same(wide, narrow):
        return False
    if _is_bounded(wide, narrow):
        return False
    return _same_slot(wide, narrow) or _holds(wide, narrow)


def _is_bounded(wide: Claim, narrow: Claim) -> bool:
    """More words may say less: "no coffee after noon" leaves more open than "no coffee"."""
    more = set(wide.content) - set(narrow.content)
    return bool(more & _BOUNDS) or (narrow.mood.denied and bool(more))


def _may_speak_of_the_same(wide: Claim, narrow: Claim) -> bool:
    if wide.slot is None or narrow.slot is None:
        return True
    mine, theirs = wide.slot.subject, narrow.slot.subject
    if wide.slot.past != narrow.slot.past or _is_under_way(wide) != _is_under_way(narrow):
        return False
    if set(stems(wide.slot.gone)) & set(stems((*narrow.slot.value, *narrow.slot.extras))):
        return False
    return same_subject(mine, theirs) or _together(mine, theirs)


def _is_under_way(statement: Claim) -> bool:
    return statement.slot is not None and statement.slot.relation.startswith(UNDER_WAY)


def _together(wide: tuple[str, ...], narrow: tuple[str, ...]) -> bool:
    """ "Anna and Bert" speaks of Anna too."""
    return "and" in wide and " ".join(narrow) in " ".join(wide).split(" and ")


def _same_slot(wide: Claim, narrow: Claim) -> bool:
    mine, theirs = wide.slot, narrow.slot
    if mine is None or theirs is None or mine.relation != theirs.relation:
        return False
    if (
        not same_subject(mine.subject, theirs.subject)
        or rest_after(mine.value, theirs.value) is None
    ):
        return False
    return set(content(theirs.extras)) <= set(wide.content)


def _holds(wide: Claim, narrow: Claim) -> bool:
    inner, outer = _terms(narrow, wide), _terms(wide, narrow)
    if (
        not _tells(inner, outer)
        or not set(inner) <= set(outer)
        or not _names(narrow) <= _lows(wide)
    ):
        return False
    if _tell_different_things(wide, narrow):
        return _in_one_piece(inner, outer)
    return _in_order(inner, outer) or not _order_counts(narrow)


def _tell_different_things(wide: Claim, narrow: Claim) -> bool:
    if wide.slot is None or narrow.slot is None:
        return False
    return wide.slot.relation != narrow.slot.relation


def _in_one_piece(inner: tuple[str, ...], outer: tuple[str, ...]) -> bool:
    """ "Lives in Oslo and works at Acme" tells who works at Acme, and not who works in Oslo."""
    pairs = enumerate(zip(inner, outer, strict=False))
    same = next((at for at, (one, other) in pairs if one != other), len(inner))
    rest = inner[same:]
    places = range(same, len(outer) - len(rest) + 1)
    return any(outer[at : at + len(rest)] == rest for at in places)


def _terms(of: Claim, other: Claim) -> tuple[str, ...]:
    untold = [each.slot is not None and each.slot.subject == UNTOLD for each in (of, other)]
    return tuple(term for term in of.content if not (any(untold) and term in _SPEAKERS))


def _tells(inner: tuple[str, ...], outer: tuple[str, ...]) -> bool:
    """Whether there is enough in it to be known again."""
    telling = set(inner) - _SPEAKERS - _FAINT
    return len(telling) > 1 or (bool(inner) and set(inner) == set(outer))


def _names(statement: Claim) -> set[str]:
    """Names are not bent as words are: Mary is not Marie."""
    return {word.low for word in statement.words if word.named}


def _lows(statement: Claim) -> set[str]:
    return {word.low for word in statement.words}


def _in_order(inner: tuple[str, ...], outer: tuple[str, ...]) -> bool:
    rest = iter(outer)
    return all(term in rest for term in inner)


def _order_counts(statement: Claim) -> bool:
    """Who does what to whom: two names, or a word of direction."""
    names = {word.low for word in statement.words if word.text[:1].isupper() and word.low != "i"}
    return len(names) > 1 or any(word.low in _DIRECTIONS for word in statement.words)
