"""Of whom or what a text speaks, in outline: for texts whose claim the grammar may not read."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from remem.core.language.claims.attributes import PREPOSITIONS
from remem.core.language.claims.news import is_past_event, is_state
from remem.core.language.claims.parse import content as terms_of
from remem.core.language.claims.verbs import BE, find_verb, is_past
from remem.core.language.words import Word, stem_set, words

SPEAKERS = frozenset(("<me>", "<us>"))
_OF_CHANGE = stem_set("changes", "of_change")


@dataclass(frozen=True, slots=True)
class Outline:
    """A text's words, and of whom or what it speaks; `core` is that without where it is."""

    words: tuple[Word, ...]
    terms: frozenset[str]
    subject: frozenset[str]
    core: frozenset[str]
    head: str
    verb: str
    past: bool


def outline_of(text: str) -> Outline:
    found = words(text)
    at = find_verb(found)
    subject = _subject(found, at)
    verb = found[at] if at is not None else None
    return Outline(
        words=tuple(found),
        terms=frozenset(terms_of(found)),
        subject=frozenset(terms_of(subject)) - _OF_CHANGE,
        core=frozenset(_first_term(found) if verb is None else terms_of(_core(subject)))
        - _OF_CHANGE
        - SPEAKERS,
        head=_head(subject),
        verb=verb.stem if verb else "",
        past=_tells_event(found) if verb is None else is_past_event(verb),
    )


def join_outlines(found: Sequence[Outline]) -> Outline:
    first = found[0]
    every = tuple(word for one in found for word in one.words)
    terms = frozenset(term for one in found for term in one.terms)
    return replace(first, words=every, terms=terms)


def _subject(found: Sequence[Word], at: int | None) -> list[Word]:
    """What stands before the verb in the first clause; nothing where that begins with a verb, which
    "United Kingdom" does not."""
    if not at or (is_past(found[0]) and not all(word.named for word in found[1:at])):
        return []
    end = next((n + 1 for n, word in enumerate(found[:at]) if word.breaks), at)
    return [word for n, word in enumerate(found[:end]) if not n or word.named or not is_past(word)]


def _core(subject: Sequence[Word]) -> list[Word]:
    found: list[Word] = []
    for word in subject:
        if word.low in PREPOSITIONS and word.low != "of" and found:
            break
        found.append(word)
    return found


def _head(subject: Sequence[Word]) -> str:
    lows = [word.low for word in subject]
    end = next((n for n, low in enumerate(lows) if n and low in PREPOSITIONS), len(lows))
    terms = [term for term in terms_of(subject[:end]) if term not in _OF_CHANGE]
    return terms[-1] if terms else ""


def _first_term(found: Sequence[Word]) -> list[str]:
    """Of what a statement most likely speaks whose verb is not known."""
    return [term for term in terms_of(found) if term not in SPEAKERS][:1]


def _tells_event(found: Sequence[Word]) -> bool:
    """What happened once stays so, whatever happened after it."""
    return any(
        is_past(word) and word.low not in BE and not word.named and not is_state(found, at)
        for at, word in enumerate(found)
    )
