"""Whether an older statement has details that a newer one does not replace.

"The standup is at 9:15 in the Beacon room" stays when "The standup is at 9:30" is saved: the room
would be lost."""

from remem.core.language.claims.attributes import PREPOSITIONS
from remem.core.language.claims.outline import SPEAKERS, Outline
from remem.core.language.claims.parse import content_terms as terms_of
from remem.core.language.times.calendar import MONTHS
from remem.core.language.words import stem

# How many words the old statement may have that the new one lacks; fewer if it has clauses.
# Chosen on bench/sets/pairs.toml and written notes.
MAX_EXTRA_WORDS, MAX_EXTRA_WORDS_WITH_CLAUSES = 8, 2
_CLAUSE_MARKS = (", ", "; ", ": ", " - ", " – ", " — ", " = ", "(")
_PLACE_PREPOSITIONS, _PLACE_WORDS = frozenset(("in", "at")), 3
_LIGHT = SPEAKERS | frozenset(map(stem, PREPOSITIONS))
_TIMES = frozenset(
    map(stem, (*MONTHS, *"morning noon afternoon evening night day week weekend".split()))
)


def has_extra_details(old: Outline, new: Outline, text: str) -> bool:
    """Whether `old`, with the text `text`, says more than `new` can replace.

    "The cake is Elvia's, in Pico Rivera, 380 for three tiers" says more than a new price."""
    has_clauses = any(mark in text for mark in _CLAUSE_MARKS)
    max_extra = MAX_EXTRA_WORDS_WITH_CLAUSES if has_clauses else MAX_EXTRA_WORDS
    return len(old.terms - new.terms - _LIGHT) > max_extra or would_lose_place(old, new)


def would_lose_place(old: Outline, new: Outline) -> bool:
    """Whether `new` gives another number but no place, and `old` has one.

    Old: "The standup is at 9:15 in the Beacon room", new: "The standup is at 9:30"."""
    have_numbers = _has_number(old) and _has_number(new)
    return have_numbers and bool(_place(old) - new.terms) and not _place(new)


def _has_number(outline: Outline) -> bool:
    return any(any(map(str.isdigit, word.text)) for word in outline.words)


def _place(outline: Outline) -> frozenset[str]:
    """The words after "in" or "at", unless they contain a digit."""
    terms: set[str] = set()
    for at, word in enumerate(outline.words):
        following = outline.words[at + 1 : at + 1 + _PLACE_WORDS]
        if word.low in _PLACE_PREPOSITIONS and not any(
            map(str.isdigit, "".join(follower.text for follower in following))
        ):
            terms.update(terms_of(following))
    return frozenset(terms) - _TIMES
