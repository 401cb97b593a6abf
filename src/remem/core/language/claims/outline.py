"""A rough outline of the subject of a text, for texts whose claim the grammar may not parse."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from remem.core.language.claims.attributes import PREPOSITIONS
from remem.core.language.claims.news import is_past_event, is_state
from remem.core.language.claims.parse import content_terms as terms_of
from remem.core.language.claims.verbs import BE, find_verb, is_past
from remem.core.language.words import Word, stem_set, words

SPEAKERS = frozenset(("<me>", "<us>"))
_CHANGE_TERMS = stem_set("changes", "of_change")


@dataclass(frozen=True, slots=True)
class Outline:
    """The words of a text and its subject; `core` is the subject without its location."""

    words: tuple[Word, ...]
    terms: frozenset[str]
    subject: frozenset[str]
    core: frozenset[str]
    head: str
    verb: str
    past: bool


def outline_of(text: str) -> Outline:
    text_words = words(text)
    verb_index = find_verb(text_words)
    subject = _subject(text_words, verb_index)
    verb = text_words[verb_index] if verb_index is not None else None
    return Outline(
        words=tuple(text_words),
        terms=frozenset(terms_of(text_words)),
        subject=frozenset(terms_of(subject)) - _CHANGE_TERMS,
        core=frozenset(_first_term(text_words) if verb is None else terms_of(_core(subject)))
        - _CHANGE_TERMS
        - SPEAKERS,
        head=_head(subject),
        verb=verb.stem if verb else "",
        past=_describes_event(text_words) if verb is None else is_past_event(verb),
    )


def join_outlines(outlines: Sequence[Outline]) -> Outline:
    first = outlines[0]
    all_words = tuple(word for outline in outlines for word in outline.words)
    terms = frozenset(term for outline in outlines for term in outline.terms)
    return replace(first, words=all_words, terms=terms)


def _subject(text_words: Sequence[Word], verb_index: int | None) -> list[Word]:
    """The words before the verb in the first clause; empty when the clause begins with a verb.
    "United Kingdom" is a name and not a verb."""
    if not verb_index or (
        is_past(text_words[0]) and not all(word.named for word in text_words[1:verb_index])
    ):
        return []
    end = next(
        (index + 1 for index, word in enumerate(text_words[:verb_index]) if word.breaks), verb_index
    )
    return [
        word
        for index, word in enumerate(text_words[:end])
        if not index or word.named or not is_past(word)
    ]


def _core(subject: Sequence[Word]) -> list[Word]:
    core: list[Word] = []
    for word in subject:
        if word.low in PREPOSITIONS and word.low != "of" and core:
            break
        core.append(word)
    return core


def _head(subject: Sequence[Word]) -> str:
    lows = [word.low for word in subject]
    end = next((n for n, low in enumerate(lows) if n and low in PREPOSITIONS), len(lows))
    terms = [term for term in terms_of(subject[:end]) if term not in _CHANGE_TERMS]
    return terms[-1] if terms else ""


def _first_term(text_words: Sequence[Word]) -> list[str]:
    """The most likely subject of a statement without a known verb."""
    return [term for term in terms_of(text_words) if term not in SPEAKERS][:1]


def _describes_event(text_words: Sequence[Word]) -> bool:
    """Whether a text describes a past event, which stays true whatever happens later."""
    return any(
        is_past(word) and word.low not in BE and not word.named and not is_state(text_words, at)
        for at, word in enumerate(text_words)
    )
