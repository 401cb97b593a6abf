"""One memory as the atomic facts in it, and what it says of days to come."""

import re
from collections.abc import Iterator, Sequence
from datetime import datetime

from remem.core.judgements import Fact
from remem.core.language.sentences import sentence_spans
from remem.core.language.times.statements import StatedTime
from remem.core.memories.rules.classify import category_of
from remem.core.memories.rules.dates import TextTimes, dates_in, due_of, dues_of, read_times

FACTS_LIMIT = 20
_WORDS_LEAST = 3
_VERB = (
    r"(?:is|am|are|was|were|has|have|had|will|can|must|should|needs?|wants?|works?|lives?|likes?|loves?"
    r"|hates?|prefers?|uses?|runs?|speaks?|owns?|plays?|studies|moved|went|got|made|took|met|bought"
    r"|costs?|starts?|ends?|supports?|requires?|owes?|drives?|teaches|expires?|\w{3,}ed)"
)
# A clause that names its own subject can be taken out as it stands.
_JOINT = re.compile(
    rf"(?:;|, (?:and|but)| (?:and|but)) (?=(?:I|we|my [\w-]+|our [\w-]+|the [\w-]+|[A-Z][\w'’-]*)"
    rf" (?:also )?{_VERB}\b)"
)
_JOINED = re.compile(r"[\s,;.]*(?:(?:and|but|then|plus|or)\b)?(?:\s(?:then|also)\b)?\s*")
_LEANS = re.compile(
    r"(?:and |but |so |then )?(?:he|she|they|it|his|her|their|its|this|that|these|those|there)\b",
    re.IGNORECASE,
)
_DEPENDS = re.compile(r"\b(?:if|because|when|while|although|unless|who|which|that|whether)\b", re.I)


def derive(content: str, said_at: datetime | None) -> list[Fact]:
    """The facts of a memory that says several; of one that says one, that one. What has several
    days to be done by is a fact for each."""
    spans = _joined(content, list(sentence_spans(content)))
    parts = [part for start, end in spans for part in _clauses(content, start, end)]
    facts = [fact for start, end in parts for fact in _facts(content, start, end, said_at)]
    return facts[:FACTS_LIMIT]


def _facts(content: str, start: int, end: int, said_at: datetime | None) -> list[Fact]:
    text = content[start:end]
    times = read_times(text, said_at)
    dues = dues_of(text, times.certain(), said_at)
    if len(dues) < 2:
        return [_fact(start, end, times)]
    return [_due_fact(text, start, dues, at, said_at) for at in range(len(dues))]


def _due_fact(
    text: str, offset: int, dues: Sequence[StatedTime], at: int, said_at: datetime | None
) -> Fact:
    """The part of a sentence that has one of its days: from behind the day before it to its own.
    Where nothing but the day is given anew ("on 3 May and 7 May"), the beginning is said again."""
    due = dues[at]
    start = dues[at - 1].end if at else 0
    start += _lead(text, start, due.start) if at else 0
    end = due.end if at + 1 < len(dues) else len(text)
    said = text[start:end].strip(" ,;")
    if at and not text[start : due.start].strip():
        said = f"{_beginning(text, dues[0], due)}{text[due.start : end]}".strip(" ,;")
        start = 0
    return Fact(
        said,
        category_of(said, due=True),
        offset + start,
        offset + end,
        due.due,
        dates_in(text[due.start : due.end], said_at),
    )


def _beginning(text: str, first: StatedTime, due: StatedTime) -> str:
    """What stands before the first day, with its "on" or "by" where the other has none."""
    own = text[first.start : first.end].removesuffix(first.words)
    has_own = text[due.start : due.end] != due.words
    return text[: first.start] + ("" if has_own else own)


def _lead(text: str, start: int, end: int) -> int:
    """How many characters only join two parts."""
    joined = _JOINED.match(text, start, end)
    return joined.end() - start if joined else 0


def _joined(text: str, spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """A sentence about "she" stays with the one that names her."""
    joined: list[tuple[int, int]] = []
    for start, end in spans:
        if joined and _LEANS.match(text, start):
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return joined


def _clauses(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """A sentence at its joints; one whose parts depend on each other, whole."""
    sentence = text[start:end]
    joints = [] if _DEPENDS.search(sentence) else list(_JOINT.finditer(sentence))
    begins = [0, *(joint.end() for joint in joints)]
    stops = [*(joint.start() for joint in joints), len(sentence)]
    if any(len(sentence[a:b].split()) < _WORDS_LEAST for a, b in zip(begins, stops, strict=True)):
        yield start, end
        return
    yield from ((start + a, start + b) for a, b in zip(begins, stops, strict=True))


def _fact(start: int, end: int, times: TextTimes) -> Fact:
    due_at = due_of(times.text, times.certain(), times.said_at)
    category = category_of(times.text, due=due_at is not None)
    return Fact(times.text, category, start, end, due_at, times.dates())
