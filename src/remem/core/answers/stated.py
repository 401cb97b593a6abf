"""Whether what was read is stated as a fact of the time that is asked about; pure."""

import re
from datetime import datetime

from remem.core.answers.clauses import Clause, clause_at, clauses_of
from remem.core.answers.fitting import content_stems, tells_of_change
from remem.core.answers.scoring import Scored
from remem.core.answers.sentences import SentenceSpan, sentence_at
from remem.core.language.times.statements import StatedTime, times_in

_FLAGS = re.IGNORECASE | re.ASCII
_DENIES = re.compile(r"\b(?:not|never|cannot)\b|n['’]t\b", _FLAGS)
# A reason is affirmed, whatever it is the reason of.
_WHY = re.compile(r"\b(?:why|how come)\b", _FLAGS)
_AHEAD = re.compile(
    r"\b(?:will|would|want|plan|going to|hope|should|could|wish|upcoming|next)\b", _FLAGS
)
_ENDS = re.compile(r"\b(?:stop|quit|give up|gave up|why|old|used|before|previous|former)\b", _FLAGS)
_PAST = re.compile(r"\b(?:did|have|has|had|was|were)\b", _FLAGS)
_PAST_STATE = re.compile(r"\b(?:did|had|was|were)\b", _FLAGS)
_REACHES = re.compile(r"\b(?:since|from)\b", _FLAGS)
_WILL = frozenset(("will", "shall"))
_PRESENT = re.compile(r"\b(?:is|are|am|do|does|(?:what|who|where)['’]s)\b", _FLAGS)


def sentence_of(one: Scored) -> SentenceSpan:
    return sentence_at(one.reading.source.content, one.place.start, one.place.end)


def cover_of(question: str, one: Scored) -> float:
    """How much of what the question asks about is named by its sentence, by who says it, or by what
    stands above it."""
    source, (start, end) = one.reading.source, sentence_of(one)
    asked = content_stems(question)
    around = (*source.heading_path, source.title, source.speaker or "")
    said = content_stems(" ".join((*around, source.content[start:end])))
    return len(asked & said) / max(1, len(asked))


def is_asked(text: str) -> bool:
    """Whether it is a question itself, which states nothing."""
    return text.rstrip().endswith("?")


def is_asked_in_a_note(one: Scored) -> bool:
    """In a talk, "Did you know that I moved to Oslo?" may well answer."""
    source, (start, end) = one.reading.source, sentence_of(one)
    return not source.speaker and is_asked(source.content[start:end])


def is_denied(question: str, one: Scored) -> bool:
    """Whether the clause says that it is not, or no longer, so; and this is not what is asked."""
    if _DENIES.search(question) or _AHEAD.search(question) or _ENDS.search(question):
        return False
    clause = _clause(one)
    return clause is not None and clause.mood.denied


def is_stated(question: str, asked_at: datetime, one: Scored) -> bool:
    """Whether it is affirmed, or denied as the question is; and, where the past is asked about,
    neither planned nor ahead."""
    clause = _clause(one)
    if _DENIES.search(question) and not _WHY.search(question):
        return clause is not None and clause.mood.denied
    if _DENIES.search(question) or _AHEAD.search(question):
        return True
    if clause is None or not _PAST.search(question):
        return clause is None or not clause.mood.denied
    return not clause.mood.denied and not clause.is_ahead and not _is_after(one, asked_at)


def asks_for_the_present(question: str) -> bool:
    other = _PAST_STATE.search(question) or _AHEAD.search(question) or _DENIES.search(question)
    return not other and _PRESENT.search(question) is not None


def is_present(asked_at: datetime, one: Scored, *, asks_when: bool) -> bool:
    """Whether it tells how something is, and not how it was, will be or would be. Who asks when
    it is may be answered with any day."""
    clause = _clause(one)
    if clause is not None and not is_now(clause):
        return False
    return asks_when or not (_is_after(one, asked_at) or _is_before(one))


def is_now(clause: Clause) -> bool:
    is_said_so = not clause.was and not clause.is_ahead
    return is_said_so and not any(word.low in _WILL for word in clause.words)


def states_nothing_now(text: str) -> bool:
    """Whether a sentence asks, or tells only how something was, will be or would be. What was moved
    or changed is as it says since then."""
    clauses = clauses_of(text, 0, len(text))
    if is_asked(text) or not clauses:
        return is_asked(text)
    changed = tells_of_change(text) and not any(clause.is_ahead for clause in clauses)
    return not changed and not any(map(is_now, clauses))


def says_as_much(question: str, one: Scored, other: Scored) -> bool:
    """Whether its sentence has every word of the question that the other's has."""
    asked = content_stems(question)
    return asked & _said(other) <= _said(one)


def _said(one: Scored) -> frozenset[str]:
    start, end = sentence_of(one)
    return content_stems(one.reading.source.content[start:end])


def _clause(one: Scored) -> Clause | None:
    return clause_at(one.reading.source.content, sentence_of(one), one.place.start)


def _is_after(one: Scored, asked_at: datetime) -> bool:
    """ "Read Emma in March" may be of the last March as well as of the next."""
    times = _times(one)
    return bool(times) and all(time.certain and time.first > asked_at for time in times)


def _is_before(one: Scored) -> bool:
    """Whether it is of a time that was over when it was said."""
    said_at, (start, end) = one.reading.source.said_at, sentence_of(one)
    if said_at is None or _REACHES.search(one.reading.source.content, start, end):
        return False
    times = _times(one)
    return bool(times) and all(time.last <= said_at for time in times)


def _times(one: Scored) -> list[StatedTime]:
    source, (start, end) = one.reading.source, sentence_of(one)
    return times_in(source.content[start:end], source.said_at) if source.said_at else []
