"""Answer when something was or is due by the times stored with memories; pure."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from remem.core.answers.clauses import clauses_of
from remem.core.answers.fitting import content_stems
from remem.core.answers.model import Answer, Citation, Source
from remem.core.answers.questions import ago_in_words, what_is_asked
from remem.core.answers.say import join_with_and
from remem.core.answers.yes_no import decide
from remem.core.answers.yes_no_question import YesNoQuestion, is_required, read_question
from remem.core.language.claims.verbs import ADVERBS
from remem.core.language.times.duties import duties_of
from remem.core.language.times.statements import times_in
from remem.core.language.times.wording import on_day
from remem.core.language.words import stem, words

CONFIDENCE = 0.9
# The minimum share of the memory's words in the question: it is about that, and does not only
# mention it.
MIN_SHARE = 0.3
_FLAGS = re.IGNORECASE | re.ASCII
# Extracts "Did I have a migraine?" from "When did I have a migraine?"; times of day are not stored.
_WHETHER = re.compile(
    r"^\W*(?:and |so |but )?(?:when|how (?:many |much |long )?(?:\w+ )?ago"
    r"|(?:(?:in|on|during) )?(?:what|which) (?:date|day|month|year|week|weekend)) "
    r"(?P<whether>(?:did|was|were|has|have|had|is|are)\b.*)$",
    _FLAGS | re.DOTALL,
)
_DUE = re.compile(
    r"^\W*(?:and |so |but )?(?:what(?:['’]s| is) the (?:deadline|due date)\b"
    r"|(?:by )?(?:when|(?:on )?(?:what|which) (?:date|day)) "
    r"(?=.*\b(?:due|deadline|(?:have|has|need|needs|got|supposed) to|must|should)\b))",
    _FLAGS | re.DOTALL,
)
# Words that ask for the time, and do not name the event.
_ASKS_DUE = frozenset(map(stem, "due deadline date day when must should have has need got".split()))
_WHICH = re.compile(r"\b(?P<which>last|latest|most recent(?:ly)?|first)\b ?", _FLAGS)


class _StoredTime(NamedTuple):
    source: Source
    moment: datetime
    # The share of the memory's words that the question asks about.
    share: float


def by_stored_time(answer: Answer, sources: Sequence[Source], asked_at: datetime) -> Answer:
    """The answer, or, if it is unknown, the times stored with the memories that state exactly what
    is asked."""
    if answer.text is not None:
        return answer
    stored_times = _due_times(answer.question, sources)
    if not stored_times and (parsed := _whether_question(answer.question, asked_at)):
        stored_times = _happened_times(parsed, sources)
    if answer.kind == "ago":
        stored_times = [stored for stored in stored_times if stored.moment <= asked_at]
    best = max((stored.share for stored in stored_times), default=0.0)
    if best < MIN_SHARE:
        return answer
    times = _select(answer.question, [stored for stored in stored_times if stored.share == best])
    return _with_times(answer, times, asked_at)


def _whether_question(question: str, asked_at: datetime) -> YesNoQuestion | None:
    match = _WHETHER.match(question)
    return read_question(_WHICH.sub("", match["whether"]), asked_at) if match else None


def _happened_times(question: YesNoQuestion, sources: Sequence[Source]) -> list[_StoredTime]:
    stored_times = []
    for source in sources:
        if source.occurred_at and not _tells_time(source) and _is_about(question, source):
            decision = decide(question, [source])
            if decision and decision.verdict == "yes":
                stored_times.append(_with_share(source, source.occurred_at, question.needed))
    return stored_times


def _is_about(question: YesNoQuestion, source: Source) -> bool:
    """Whether the memory is about the question from its first word on: "I bought a present for
    Mia's birthday" is not about the birthday."""
    stems = (
        word for word in words(source.content) if is_required(word) and word.low not in ADVERBS
    )
    return next((word.stem for word in stems), None) in question.needed


def _due_times(question: str, sources: Sequence[Source]) -> list[_StoredTime]:
    if not _DUE.match(question):
        return []
    needed = content_stems(question) - _ASKS_DUE
    return [
        _with_share(source, source.due_at, needed)
        for source in sources
        if source.due_at and not _tells_time(source) and needed and _is_duty(needed, source)
    ]


def _is_duty(needed: frozenset[str], source: Source) -> bool:
    """Whether it has every word in question, and is to be done by the speaker, or by the person the
    question names."""
    duties = duties_of(source.content)
    if not needed <= content_stems(source.content) or duties.left_out:
        return False
    clauses = clauses_of(source.content, 0, len(source.content))
    subject = {word.stem for clause in clauses[:1] for word in clause.subject}
    return bool(subject & needed) or not duties.are_of_another


def _tells_time(source: Source) -> bool:
    """Whether its words state a time, which the reader reads with them."""
    return source.said_at is not None and bool(times_in(source.content, source.said_at))


def _with_share(source: Source, moment: datetime, needed: frozenset[str]) -> _StoredTime:
    stems = content_stems(source.content)
    return _StoredTime(source, moment, len(needed & stems) / max(1, len(stems)))


def _select(question: str, stored_times: Sequence[_StoredTime]) -> list[_StoredTime]:
    """The last, the first, or all in chronological order."""
    times = sorted(stored_times, key=lambda stored: stored.moment)
    which = _WHICH.search(question)
    if which is None:
        return times
    return times[:1] if which["which"].lower() == "first" else times[-1:]


def _with_times(answer: Answer, times: Sequence[_StoredTime], asked_at: datetime) -> Answer:
    citations = tuple(_cite(stored) for stored in times)
    text = join_with_and(list(dict.fromkeys(citation.value for citation in citations)))
    if answer.kind == "ago":
        text = ago_in_words(what_is_asked(answer.question), times[-1].moment, asked_at)
        citations = citations[-1:]
    return replace(answer, text=text, confidence=CONFIDENCE, citations=citations)


def _cite(stored: _StoredTime) -> Citation:
    content = stored.source.content
    return Citation(stored.source, 0, len(content), content, on_day(stored.moment), CONFIDENCE)
