"""Check whether a candidate is stated as a fact of the time in question; pure."""

import re
from datetime import datetime

from remem.core.answers.clauses import Clause, clause_at, clauses_of
from remem.core.answers.fitting import content_stems, describes_change
from remem.core.answers.scoring import ScoredPlace
from remem.core.answers.sentences import SentenceSpan, sentence_at
from remem.core.language.times.statements import StatedTime, times_in

_FLAGS = re.IGNORECASE | re.ASCII
_DENIES = re.compile(r"\b(?:not|never|cannot)\b|n['’]t\b", _FLAGS)
# A reason is affirmative, even for something negative.
_WHY = re.compile(r"\b(?:why|how come)\b", _FLAGS)
_PLANNED = re.compile(
    r"\b(?:will|would|want|plan|going to|hope|should|could|wish|upcoming|next)\b", _FLAGS
)
_ENDS = re.compile(r"\b(?:stop|quit|give up|gave up|why|old|used|before|previous|former)\b", _FLAGS)
_PAST = re.compile(r"\b(?:did|have|has|had|was|were)\b", _FLAGS)
_PAST_STATE = re.compile(r"\b(?:did|had|was|were)\b", _FLAGS)
_CONTINUES = re.compile(r"\b(?:since|from)\b", _FLAGS)
_WILL = frozenset(("will", "shall"))
_PRESENT = re.compile(r"\b(?:is|are|am|do|does|(?:what|who|where)['’]s)\b", _FLAGS)


def sentence_of(candidate: ScoredPlace) -> SentenceSpan:
    return sentence_at(candidate.reading.source.content, candidate.place.start, candidate.place.end)


def question_coverage(question: str, candidate: ScoredPlace, day: str = "") -> float:
    """The share of the question's content words in its sentence, its speaker, or the headings above
    it. `day` are words of the question for the day that the sentence is about."""
    source, (start, end) = candidate.reading.source, sentence_of(candidate)
    question_stems = content_stems(question)
    context = (*source.heading_path, source.title, source.speaker or "")
    source_stems = content_stems(" ".join((*context, source.content[start:end], day)))
    return len(question_stems & source_stems) / max(1, len(question_stems))


def is_question(text: str) -> bool:
    """Whether the text is itself a question, which states nothing."""
    return text.rstrip().endswith("?")


def is_question_in_note(candidate: ScoredPlace) -> bool:
    """In a conversation, "Did you know that I moved to Oslo?" may be an answer."""
    source, (start, end) = candidate.reading.source, sentence_of(candidate)
    return not source.speaker and is_question(source.content[start:end])


def is_denied(question: str, candidate: ScoredPlace) -> bool:
    """Whether the clause is negated or no longer true, and the question does not ask for that."""
    if _DENIES.search(question) or _PLANNED.search(question) or _ENDS.search(question):
        return False
    clause = _clause(candidate)
    return clause is not None and clause.mood.denied


def is_stated(question: str, asked_at: datetime, candidate: ScoredPlace) -> bool:
    """Whether it is affirmed, or negated as in the question; and, if the question is about the
    past, neither planned nor in the future."""
    clause = _clause(candidate)
    if _DENIES.search(question) and not _WHY.search(question):
        return clause is not None and clause.mood.denied
    if _DENIES.search(question) or _PLANNED.search(question):
        return True
    if clause is None or not _PAST.search(question):
        return clause is None or not clause.mood.denied
    return not clause.mood.denied and not clause.is_ahead and not _is_after(candidate, asked_at)


def asks_for_the_present(question: str) -> bool:
    is_other = _PAST_STATE.search(question) or _PLANNED.search(question) or _DENIES.search(question)
    return not is_other and _PRESENT.search(question) is not None


def is_present(asked_at: datetime, candidate: ScoredPlace, *, asks_when: bool) -> bool:
    """Whether it is about the present, not about the past, the future or a condition. "When is it?"
    accepts any day."""
    clause = _clause(candidate)
    if clause is not None and not is_now(clause):
        return False
    return asks_when or not (_is_after(candidate, asked_at) or _is_before(candidate))


def is_now(clause: Clause) -> bool:
    is_present_state = not clause.was and not clause.is_ahead
    return is_present_state and not any(word.low in _WILL for word in clause.words)


def states_nothing_now(text: str) -> bool:
    """Whether a sentence is a question, or only about the past, the future or a condition.
    Something that was moved or changed is true since then."""
    clauses = clauses_of(text, 0, len(text))
    if is_question(text) or not clauses:
        return is_question(text)
    is_change = describes_change(text) and not any(clause.is_ahead for clause in clauses)
    return not is_change and not any(map(is_now, clauses))


def says_as_much(question: str, candidate: ScoredPlace, other: ScoredPlace) -> bool:
    """Whether its sentence has every word of the question that the sentence of the other has."""
    question_stems = content_stems(question)
    return question_stems & _sentence_stems(other) <= _sentence_stems(candidate)


def _sentence_stems(candidate: ScoredPlace) -> frozenset[str]:
    start, end = sentence_of(candidate)
    return content_stems(candidate.reading.source.content[start:end])


def _clause(candidate: ScoredPlace) -> Clause | None:
    return clause_at(
        candidate.reading.source.content, sentence_of(candidate), candidate.place.start
    )


def _is_after(candidate: ScoredPlace, asked_at: datetime) -> bool:
    """ "Read Emma in March" may refer to the previous or the next March."""
    times = _times(candidate)
    return bool(times) and all(time.certain and time.first > asked_at for time in times)


def _is_before(candidate: ScoredPlace) -> bool:
    """Whether it is about a time that had passed when it was said."""
    said_at, (start, end) = candidate.reading.source.said_at, sentence_of(candidate)
    if said_at is None or _CONTINUES.search(candidate.reading.source.content, start, end):
        return False
    times = _times(candidate)
    return bool(times) and all(time.last <= said_at for time in times)


def _times(candidate: ScoredPlace) -> list[StatedTime]:
    source, (start, end) = candidate.reading.source, sentence_of(candidate)
    return times_in(source.content[start:end], source.said_at) if source.said_at else []
