"""One memory as the atomic facts in it, and what it says of days to come."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from remem.core.chunking.sentences import sentence_starts
from remem.core.memories.model import Category
from remem.core.memories.rules.distil import due_of
from remem.core.memories.rules.moments import said_for_good, times_in
from remem.core.memories.rules.worth import is_plain, weigh

FACTS_LIMIT = 20
_WORDS_LEAST = 3
_VERB = (
    r"(?:is|am|are|was|were|has|have|had|will|can|must|should|needs?|wants?|works?|lives?|likes?|loves?"
    r"|hates?|prefers?|uses?|runs?|speaks?|owns?|plays?|studies|moved|went|got|made|took|met|bought"
    r"|costs?|starts?|ends?|supports?|requires?|owes?|drives?|teaches|expires?|\w{3,}ed)"
)
_SUBJECT = re.compile(
    rf"(?P<subject>(?:The |My |Our |A )?[A-Z][\w.'’-]*(?: [\w.'’-]+){{0,3}}?|I|We) (?={_VERB}\b)"
)
_JOINT = re.compile(
    rf"(?:;|,? (?:and|but)|,) (?=(?:(?:he|she|they|it|I|we|my \w+|[A-Z][\w'’-]*) )?"
    rf"(?:also )?{_VERB}\b)"
)
_PRONOUN = re.compile(r"^(?:he|she|they|it)\b ?", re.IGNORECASE)
_DEPENDS = re.compile(r"\b(?:if|because|when|while|although|unless|who|which|that|whether)\b", re.I)


@dataclass(frozen=True, slots=True)
class Fact:
    """A statement of its own: `start` and `end` say which part of the memory it stands on."""

    content: str
    category: Category
    start: int
    end: int
    due_at: datetime | None = None


def derive(content: str, said_at: datetime) -> list[Fact]:
    """The facts of a memory that says several; of one that says one, that one."""
    facts: list[Fact] = []
    named = ""
    for start, end in _sentences(content):
        for text, begin, stop in _clauses(content, start, end):
            found = _SUBJECT.match(text)
            if named and found and _PRONOUN.match(found["subject"]):
                text = f"{named} {_PRONOUN.sub('', text)}"
            elif found:
                named = found["subject"]
            facts.append(_fact(text, begin, stop, said_at))
    return facts[:FACTS_LIMIT]


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    begin = 0
    for stop in [*sentence_starts(text, 0, len(text)), len(text)]:
        if text[begin:stop].strip():
            yield begin, begin + len(text[begin:stop].rstrip())
        begin = max(begin, stop)


def _clauses(text: str, start: int, end: int) -> Iterator[tuple[str, int, int]]:
    """A sentence at its joints, each part with a subject; one whose parts hang together, whole."""
    sentence = text[start:end]
    subject = _SUBJECT.match(sentence)
    joints = [] if _DEPENDS.search(sentence) or not subject else list(_JOINT.finditer(sentence))
    if not subject or not joints:
        yield sentence, start, end
        return
    begins = [0, *(joint.end() for joint in joints)]
    stops = [*(joint.start() for joint in joints), len(sentence)]
    for begin, stop in zip(begins, stops, strict=True):
        said = sentence[begin:stop].strip()
        if len(said.split()) < _WORDS_LEAST - (begin > 0):
            continue
        yield _with_subject(said, subject["subject"], first=begin == 0), start + begin, start + stop


def _with_subject(said: str, subject: str, *, first: bool) -> str:
    said = said.rstrip(".;, ") + "."
    if first or re.match(r"(?:I|we|my|[A-Z][\w'’-]*)\b", said):
        return said[:1].upper() + said[1:]
    return f"{subject} {_PRONOUN.sub('', said)}"


def _fact(text: str, start: int, end: int, said_at: datetime) -> Fact:
    times = times_in(text, said_at)
    due_at = due_of(text, times, said_at)
    worth = weigh(text, dated=bool(times), noted=True) if is_plain(text) else None
    category: Category = worth.category if worth else "fact"
    return Fact(said_for_good(text, times), "task" if due_at else category, start, end, due_at)
