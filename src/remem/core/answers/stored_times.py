"""When something was or is due, by the time that is stored beside the words of a memory; pure."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from remem.core.answers.clauses import clauses_of
from remem.core.answers.fitting import content_stems
from remem.core.answers.model import Answer, Citation, Source
from remem.core.answers.questions import ago_in_words, what_is_asked
from remem.core.answers.say import joined
from remem.core.answers.yes_no import decide
from remem.core.answers.yes_no_question import YesNoQuestion, matters, read_question
from remem.core.language.claims.verbs import ADVERBS
from remem.core.language.times.duties import duties_of
from remem.core.language.times.statements import times_in
from remem.core.language.times.wording import on_day
from remem.core.language.words import stem, words

CONFIDENCE = 0.9
# So much of what a memory says is asked about: it is of that, and not only mentions it.
LEAST_SHARE = 0.3
_FLAGS = re.IGNORECASE | re.ASCII
# "Did I have a migraine?" of "When did I have a migraine?"; a time of the day is not stored.
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
# Words that ask for the time, and are not what it is the time of.
_ASKS_DUE = frozenset(map(stem, "due deadline date day when must should have has need got".split()))
_WHICH = re.compile(r"\b(?P<which>last|latest|most recent(?:ly)?|first)\b ?", _FLAGS)


class _StoredTime(NamedTuple):
    source: Source
    moment: datetime
    # How much of what the memory says is asked about.
    share: float


def by_stored_time(answer: Answer, sources: Sequence[Source], asked_at: datetime) -> Answer:
    """The same answer; or, where it is not known, the times that are stored with the memories that
    say just what is asked."""
    if answer.text is not None:
        return answer
    found = _due(answer.question, sources)
    if not found and (asked := _whether(answer.question, asked_at)):
        found = _happened(asked, sources)
    best = max((one.share for one in found), default=0.0)
    if best < LEAST_SHARE:
        return answer
    times = _wanted(answer.question, [one for one in found if one.share == best])
    return _answered(answer, times, asked_at)


def _whether(question: str, asked_at: datetime) -> YesNoQuestion | None:
    found = _WHETHER.match(question)
    return read_question(_WHICH.sub("", found["whether"]), asked_at) if found else None


def _happened(asked: YesNoQuestion, sources: Sequence[Source]) -> list[_StoredTime]:
    found = []
    for source in sources:
        if source.occurred_at and not _tells_time(source) and _is_of(asked, source):
            decision = decide(asked, [source])
            if decision and decision.verdict == "yes":
                found.append(_stored(source, source.occurred_at, asked.needed))
    return found


def _is_of(asked: YesNoQuestion, source: Source) -> bool:
    """Whether the memory is of what is asked from its first word on: "I bought a present for Mia's
    birthday" is of no birthday."""
    said = (word for word in words(source.content) if matters(word) and word.low not in ADVERBS)
    return next((word.stem for word in said), None) in asked.needed


def _due(question: str, sources: Sequence[Source]) -> list[_StoredTime]:
    if not _DUE.match(question):
        return []
    needed = content_stems(question) - _ASKS_DUE
    return [
        _stored(source, source.due_at, needed)
        for source in sources
        if source.due_at and not _tells_time(source) and needed and _is_duty(needed, source)
    ]


def _is_duty(needed: frozenset[str], source: Source) -> bool:
    """Whether it has every word that is asked about, and is to be done by the speaker, or by whom
    the question names."""
    duties = duties_of(source.content)
    if not needed <= content_stems(source.content) or duties.left_out:
        return False
    clauses = clauses_of(source.content, 0, len(source.content))
    subject = {word.stem for clause in clauses[:1] for word in clause.subject}
    return bool(subject & needed) or not duties.are_of_another


def _tells_time(source: Source) -> bool:
    """What its words say of the time is read with them."""
    return source.said_at is not None and bool(times_in(source.content, source.said_at))


def _stored(source: Source, moment: datetime, needed: frozenset[str]) -> _StoredTime:
    said = content_stems(source.content)
    return _StoredTime(source, moment, len(needed & said) / max(1, len(said)))


def _wanted(question: str, found: Sequence[_StoredTime]) -> list[_StoredTime]:
    """The last, the first, or all in their order."""
    times = sorted(found, key=lambda one: one.moment)
    which = _WHICH.search(question)
    if which is None:
        return times
    return times[:1] if which["which"].lower() == "first" else times[-1:]


def _answered(answer: Answer, times: Sequence[_StoredTime], asked_at: datetime) -> Answer:
    citations = tuple(_cited(one) for one in times)
    text = joined(list(dict.fromkeys(one.value for one in citations)))
    if answer.kind == "ago":
        text = ago_in_words(what_is_asked(answer.question), times[-1].moment, asked_at)
        citations = citations[-1:]
    return replace(answer, text=text, confidence=CONFIDENCE, citations=citations)


def _cited(one: _StoredTime) -> Citation:
    content = one.source.content
    return Citation(one.source, 0, len(content), content, on_day(one.moment), CONFIDENCE)
