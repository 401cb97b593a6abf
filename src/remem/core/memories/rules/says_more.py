"""Whether an older statement says things that a newer one leaves as they are; pure.

They would be lost if the newer one took its place."""

from remem.core.language.claims.attributes import PREPOSITIONS
from remem.core.language.claims.outline import SPEAKERS, Outline
from remem.core.language.claims.parse import content as terms_of
from remem.core.language.times.calendar import MONTHS
from remem.core.language.words import stem

# How many words more than the new one the old one may have, and where it has several clauses.
# Chosen on bench/sets/pairs.toml and written notes.
MORE_WORDS, MORE_WORDS_OF_CLAUSES = 8, 2
_CLAUSE_MARKS = (", ", "; ", ": ", " - ", " – ", " — ", " = ", "(")
_AT, _PLACE_WORDS = frozenset(("in", "at")), 3
_LIGHT = SPEAKERS | frozenset(map(stem, PREPOSITIONS))
_TIMES = frozenset(
    map(stem, (*MONTHS, *"morning noon afternoon evening night day week weekend".split()))
)


def says_more(old: Outline, new: Outline, text: str) -> bool:
    """ "The cake is Elvia's, in Pico Rivera, 380 for three tiers": a new price leaves the rest."""
    has_clauses = any(mark in text for mark in _CLAUSE_MARKS)
    most = MORE_WORDS_OF_CLAUSES if has_clauses else MORE_WORDS
    return len(old.terms - new.terms - _LIGHT) > most or says_where(old, new)


def says_where(old: Outline, new: Outline) -> bool:
    """ "The standup is at 9:15 in the Beacon room": another time leaves the place."""
    have_figures = _has_figure(old) and _has_figure(new)
    return have_figures and bool(_place(old) - new.terms) and not _place(new)


def _has_figure(said: Outline) -> bool:
    return any(any(map(str.isdigit, word.text)) for word in said.words)


def _place(said: Outline) -> frozenset[str]:
    """What stands behind an "in" or "at" and has no figure."""
    found: set[str] = set()
    for at, word in enumerate(said.words):
        behind = said.words[at + 1 : at + 1 + _PLACE_WORDS]
        if word.low in _AT and not any(map(str.isdigit, "".join(one.text for one in behind))):
            found.update(terms_of(behind))
    return frozenset(found) - _TIMES
