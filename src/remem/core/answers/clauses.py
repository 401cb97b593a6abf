"""The clauses of a sentence: whom each is about, and whether it is affirmed; pure."""

import re
from dataclasses import dataclass

from remem.core.answers.sentences import SentenceSpan
from remem.core.language.claims.mood import Mood, weigh
from remem.core.language.claims.verbs import ADVERBS, BE, find_verb, is_participle
from remem.core.language.words import Word, stem, words

_FLAGS = re.IGNORECASE | re.ASCII
# So few words without a verb name somebody, and are no note by themselves.
LISTED = 3
_BOUNDARY = re.compile(
    r"[;:,]\s++(?:(?:and|but|so|or)\s++)?"
    r"|(?<!\s)\s++(?:[-–—]|but|because|while|although|though|since|until|when|and)\s++",
    _FLAGS,
)
_CONDITION = re.compile(r"\b(?:if|unless|whether|in case)\b", _FLAGS)
# Words for what is only ahead, besides those that every statement is weighed by.
_AHEAD = frozenset(map(stem, "due upcoming hope want plan intend wish dream would".split()))
_TO_DO = re.compile(r"\b(?:have|has|need|needs|ought|supposed|trying|remember) to\b", _FLAGS)
_FIRST_PERSON = frozenset("i we me us my our user".split())
_EMPTY = frozenset("the a an this that these those my our his her its their your 's of and".split())
_PRONOUNS = frozenset("he she it they him her them".split())
_HAVE = frozenset("have has had".split())
_HELPS = BE | ADVERBS | _HAVE | frozenset("do does did will would can could not also just".split())
_PAST_STATE = frozenset("was were had".split())


@dataclass(frozen=True, slots=True)
class Clause:
    """Part of a sentence. `subject` is empty where it goes on with that of the clause before;
    `verb` is the stem of its main verb; `is_bare` has nothing but that ("Ben is not")."""

    span: SentenceSpan
    words: tuple[Word, ...]
    mood: Mood
    subject: tuple[Word, ...]
    verb: str
    is_bare: bool

    @property
    def stems(self) -> frozenset[str]:
        return frozenset(word.stem for word in self.words)

    @property
    def is_ahead(self) -> bool:
        """Whether it tells what is planned, wished or supposed, and not what is."""
        return self.mood.supposed or bool(self.stems & _AHEAD)

    @property
    def was(self) -> bool:
        """Whether it tells how something was, which need not be so any more."""
        return any(word.low in _PAST_STATE for word in self.words)


def clauses_of(text: str, start: int, end: int) -> list[Clause]:
    """The clauses of a sentence, which stands from `start` to `end` in the text."""
    places = [start]
    for found in _BOUNDARY.finditer(text, start, end):
        places += [found.start(), found.end()]
    places.append(end)
    spans = [
        SentenceSpan(a, b)
        for a, b in zip(places[::2], places[1::2], strict=True)
        if text[a:b].strip()
    ]
    conditional = _CONDITION.search(text, start, end) is not None
    return [_clause(text, span, conditional) for span in spans]


def clause_at(text: str, sentence: SentenceSpan, start: int) -> Clause | None:
    """The clause of the sentence that a place of the text is in."""
    found = clauses_of(text, sentence.start, sentence.end)
    return next((one for one in reversed(found) if one.span.start <= start), None)


def _clause(text: str, span: SentenceSpan, conditional: bool) -> Clause:
    part = text[span.start : span.end]
    said = words(part)
    _, mood = weigh(said, question=conditional or bool(_TO_DO.search(part)))
    verb = find_verb(said)
    subject = _subject(said[:verb] if verb is not None else said[: len(said) <= LISTED])
    rest = [word for word in said[(verb or 0) + 1 :] if word.low not in ("not", "too", "either")]
    is_bare = verb is not None and said[verb].low in BE | {"do", "does", "did", "has", "have"}
    return Clause(span, said, mood, subject, _main_verb(said, verb), is_bare and not rest)


def _main_verb(said: tuple[Word, ...], verb: int | None) -> str:
    """Of "have not booked" the last; the others only help. Empty where there is none."""
    if verb is None:
        return ""
    at = verb
    helps = BE | {"have", "has", "had", "do", "does", "did", "will", "would", "can", "could", "not"}
    while said[at].low in helps | ADVERBS | {"never", "also", "just"} and at + 1 < len(said):
        at += 1
    is_verb = (
        at == verb or is_participle(said[at]) or said[verb].low not in BE | {"have", "has", "had"}
    )
    return said[at].stem if is_verb else said[verb].stem


def _subject(said: tuple[Word, ...]) -> tuple[Word, ...]:
    """Without articles, and of "Ana's brother" the first: he is hers."""
    owner = next((at for at, word in enumerate(said) if word.low == "'s"), None)
    return tuple(
        word
        for word in said[:owner]
        if word.low in _FIRST_PERSON or word.low not in _EMPTY | ADVERBS
    )


def is_first_person(subject: tuple[Word, ...]) -> bool:
    """Whether it is "I", "we", or nobody: a note without a subject is of its writer."""
    return all(word.low in _FIRST_PERSON for word in subject)


def is_pronoun(subject: tuple[Word, ...]) -> bool:
    return bool(subject) and all(word.low in _PRONOUNS for word in subject)
