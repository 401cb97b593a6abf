"""What is said as news, in the plain words for it: who "started at Acme" works there."""

from collections.abc import Sequence

from remem.core.language.claims.attribute_nouns import attribute_of
from remem.core.language.claims.verbs import ADVERBS, BE, find_verb, is_past, last_of_chain
from remem.core.language.lists import word_set
from remem.core.language.quantities import is_quantity
from remem.core.language.words import Word, stem

_BEGIN = frozenset(stem(verb) for verb in ("start", "begin"))
_TAKE_UP = _BEGIN | {stem(verb) for verb in ("get", "have", "land")}
_CHANGE = frozenset(stem(verb) for verb in ("change", "update"))
_JOB = frozenset("job position role".split())
_OF_A_JOB = frozenset("a an my his her the new".split())
_SCHOOLS = word_set("places", "schools")
_WORKS, _IS = Word("works", "works", stem("works"), named=False), Word("is", "is", "is", False)


def plain(words: Sequence[Word]) -> Sequence[Word]:
    """The same statement without its idiom; as it is when it has none."""
    at = find_verb(words)
    if at is None or words[at].low in BE:
        return words
    verb = last_of_chain(words, at)
    subject, rest = words[:at], [word for word in words[verb + 1 :] if word.low not in ADVERBS]
    if words[at].low == "had" or not rest:
        return words
    return _begun(subject, words[verb], rest) or _changed(words[verb], rest) or words


def _begun(subject: Sequence[Word], verb: Word, rest: Sequence[Word]) -> Sequence[Word] | None:
    if verb.stem in _BEGIN and is_past(verb) and len(rest) > 1:
        if rest[0].low.endswith("ing") and not rest[0].named:
            return (*subject, _doing(rest[0]), *rest[1:])
        if rest[0].low == "at" and _is_workplace(rest[1:]) and _is_somebody(subject):
            return (*subject, _WORKS, *rest)
    place = _after_job(rest) if verb.stem in _TAKE_UP else None
    return (*subject, _WORKS, *place) if place and _is_workplace(place[1:]) else None


def _doing(participle: Word) -> Word:
    does = f"{participle.stem}s"
    return Word(does, does, participle.stem, named=False)


def _is_workplace(words: Sequence[Word]) -> bool:
    named = bool(words) and words[0].named and not is_quantity(words[0])
    return named and not any(word.low in _SCHOOLS for word in words)


def _is_somebody(subject: Sequence[Word]) -> bool:
    return all(word.named or word.text[:1].isupper() or word.low == "i" for word in subject)


def _after_job(rest: Sequence[Word]) -> Sequence[Word] | None:
    """ "A new job at Acme": where the job is; nothing of "a second job at Acme"."""
    at = next((n for n, word in enumerate(rest) if word.low in _JOB), 0)
    if not at or any(word.low not in _OF_A_JOB for word in rest[:at]):
        return None
    return rest[at + 1 :] if rest[at + 1 : at + 2] and rest[at + 1].low in ("at", "with") else None


def _changed(verb: Word, rest: Sequence[Word]) -> Sequence[Word] | None:
    """ "I changed my number to 12" is "my number is 12"."""
    to = next((n for n, word in enumerate(rest) if word.low == "to"), 0)
    if verb.stem not in _CHANGE or to < 2 or to + 1 == len(rest) or not attribute_of(rest[:to]):
        return None
    return (*rest[:to], _IS, *rest[to + 1 :])
