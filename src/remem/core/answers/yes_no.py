"""Whether what was saved says yes or no to a question; pure.

A sentence answers when it has every word of the question that matters and is about the same
person. One that only plans, supposes or remembers does not answer what is or was."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from remem.core.answers.clauses import Clause, clauses_of, is_first_person, is_pronoun
from remem.core.answers.model import Source
from remem.core.answers.sentences import SENTENCE_CHARS, SentenceSpan
from remem.core.answers.yes_no_endings import has_given_back, is_only_wished, is_over
from remem.core.answers.yes_no_outcomes import is_conditional, of_task, outcome_of
from remem.core.answers.yes_no_question import (
    FAMILIES,
    FIRST_PERSON,
    SAME_MEANING,
    YesNoQuestion,
)
from remem.core.answers.yes_no_verbs import are_of_another_verb
from remem.core.language.claims.exceptions import Exceptions, exceptions_in, is_denied
from remem.core.language.claims.outcomes import Outcome, is_doubtful
from remem.core.language.person import is_user
from remem.core.language.times.statements import times_in
from remem.core.language.words import Word, stem, words
from remem.core.search.excerpt import sentence_spans

Verdict: TypeAlias = Literal["yes", "no"]

_BY_OUTCOME: dict[Outcome, Verdict | None] = {"done": "yes", "undone": "no", "open": None}
_FLAGS = re.IGNORECASE | re.ASCII
_WITHOUT = re.compile(
    r"(?:\binstead of|\brather than|\bwithout|^no|\bno)(?: (?:the|any|more))?$", _FLAGS
)
_DENIALS = frozenset("no longer not neither nor".split())
_FINISHED = frozenset(map(stem, "finish complete end".split()))
# What is over afterwards, without a word that denies it.
_GONE = frozenset(
    map(stem, "sell cancel retire divorce return resign leave lose abandon drop quit stop".split())
)
_ENDS = (("not", "any", "more"), ("not", "any", "longer"), ("no", "longer"), ("no", "more"))
# What is over when something happens that has another word.
_ENDED_BY = {
    stem(verb): frozenset(map(stem, endings.split()))
    for verb, endings in {
        "work": "retire resign fire",
        "married": "divorce separate widow",
        "study": "graduate",
    }.items()
}


@dataclass(frozen=True, slots=True)
class YesNoDecision:
    """What the sentence of a source says to the question."""

    verdict: Verdict
    source: int
    span: SentenceSpan


def decide(question: YesNoQuestion, sources: Sequence[Source]) -> YesNoDecision | None:
    """By the latest of the sentences that answer."""
    found = [
        decision
        for number, source in enumerate(sources)
        if (decision := _by_source(question, number, source)) is not None
    ]
    return max(found, key=lambda one: (_said_at(sources[one.source]), -one.source), default=None)


def says_value(question: YesNoQuestion, text: str) -> bool:
    """Whether a text that changes what is asked has every name and number of the question."""
    return bool(question.values) and question.values <= {word.stem for word in words(text)}


def is_unsettled(question: YesNoQuestion, sentence: str) -> bool:
    """Whether a sentence has the words of the question, and does not say that they are so."""
    rest = exceptions_in(sentence).rest
    clauses = clauses_of(rest, 0, len(rest))
    is_open = outcome_of(question, clauses) is not None or of_task(question, sentence) is not None
    return is_open or are_of_another_verb(question, rest, clauses)


def _by_source(question: YesNoQuestion, number: int, source: Source) -> YesNoDecision | None:
    if not question.needed:
        return None
    before: frozenset[str] = _speaker_stems(source)
    found: YesNoDecision | None = None
    for a, b in sentence_spans(source.content, SENTENCE_CHARS):
        span = SentenceSpan(a, b)
        clauses = clauses_of(source.content, a, b)
        is_question = source.content[a:b].rstrip().endswith("?")
        if not is_question and _may_answer(question, clauses, before):
            verdict = _of_sentence(question, source, source.content[a:b], before)
            found = YesNoDecision(verdict, number, span) if verdict else found
        before = before | {word.stem for clause in clauses for word in clause.words if word.named}
        before = before | {clause.words[0].stem for clause in clauses[:1] if clause.words}
    return found


def _may_answer(question: YesNoQuestion, clauses: Sequence[Clause], before: frozenset[str]) -> bool:
    """Whether it can say anything of what is asked, so that it is worth a closer look."""
    said = before.union(*(clause.stems for clause in clauses))
    return any(said & SAME_MEANING.get(one, {one}) for one in question.needed)


def _of_sentence(
    question: YesNoQuestion, source: Source, sentence: str, before: frozenset[str]
) -> Verdict | None:
    """What is asked about may be what the sentence leaves out: "everything except mushrooms"."""
    if is_conditional(question, sentence):
        return None
    parts = exceptions_in(sentence)
    clauses = clauses_of(parts.rest, 0, len(parts.rest))
    if parts.left_out and _asks_for(question, source, parts):
        asked = replace(question, needed=question.needed - _only_left_out(question, parts))
        return _reversed(parts, _verdict(asked, clauses, source, before, parts))
    if are_of_another_verb(question, parts.rest, clauses):
        return None
    verdict = _verdict(question, clauses, source, before)
    if verdict == "yes" and is_only_wished(question, sentence):
        return None
    if (verdict == "yes" and is_over(question, sentence)) or has_given_back(question, sentence):
        verdict = "no"
    elif verdict and (task := of_task(question, sentence)):
        verdict = _BY_OUTCOME[task] if verdict == "yes" else None
    return verdict if verdict and _is_in_time(question, source, parts.rest) else None


def _asks_for(question: YesNoQuestion, source: Source, parts: Exceptions) -> bool:
    """Whether a word or the time of the question is only in what the sentence leaves out."""
    if _only_left_out(question, parts):
        return _is_in_time(question, source, parts.rest)
    left_out = {word.stem for word in words(parts.left_out)}
    return any({word.stem for word in words(time.words)} <= left_out for time in question.times)


def _only_left_out(question: YesNoQuestion, parts: Exceptions) -> frozenset[str]:
    left_out = {word.stem for word in words(parts.left_out)}
    return (question.needed & left_out) - {word.stem for word in words(parts.rest)}


def _reversed(parts: Exceptions, verdict: Verdict | None) -> Verdict | None:
    """ "Nobody except Finn came": of the one who is left out the opposite is true."""
    if verdict == "no" and parts.is_of_whole:
        return "yes"
    return verdict and "no"


def _verdict(
    question: YesNoQuestion,
    clauses: Sequence[Clause],
    source: Source,
    before: frozenset[str],
    parts: Exceptions | None = None,
) -> Verdict | None:
    """`before` are the names in the sentences before, whom a pronoun may stand for; `parts` what
    the sentence leaves out, where that is asked about."""
    every = frozenset(one for clause in clauses for one in clause.stems) | _speaker_stems(source)
    before = before | {word.stem for clause in clauses for word in clause.words if word.named}
    before = before | {word.stem for clause in clauses for word in clause.subject}
    if any(is_pronoun(clause.subject) for clause in clauses):
        every = every | before
    if _was_given_up(question, clauses):
        return "no"
    if not all(every & SAME_MEANING.get(one, {one}) for one in question.needed):
        return None
    deciding = _deciding(question, clauses)
    if deciding is None:
        return None
    if parts and parts.is_subject:
        is_of_the_same = question.names <= {word.stem for word in words(parts.left_out)}
    else:
        is_of_the_same = _is_of_the_same(question, clauses, deciding, source, before)
    if not is_of_the_same:
        return None
    if outcome := outcome_of(question, clauses):
        return _BY_OUTCOME[outcome]
    if any(_leaves_out(question, clause) for clause in clauses):
        return "no"
    if question.is_present and any(_is_an_end(clause) for clause in clauses):
        return "no"
    return _polarity(question, deciding) if _says_as_much(question, deciding) else None


def _was_given_up(question: YesNoQuestion, clauses: Sequence[Clause]) -> bool:
    """What was given up was not finished."""
    rest = question.needed - _FINISHED
    return bool(rest and question.needed & _FINISHED) and any(
        clause.mood.ended and rest <= clause.stems and is_first_person(clause.subject)
        for clause in clauses
    )


def _leaves_out(question: YesNoQuestion, clause: Clause) -> bool:
    """ "Honey instead of sugar", "no sugar": what stands behind is denied by itself."""
    lows = [word.low for word in clause.words]
    for at, word in enumerate(clause.words):
        if word.stem in question.needed and at:
            before = " ".join(lows[max(0, at - 3) : at])
            if _WITHOUT.search(before):
                return True
    return False


def _is_an_end(clause: Clause) -> bool:
    """ "Vera smoked, but not any more"."""
    return tuple(word.low for word in clause.words) in _ENDS


def _says_as_much(question: YesNoQuestion, clause: Clause) -> bool:
    """ "We have not booked the flights to Rome" does not say whether we went to Rome."""
    if not question.verbs or not clause.verb or clause.mood.ended or clause.stems & _GONE:
        return True
    return any(clause.verb in FAMILIES[verb] for verb in question.verbs)


def has_ended(question: YesNoQuestion, text: str) -> bool:
    """Whether a text tells, of the same person, what puts an end to what is asked."""
    stems = {word.stem for word in words(text)}
    ends = frozenset(one for verb in question.needed for one in _ENDED_BY.get(verb, ()))
    names = question.names or frozenset({"i"} if question.is_of_asker else ())
    return bool(ends & stems) and bool(names & stems)


def _deciding(question: YesNoQuestion, clauses: Sequence[Clause]) -> Clause | None:
    """The clause with most of what is asked; a bare one ("Ben is not") where it has the subject."""
    ranked = sorted(clauses, key=lambda one: -len(_named_in(question, one)))
    whole = [one for one in ranked if question.needed <= one.stems]
    if whole:
        return whole[0]
    bare = [one for one in ranked if one.is_bare and question.needed & one.stems]
    return bare[0] if bare else (ranked[0] if ranked else None)


def _named_in(question: YesNoQuestion, clause: Clause) -> frozenset[str]:
    """What it has of the question; a pronoun stands for whom that is about."""
    names = question.names if is_pronoun(clause.subject) else frozenset[str]()
    return question.needed & (clause.stems | names)


def _is_of_the_same(
    question: YesNoQuestion,
    clauses: Sequence[Clause],
    deciding: Clause,
    source: Source,
    before: frozenset[str],
) -> bool:
    """Whether the clause is about whom the question is about."""
    subject = _subject_of(clauses, deciding)
    is_writer = is_user(source.speaker)
    if is_first_person(subject):
        if question.is_of_asker:
            return is_writer
        mine = {word.stem for word in subject if word.low not in FIRST_PERSON}
        return mine <= question.needed and (is_writer or _speaks(question, source) or not subject)
    if question.is_of_asker and not _names_any(question, subject):
        return False
    if is_pronoun(subject):
        return bool(before & question.needed)
    return _names_any(question, subject)


def _names_any(question: YesNoQuestion, subject: Sequence[Word]) -> bool:
    """Whether who or what it is about is asked about: "my uncle Radek" by either word."""
    return bool({word.stem for word in subject if word.low not in FIRST_PERSON} & question.needed)


def _subject_of(clauses: Sequence[Clause], deciding: Clause) -> tuple[Word, ...]:
    """Its own, or that of the clause before that it goes on with."""
    subject: tuple[Word, ...] = ()
    for clause in clauses:
        own = tuple(word for word in clause.subject if word.low not in _DENIALS)
        subject = own or subject
        if clause is deciding:
            break
    return subject


def _speaks(question: YesNoQuestion, source: Source) -> bool:
    return bool(_speaker_stems(source) & question.needed)


def _speaker_stems(source: Source) -> frozenset[str]:
    if is_user(source.speaker):
        return frozenset()
    return frozenset(word.stem for word in words(source.speaker or ""))


def _polarity(question: YesNoQuestion, clause: Clause) -> Verdict | None:
    if clause.is_ahead and not question.is_ahead:
        return (
            "no" if is_denied(clause.words) and question.auxiliary in ("am", "is", "are") else None
        )
    if question.is_future and is_doubtful(clause.words):
        return None
    gone = clause.mood.ended or bool(_gone_in(clause))
    if gone and (question.has_ended or question.needed & _GONE):
        return "yes"
    if gone:
        return "no" if question.is_present else None
    if is_denied(clause.words):
        return "no"
    if question.is_present and clause.was and question.auxiliary not in ("has", "have"):
        return None
    return "yes"


def _gone_in(clause: Clause) -> frozenset[str]:
    """One who is on leave has not left."""
    stems = frozenset(word.stem for word in clause.words if word.low != "leave")
    return _GONE & (stems | {clause.verb})


def _is_in_time(question: YesNoQuestion, source: Source, sentence: str) -> bool:
    """Whether the sentence tells of the time that is asked about; without a time of its own, of
    the one that is stored with it, or the day it was said on."""
    if not question.times:
        return True
    if source.said_at is None or source.happened_at is None:
        return False
    asked = question.times[0]
    times = times_in(sentence, source.said_at)
    if not times:
        return asked.first <= source.happened_at < asked.last
    return any(one.first < asked.last and asked.first < one.last for one in times)


def _said_at(source: Source) -> float:
    return source.said_at.timestamp() if source.said_at else 0.0
