"""Split a sentence into clauses: who each is about, and whether it is affirmed; pure."""

import re
from dataclasses import dataclass

from remem.core.answers.sentences import SentenceSpan
from remem.core.language.claims.mood import Mood, extract_mood
from remem.core.language.claims.verbs import ADVERBS, BE, find_verb, is_participle
from remem.core.language.words import Word, stem, words

_FLAGS = re.IGNORECASE | re.ASCII
# This many words without a verb are a name, not a statement.
MAX_NAME_WORDS = 3
_BOUNDARY = re.compile(
    r"[;:,]\s++(?:(?:and|but|so|or)\s++)?"
    r"|(?<!\s)\s++(?:[-–—]|but|because|while|although|though|since|until|when|and)\s++",
    _FLAGS,
)
_CONDITION = re.compile(r"\b(?:if|unless|whether|in case)\b", _FLAGS)
# Words for plans, in addition to those that `extract_mood` recognizes.
_PLANNED = frozenset(map(stem, "due upcoming hope want plan intend wish dream would".split()))
_TO_DO = re.compile(r"\b(?:have|has|need|needs|ought|supposed|trying|remember) to\b", _FLAGS)
_FIRST_PERSON = frozenset("i we me us my our user".split())
_EMPTY = frozenset("the a an this that these those my our his her its their your 's of and".split())
_PRONOUNS = frozenset("he she it they him her them".split())
_HAVE = frozenset("have has had".split())
_AUXILIARIES = (
    BE | ADVERBS | _HAVE | frozenset("do does did will would can could not also just".split())
)
_PAST_STATE = frozenset("was were had".split())


@dataclass(frozen=True, slots=True)
class Clause:
    """Part of a sentence. `subject` is empty if it is that of the previous clause; `verb` is the
    stem of the main verb; `is_bare` means that there is nothing after the auxiliary ("Ben is
    not")."""

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
        """Whether it is about something planned, wished or supposed."""
        return self.mood.supposed or bool(self.stems & _PLANNED)

    @property
    def was(self) -> bool:
        """Whether it is about a past state, which may have changed."""
        return any(word.low in _PAST_STATE for word in self.words)


def clauses_of(text: str, start: int, end: int) -> list[Clause]:
    """The clauses of the sentence at `text[start:end]`."""
    places = [start]
    for match in _BOUNDARY.finditer(text, start, end):
        places += [match.start(), match.end()]
    places.append(end)
    spans = [
        SentenceSpan(a, b)
        for a, b in zip(places[::2], places[1::2], strict=True)
        if text[a:b].strip()
    ]
    conditional = _CONDITION.search(text, start, end) is not None
    return [_clause(text, span, conditional) for span in spans]


def clause_at(text: str, sentence: SentenceSpan, start: int) -> Clause | None:
    """The clause of the sentence that contains the offset."""
    clauses = clauses_of(text, sentence.start, sentence.end)
    return next((clause for clause in reversed(clauses) if clause.span.start <= start), None)


def _clause(text: str, span: SentenceSpan, conditional: bool) -> Clause:
    clause_text = text[span.start : span.end]
    clause_words = words(clause_text)
    _, mood = extract_mood(clause_words, question=conditional or bool(_TO_DO.search(clause_text)))
    verb = find_verb(clause_words)
    subject = _subject(
        clause_words[:verb]
        if verb is not None
        else clause_words[: len(clause_words) <= MAX_NAME_WORDS]
    )
    rest = [
        word for word in clause_words[(verb or 0) + 1 :] if word.low not in ("not", "too", "either")
    ]
    is_bare = verb is not None and clause_words[verb].low in BE | {
        "do",
        "does",
        "did",
        "has",
        "have",
    }
    return Clause(
        span, clause_words, mood, subject, _main_verb(clause_words, verb), is_bare and not rest
    )


def _main_verb(clause_words: tuple[Word, ...], verb: int | None) -> str:
    """The last verb of "have not booked"; the others are auxiliaries. Empty if there is none."""
    if verb is None:
        return ""
    position = verb
    auxiliaries = BE | {
        "have",
        "has",
        "had",
        "do",
        "does",
        "did",
        "will",
        "would",
        "can",
        "could",
        "not",
    }
    while clause_words[position].low in auxiliaries | ADVERBS | {
        "never",
        "also",
        "just",
    } and position + 1 < len(clause_words):
        position += 1
    is_verb = (
        position == verb
        or is_participle(clause_words[position])
        or clause_words[verb].low not in BE | {"have", "has", "had"}
    )
    return clause_words[position].stem if is_verb else clause_words[verb].stem


def _subject(subject_words: tuple[Word, ...]) -> tuple[Word, ...]:
    """The subject without articles; of "Ana's brother" the first part, who the relation belongs
    to."""
    possessive = next(
        (position for position, word in enumerate(subject_words) if word.low == "'s"), None
    )
    return tuple(
        word
        for word in subject_words[:possessive]
        if word.low in _FIRST_PERSON or word.low not in _EMPTY | ADVERBS
    )


def is_first_person(subject: tuple[Word, ...]) -> bool:
    """Whether it is "I", "we" or empty: a note without a subject is about its writer."""
    return all(word.low in _FIRST_PERSON for word in subject)


def is_pronoun(subject: tuple[Word, ...]) -> bool:
    return bool(subject) and all(word.low in _PRONOUNS for word in subject)
