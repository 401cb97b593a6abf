"""Rewrite idioms for news as plain statements: "started at Acme" becomes "works at Acme"."""

from collections.abc import Sequence

from remem.core.language.claims.attribute_nouns import attribute_of
from remem.core.language.claims.verbs import ADVERBS, BE, find_verb, is_past, last_verb_index
from remem.core.language.lists import word_set
from remem.core.language.quantities import is_quantity
from remem.core.language.words import Word, stem

_START_VERBS = frozenset(stem(verb) for verb in ("start", "begin"))
_TAKE_UP_VERBS = _START_VERBS | {stem(verb) for verb in ("get", "have", "land")}
_CHANGE_VERBS = frozenset(stem(verb) for verb in ("change", "update"))
_JOB_NOUNS = frozenset("job position role".split())
_JOB_MODIFIERS = frozenset("a an my his her the new".split())
_SCHOOLS = word_set("places", "schools")
_WORKS, _IS = Word("works", "works", stem("works"), named=False), Word("is", "is", "is", False)


def rewrite_idiom(words: Sequence[Word]) -> Sequence[Word]:
    """The statement without its idiom, or unchanged when it has none."""
    verb_index = find_verb(words)
    if verb_index is None or words[verb_index].low in BE:
        return words
    last_verb = last_verb_index(words, verb_index)
    subject, rest = (
        words[:verb_index],
        [word for word in words[last_verb + 1 :] if word.low not in ADVERBS],
    )
    if words[verb_index].low == "had" or not rest:
        return words
    return (
        _rewrite_started(subject, words[last_verb], rest)
        or _rewrite_changed(words[last_verb], rest)
        or words
    )


def _rewrite_started(
    subject: Sequence[Word], verb: Word, rest: Sequence[Word]
) -> Sequence[Word] | None:
    if verb.stem in _START_VERBS and is_past(verb) and len(rest) > 1:
        if rest[0].low.endswith("ing") and not rest[0].named:
            return (*subject, _present_tense(rest[0]), *rest[1:])
        if rest[0].low == "at" and _is_workplace(rest[1:]) and _is_somebody(subject):
            return (*subject, _WORKS, *rest)
    place = _workplace_of_job(rest) if verb.stem in _TAKE_UP_VERBS else None
    return (*subject, _WORKS, *place) if place and _is_workplace(place[1:]) else None


def _present_tense(participle: Word) -> Word:
    verb = f"{participle.stem}s"
    return Word(verb, verb, participle.stem, named=False)


def _is_workplace(words: Sequence[Word]) -> bool:
    named = bool(words) and words[0].named and not is_quantity(words[0])
    return named and not any(word.low in _SCHOOLS for word in words)


def _is_somebody(subject: Sequence[Word]) -> bool:
    return all(word.named or word.text[:1].isupper() or word.low == "i" for word in subject)


def _workplace_of_job(rest: Sequence[Word]) -> Sequence[Word] | None:
    """The workplace in "a new job at Acme"; None for "a second job at Acme"."""
    job_index = next((index for index, word in enumerate(rest) if word.low in _JOB_NOUNS), 0)
    if not job_index or any(word.low not in _JOB_MODIFIERS for word in rest[:job_index]):
        return None
    return (
        rest[job_index + 1 :]
        if rest[job_index + 1 : job_index + 2] and rest[job_index + 1].low in ("at", "with")
        else None
    )


def _rewrite_changed(verb: Word, rest: Sequence[Word]) -> Sequence[Word] | None:
    """Rewrite "I changed my number to 12" as "my number is 12"."""
    to_index = next((index for index, word in enumerate(rest) if word.low == "to"), 0)
    if (
        verb.stem not in _CHANGE_VERBS
        or to_index < 2
        or to_index + 1 == len(rest)
        or not attribute_of(rest[:to_index])
    ):
        return None
    return (*rest[:to_index], _IS, *rest[to_index + 1 :])
