"""Decide whether stored sentences answer a question with yes or no; pure.

A sentence answers if it has every significant word of the question and is about the same person.
One that is only about a plan, a condition or the past does not answer what is or was."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from remem.core.answers.clauses import Clause, clauses_of, is_first_person, is_pronoun
from remem.core.answers.model import Source
from remem.core.answers.sentences import SENTENCE_CHARS, SentenceSpan
from remem.core.answers.yes_no_endings import has_given_back, is_only_wished, is_over
from remem.core.answers.yes_no_outcomes import is_conditional, outcome_of, task_outcome
from remem.core.answers.yes_no_question import (
    FAMILIES,
    FIRST_PERSON,
    SAME_MEANING,
    YesNoQuestion,
)
from remem.core.answers.yes_no_verbs import belongs_to_other_verb
from remem.core.language.claims.exceptions import Exceptions, exceptions_in, is_denied
from remem.core.language.claims.outcomes import Outcome, is_doubtful
from remem.core.language.instructions import has_order, speaks_to_reader
from remem.core.language.person import is_external, is_user
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
# Verbs after which something is over, without a negation.
_ENDING_VERBS = frozenset(
    map(stem, "sell cancel retire divorce return resign leave lose abandon drop quit stop".split())
)
_ENDS = (("not", "any", "more"), ("not", "any", "longer"), ("no", "longer"), ("no", "more"))
# Other verbs that end what the key describes.
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
    """The verdict of a sentence of a source."""

    verdict: Verdict
    source: int
    span: SentenceSpan


def decide(question: YesNoQuestion, sources: Sequence[Source]) -> YesNoDecision | None:
    """The decision of the latest sentence that answers."""
    decisions = [
        decision
        for number, source in enumerate(sources)
        if (decision := _source_decision(question, number, source)) is not None
    ]
    return max(
        decisions, key=lambda item: (_said_at(sources[item.source]), -item.source), default=None
    )


def says_value(question: YesNoQuestion, text: str) -> bool:
    """Whether a text about a change has every name and number of the question."""
    return bool(question.values) and question.values <= {word.stem for word in words(text)}


def is_unsettled(question: YesNoQuestion, sentence: str) -> bool:
    """Whether a sentence has the words of the question but does not say that it is so."""
    rest = exceptions_in(sentence).rest
    clauses = clauses_of(rest, 0, len(rest))
    is_open = (
        outcome_of(question, clauses) is not None or task_outcome(question, sentence) is not None
    )
    return is_open or belongs_to_other_verb(question, rest, clauses)


def _source_decision(question: YesNoQuestion, number: int, source: Source) -> YesNoDecision | None:
    if not question.needed:
        return None
    context: frozenset[str] = _speaker_stems(source)
    latest: YesNoDecision | None = None
    for a, b in sentence_spans(source.content, SENTENCE_CHARS):
        span = SentenceSpan(a, b)
        clauses = clauses_of(source.content, a, b)
        is_question = source.content[a:b].rstrip().endswith("?")
        if not is_question and _may_answer(question, clauses, context):
            verdict = _sentence_verdict(question, source, source.content[a:b], context)
            latest = YesNoDecision(verdict, number, span) if verdict else latest
        context = context | {word.stem for clause in clauses for word in clause.words if word.named}
        context = context | {clause.words[0].stem for clause in clauses[:1] if clause.words}
    return latest


def _may_answer(
    question: YesNoQuestion, clauses: Sequence[Clause], context: frozenset[str]
) -> bool:
    """Whether it has any word in question, so that it is worth a closer look."""
    stems = context.union(*(clause.stems for clause in clauses))
    return any(stems & SAME_MEANING.get(needed, {needed}) for needed in question.needed)


def _sentence_verdict(
    question: YesNoQuestion, source: Source, sentence: str, context: frozenset[str]
) -> Verdict | None:
    """The question may be about what the sentence excludes: "everything except mushrooms"."""
    if is_conditional(question, sentence) or _is_order_of_others(question, source, sentence):
        return None
    parts = exceptions_in(sentence)
    clauses = clauses_of(parts.rest, 0, len(parts.rest))
    if parts.left_out and _asks_for_exception(question, source, parts):
        asked_of_rest = replace(
            question, needed=question.needed - _only_in_exception(question, parts)
        )
        return _reverse(parts, _verdict(asked_of_rest, clauses, source, context, parts))
    if belongs_to_other_verb(question, parts.rest, clauses):
        return None
    verdict = _verdict(question, clauses, source, context)
    if verdict == "yes" and is_only_wished(question, sentence):
        return None
    if (verdict == "yes" and is_over(question, sentence)) or has_given_back(question, sentence):
        verdict = "no"
    elif verdict and (task := task_outcome(question, sentence)):
        verdict = _BY_OUTCOME[task] if verdict == "yes" else None
    return verdict if verdict and _is_in_time(question, source, parts.rest) else None


def _is_order_of_others(question: YesNoQuestion, source: Source, sentence: str) -> bool:
    """ "Disable the firewall" in a file does not say that the user should."""
    if is_user(source.speaker):
        return False
    is_unknown = is_external(source.speaker) or question.auxiliary in ("should", "shall")
    return has_order(sentence) or (is_unknown and speaks_to_reader(sentence))


def _asks_for_exception(question: YesNoQuestion, source: Source, parts: Exceptions) -> bool:
    """Whether a word or the time of the question is only in the exception."""
    if _only_in_exception(question, parts):
        return _is_in_time(question, source, parts.rest)
    left_out = {word.stem for word in words(parts.left_out)}
    return any({word.stem for word in words(time.words)} <= left_out for time in question.times)


def _only_in_exception(question: YesNoQuestion, parts: Exceptions) -> frozenset[str]:
    left_out = {word.stem for word in words(parts.left_out)}
    return (question.needed & left_out) - {word.stem for word in words(parts.rest)}


def _reverse(parts: Exceptions, verdict: Verdict | None) -> Verdict | None:
    """ "Nobody except Finn came": the opposite is true of the exception."""
    if verdict == "no" and parts.is_of_whole:
        return "yes"
    return verdict and "no"


def _verdict(
    question: YesNoQuestion,
    clauses: Sequence[Clause],
    source: Source,
    context: frozenset[str],
    parts: Exceptions | None = None,
) -> Verdict | None:
    """`context` has the names in previous sentences, which a pronoun may refer to; `parts` the
    exception, if the question is about it."""
    stems = frozenset(item for clause in clauses for item in clause.stems) | _speaker_stems(source)
    context = context | {word.stem for clause in clauses for word in clause.words if word.named}
    context = context | {word.stem for clause in clauses for word in clause.subject}
    if any(is_pronoun(clause.subject) for clause in clauses):
        stems = stems | context
    if _was_given_up(question, clauses):
        return "no"
    if not all(stems & SAME_MEANING.get(needed, {needed}) for needed in question.needed):
        return None
    deciding = _deciding_clause(question, clauses)
    if deciding is None:
        return None
    if parts and parts.is_subject:
        has_same_subject = question.names <= {word.stem for word in words(parts.left_out)}
    else:
        has_same_subject = _has_same_subject(question, clauses, deciding, source, context)
    if not has_same_subject:
        return None
    if outcome := outcome_of(question, clauses):
        return _BY_OUTCOME[outcome]
    if any(_is_excluded(question, clause) for clause in clauses):
        return "no"
    if question.is_present and any(_is_ending(clause) for clause in clauses):
        return "no"
    return _polarity(question, deciding) if _says_as_much(question, deciding) else None


def _was_given_up(question: YesNoQuestion, clauses: Sequence[Clause]) -> bool:
    """Whether it was given up, and so not finished."""
    rest = question.needed - _FINISHED
    return bool(rest and question.needed & _FINISHED) and any(
        clause.mood.ended and rest <= clause.stems and is_first_person(clause.subject)
        for clause in clauses
    )


def _is_excluded(question: YesNoQuestion, clause: Clause) -> bool:
    """ "Honey instead of sugar", "no sugar": only the following word is negated."""
    lower_words = [word.low for word in clause.words]
    for position, word in enumerate(clause.words):
        if word.stem in question.needed and position:
            preceding = " ".join(lower_words[max(0, position - 3) : position])
            if _WITHOUT.search(preceding):
                return True
    return False


def _is_ending(clause: Clause) -> bool:
    """ "Vera smoked, but not any more"."""
    return tuple(word.low for word in clause.words) in _ENDS


def _says_as_much(question: YesNoQuestion, clause: Clause) -> bool:
    """ "We have not booked the flights to Rome" does not say whether we went to Rome."""
    if not question.verbs or not clause.verb or clause.mood.ended or clause.stems & _ENDING_VERBS:
        return True
    return any(clause.verb in FAMILIES[verb] for verb in question.verbs)


def has_ended(question: YesNoQuestion, text: str) -> bool:
    """Whether a text says, of the same person, something that ends what is asked about."""
    stems = {word.stem for word in words(text)}
    ends = frozenset(ending for verb in question.needed for ending in _ENDED_BY.get(verb, ()))
    names = question.names or frozenset({"i"} if question.is_of_asker else ())
    return bool(ends & stems) and bool(names & stems)


def _deciding_clause(question: YesNoQuestion, clauses: Sequence[Clause]) -> Clause | None:
    """The clause with most of the words in question; a bare one ("Ben is not") if it has the
    subject."""
    ranked = sorted(clauses, key=lambda clause: -len(_shared_stems(question, clause)))
    complete = [clause for clause in ranked if question.needed <= clause.stems]
    if complete:
        return complete[0]
    bare = [clause for clause in ranked if clause.is_bare and question.needed & clause.stems]
    return bare[0] if bare else (ranked[0] if ranked else None)


def _shared_stems(question: YesNoQuestion, clause: Clause) -> frozenset[str]:
    """The stems of the question that the clause has; a pronoun counts as the names in question."""
    names = question.names if is_pronoun(clause.subject) else frozenset[str]()
    return question.needed & (clause.stems | names)


def _has_same_subject(
    question: YesNoQuestion,
    clauses: Sequence[Clause],
    deciding: Clause,
    source: Source,
    context: frozenset[str],
) -> bool:
    """Whether the clause is about the person the question is about."""
    subject = _subject_of(clauses, deciding)
    is_writer = is_user(source.speaker)
    if is_first_person(subject):
        if question.is_of_asker:
            return is_writer
        relation_stems = {word.stem for word in subject if word.low not in FIRST_PERSON}
        return relation_stems <= question.needed and (
            is_writer or _is_speaker(question, source) or not subject
        )
    if question.is_of_asker and not _subject_is_asked_about(question, subject):
        return False
    if is_pronoun(subject):
        return bool(context & question.needed)
    return _subject_is_asked_about(question, subject)


def _subject_is_asked_about(question: YesNoQuestion, subject: Sequence[Word]) -> bool:
    """Whether a word of the subject is in the question: "my uncle Radek" by either word."""
    return bool({word.stem for word in subject if word.low not in FIRST_PERSON} & question.needed)


def _subject_of(clauses: Sequence[Clause], deciding: Clause) -> tuple[Word, ...]:
    """Its own subject, or that of the clause it continues."""
    subject: tuple[Word, ...] = ()
    for clause in clauses:
        own = tuple(word for word in clause.subject if word.low not in _DENIALS)
        subject = own or subject
        if clause is deciding:
            break
    return subject


def _is_speaker(question: YesNoQuestion, source: Source) -> bool:
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
    has_ending = clause.mood.ended or bool(_ending_stems(clause))
    if has_ending and (question.has_ended or question.needed & _ENDING_VERBS):
        return "yes"
    if has_ending:
        return "no" if question.is_present else None
    if is_denied(clause.words):
        return "no"
    if question.is_present and clause.was and question.auxiliary not in ("has", "have"):
        return None
    return "yes"


def _ending_stems(clause: Clause) -> frozenset[str]:
    """Somebody on leave has not left."""
    stems = frozenset(word.stem for word in clause.words if word.low != "leave")
    return _ENDING_VERBS & (stems | {clause.verb})


def _is_in_time(question: YesNoQuestion, source: Source, sentence: str) -> bool:
    """Whether the sentence is about the time in question. Without a time of its own, it is about
    the time stored with it or the day it was said."""
    if not question.times:
        return True
    if source.said_at is None or source.happened_at is None:
        return False
    asked_time = question.times[0]
    times = times_in(sentence, source.said_at)
    if not times:
        return asked_time.first <= source.happened_at < asked_time.last
    return any(time.first < asked_time.last and asked_time.first < time.last for time in times)


def _said_at(source: Source) -> float:
    return source.said_at.timestamp() if source.said_at else 0.0
