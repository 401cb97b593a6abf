"""Whether two statements are about two things of one kind, by name, number or place; for `change`.

"Room Oak has a screen" is not updated by "Room Birch has a projector"."""

from collections.abc import Sequence

from remem.core.language.claims.attributes import VERBS
from remem.core.language.claims.parse import content_terms as terms_of
from remem.core.language.claims.verbs import BE, find_verb
from remem.core.language.words import Word

# How many words at the beginning of a statement may name its subject.
SUBJECT_WORDS = 4
_PLACE_PREPOSITIONS = frozenset("on at in by near".split())
_DETERMINERS = frozenset("the my our your his her their".split())


def have_different_names(new: Sequence[Word], old: Sequence[Word]) -> bool:
    """Whether the same word is followed by another name, number or place.

    "Room Oak" is not "room Birch", kettle 1 is not kettle 2, and the cinema on Kiln Lane is not
    the one at the station."""
    new_thing, old_thing = _numbered_thing(new), _numbered_thing(old)
    if new_thing and old_thing and new_thing[0] == old_thing[0] and new_thing[1] != old_thing[1]:
        return True
    if _have_different_labels(new, old):
        return True
    return any(
        new_word.stem == old_word.stem and _are_distinguished(new[new_at + 1 :], old[old_at + 1 :])
        for new_at, new_word in enumerate(new[:SUBJECT_WORDS])
        for old_at, old_word in enumerate(old[:SUBJECT_WORDS])
        if not new_word.named
    )


def _have_different_labels(new: Sequence[Word], old: Sequence[Word]) -> bool:
    """ "Meter shop 0419" is not "meter home 0412"; only for notes without a verb."""
    if find_verb(old) is not None:
        return False
    new_label, old_label = _label_terms(new), _label_terms(old)
    return bool(new_label & old_label and new_label - old_label and old_label - new_label)


def _label_terms(words: Sequence[Word]) -> frozenset[str]:
    """The terms before the first number or verb."""
    rest = words[1:] if words and words[0].low in _DETERMINERS else words
    end = next((at for at, word in enumerate(rest) if _ends_label(word)), len(rest))
    return frozenset(terms_of(rest[:end])) if end <= SUBJECT_WORDS else frozenset()


def _ends_label(word: Word) -> bool:
    return word.low in BE or any(map(str.isdigit, word.text))


def _numbered_thing(words: Sequence[Word]) -> tuple[str, str] | None:
    """The thing and the number at the beginning of a statement that says something about them.

    In "rent 900 euros" the number is the value, not part of the name."""
    rest = words[1:] if words and words[0].low in _DETERMINERS else words
    if len(rest) < SUBJECT_WORDS or not rest[1].low.isdigit():
        return None
    goes_on = rest[2].low in BE | {"of"} or rest[2].stem in VERBS
    return (rest[0].stem, rest[1].low) if goes_on else None


def _are_distinguished(new_rest: Sequence[Word], old_rest: Sequence[Word]) -> bool:
    """Whether the words that follow the shared one name two things."""
    if not new_rest or not old_rest:
        return False
    if new_rest[0].named and old_rest[0].named:
        return new_rest[0].stem != old_rest[0].stem
    new_place, old_place = (_place(rest) for rest in (new_rest, old_rest))
    return bool(new_place and old_place) and not new_place & old_place


def _place(words: Sequence[Word]) -> frozenset[str]:
    """The terms after "on" or "at", without "is" and the like."""
    if words[0].low not in _PLACE_PREPOSITIONS:
        return frozenset()
    return frozenset(terms_of([word for word in words[1:4] if word.named or word.low not in BE]))
