"""Split a memory into the atomic facts in it, with their due dates; for `RulesJudge.derive`.

"I live in Oslo and I work at Acme" gives two facts; "Pay the rent by 3 May and 7 June" gives one
for each day."""

import re
from collections.abc import Iterator, Sequence
from datetime import datetime

from remem.core.judgements import Fact
from remem.core.language.sentences import sentence_spans
from remem.core.language.times.statements import StatedTime
from remem.core.memories.rules.classify import category_of
from remem.core.memories.rules.dates import TextTimes, dates_in, due_of, due_times, read_times

FACTS_LIMIT = 20
_MIN_WORDS = 3
_VERB = (
    r"(?:is|am|are|was|were|has|have|had|will|can|must|should|needs?|wants?|works?|lives?|likes?|loves?"
    r"|hates?|prefers?|uses?|runs?|speaks?|owns?|plays?|studies|moved|went|got|made|took|met|bought"
    r"|costs?|starts?|ends?|supports?|requires?|owes?|drives?|teaches|expires?|\w{3,}ed)"
)
# Between two clauses that each have a subject, so that both are complete statements.
_CLAUSE_BOUNDARY = re.compile(
    rf"(?:;|, (?:and|but)| (?:and|but)) (?=(?:I|we|my [\w-]+|our [\w-]+|the [\w-]+|[A-Z][\w'’-]*)"
    rf" (?:also )?{_VERB}\b)"
)
_MARKS = " \n\t,;:.-*•"
_CONJUNCTIONS = frozenset({"and", "but", "then", "plus", "or"})
_CONJUNCTION = re.compile(r"[\s,;.)\]]*(?:(?:and|but|then|plus|or)\b)?(?:\s(?:then|also)\b)?\s*")
_PRONOUN_START = re.compile(
    r"(?:and |but |so |then )?(?:he|she|they|it|his|her|their|its|this|that|these|those|there)\b",
    re.IGNORECASE,
)
_SUBORDINATE = re.compile(
    r"\b(?:if|because|when|while|although|unless|who|which|that|whether)\b", re.I
)


def derive(content: str, said_at: datetime | None) -> list[Fact]:
    """The facts of a memory; several due dates give a fact for each."""
    spans = _join_pronoun_sentences(content, list(sentence_spans(content)))
    parts = [part for start, end in spans for part in _clause_spans(content, start, end)]
    facts = [fact for start, end in parts for fact in _facts(content, start, end, said_at)]
    return facts[:FACTS_LIMIT]


def due_facts(times: TextTimes, due_at: datetime | None) -> tuple[Fact, ...]:
    """The facts of a text that is due at other times than `due_at`; none if it is not."""
    said_at = times.said_at
    ahead = [time for time in times.certain() if said_at and time.due > said_at]
    if len(ahead) < (2 if due_at else 1):
        return ()
    facts = derive(times.text, said_at)
    return tuple(facts) if {fact.due_at for fact in facts} - {None, due_at} else ()


def due_facts_in(content: str, said_at: datetime, due_at: datetime | None) -> tuple[Fact, ...]:
    """`due_facts` for a text whose times are not read yet."""
    return due_facts(read_times(content, said_at), due_at)


def _facts(content: str, start: int, end: int, said_at: datetime | None) -> list[Fact]:
    text = content[start:end]
    times = read_times(text, said_at)
    dues = due_times(text, times.certain(), said_at)
    if len(dues) < 2:
        return [_fact(start, end, times)]
    return [_due_fact(text, start, dues, at, said_at) for at in range(len(dues))]


def _due_fact(
    text: str, offset: int, dues: Sequence[StatedTime], at: int, said_at: datetime | None
) -> Fact:
    """The fact of one due date: the text after the previous date up to this one, or from this date
    to the next one where the text begins with a date.

    Where a further date stands alone ("on 3 May and 7 May"), the beginning is repeated."""
    due = dues[at]
    is_leading = not text[: dues[0].start].strip(_MARKS)
    start, end = (_span_after if is_leading else _span_before)(text, dues, at)
    fact_text = text[start:end].strip(" ,;")
    if is_leading and not text[due.end : end].strip(_MARKS):
        fact_text = f"{text[start : due.end]}{text[dues[-1].end :]}".strip(" ,;")
    elif at and not is_leading and not text[start : due.start].strip():
        fact_text = f"{_shared_beginning(text, dues[0], due)}{text[due.start : end]}".strip(" ,;")
        start = 0
    return Fact(
        fact_text,
        category_of(fact_text, due=True),
        offset + start,
        offset + end,
        due.due,
        dates_in(text[due.start : due.end], said_at),
    )


def _span_before(text: str, dues: Sequence[StatedTime], at: int) -> tuple[int, int]:
    """From the previous date to this one; the last goes on to the end."""
    start = dues[at - 1].end if at else 0
    start += _conjunction_length(text, start, dues[at].start) if at else 0
    end = dues[at].end
    end += text[end : end + 1] in (")", "]")
    return start, end if at + 1 < len(dues) else len(text)


def _span_after(text: str, dues: Sequence[StatedTime], at: int) -> tuple[int, int]:
    """From this date to the next one, where each date stands before what is due."""
    start = dues[at].start if at else 0
    if at + 1 == len(dues):
        return start, len(text)
    body = text[start : dues[at + 1].start].rstrip(_MARKS)
    before, _, last = body.rpartition(" ")
    return start, start + len(before if last.lower() in _CONJUNCTIONS else body)


def _shared_beginning(text: str, first: StatedTime, due: StatedTime) -> str:
    """The text before the first date, with its "on" or "by" where the other date has none."""
    preposition = text[first.start : first.end].removesuffix(first.words)
    has_own_preposition = text[due.start : due.end] != due.words
    return text[: first.start] + ("" if has_own_preposition else preposition)


def _conjunction_length(text: str, start: int, end: int) -> int:
    """The length of the conjunction and the spaces at `start`."""
    match = _CONJUNCTION.match(text, start, end)
    return match.end() - start if match else 0


def _join_pronoun_sentences(text: str, spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Join a sentence that begins with a pronoun to the one before it, which names the person."""
    joined: list[tuple[int, int]] = []
    for start, end in spans:
        if joined and _PRONOUN_START.match(text, start):
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return joined


def _clause_spans(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The clauses of a sentence, or the whole sentence where a clause depends on another or is too
    short."""
    sentence = text[start:end]
    boundaries = [] if _SUBORDINATE.search(sentence) else list(_CLAUSE_BOUNDARY.finditer(sentence))
    starts = [0, *(boundary.end() for boundary in boundaries)]
    ends = [*(boundary.start() for boundary in boundaries), len(sentence)]
    if any(len(sentence[a:b].split()) < _MIN_WORDS for a, b in zip(starts, ends, strict=True)):
        yield start, end
        return
    yield from ((start + a, start + b) for a, b in zip(starts, ends, strict=True))


def _fact(start: int, end: int, times: TextTimes) -> Fact:
    due_at = due_of(times.text, times.certain(), times.said_at)
    category = category_of(times.text, due=due_at is not None)
    return Fact(times.text, category, start, end, due_at, times.dates())
