"""Split a memory into the atomic facts in it, with their due dates; for `RulesJudge.derive`.

"I live in Oslo and I work at Acme" gives two facts; "Pay the rent by 3 May and 7 June" gives one
for each day."""

import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import pairwise

from remem.core.judgements import Fact
from remem.core.language.detect import language_of
from remem.core.language.lists import table
from remem.core.language.sentences import sentence_spans
from remem.core.language.stopwords import ALL_STOP_WORDS
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
_MARKS = " \n\t,;:.-*•、，；"
_CONJUNCTIONS = {
    language: words.split() for language, words in table("conjunctions", "any").items()
}
_MARK_SOURCE = r"\s{0,9}(?:[,;.)\]](?=[\s,;.)\]])|[、，；]){1,3}\s{0,9}"
_MARK = re.compile(_MARK_SOURCE)
# A comma, a conjunction of the language or both.
_SEPARATORS = {
    language: re.compile(
        rf"{_MARK_SOURCE}(?:(?:{'|'.join(map(re.escape, words))})(?!\w)\s{{0,9}}){{0,2}}"
        rf"|\s{{1,9}}(?:(?:{'|'.join(map(re.escape, words))})(?!\w)\s{{0,9}}){{1,2}}(?:also\s)?",
        re.IGNORECASE,
    )
    for language, words in _CONJUNCTIONS.items()
}
_PREPOSITIONS_MAX = 2
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
    language = language_of(text) or "en"
    is_leading = _is_leading(text, dues, language)
    spans = _spans(text, dues, language, is_leading)
    return [
        _due_fact(text, start, dues, at, spans[at], is_leading, said_at) for at in range(len(dues))
    ]


def _due_fact(
    text: str,
    offset: int,
    dues: Sequence[StatedTime],
    at: int,
    span: tuple[int, int],
    is_leading: bool,
    said_at: datetime | None,
) -> Fact:
    """The fact of one due date.

    Where a further date stands alone ("on 3 May and 7 May"), the beginning is repeated."""
    due, (start, end) = dues[at], span
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


def _is_leading(text: str, dues: Sequence[StatedTime], language: str) -> bool:
    """Whether each date stands before what is due; outside English its preposition is not part of
    it: "Bis 3. Mai die Steuer abgeben"."""
    before = text[: dues[0].start].strip(_MARKS).lower().split()
    if not before or language == "en":
        return not before
    separators = list(_SEPARATORS.get(language, _MARK).finditer(text, dues[0].end, dues[1].start))
    body = text[dues[0].end : separators[-1].start() if separators else dues[1].start]
    is_preposition = len(before) <= _PREPOSITIONS_MAX and ALL_STOP_WORDS.issuperset(before)
    return is_preposition and bool(body.strip(_MARKS))


def _spans(
    text: str, dues: Sequence[StatedTime], language: str, is_leading: bool
) -> list[tuple[int, int]]:
    """What belongs to each date: all up to the comma or conjunction between it and the next one.
    Without one, all up to the date, or all from it where dates lead."""
    starts, ends = [0], []
    for due, following in pairwise(dues):
        end = due.end + (text[due.end : due.end + 1] in (")", "]"))
        separators = list(_SEPARATORS.get(language, _MARK).finditer(text, end, following.start))
        if separators:
            separator = separators[-1 if is_leading else 0]
            ends.append(separator.start())
            starts.append(separator.end())
        else:
            ends.append(following.start if is_leading else end)
            starts.append(ends[-1])
    return list(zip(starts, [*ends, len(text)], strict=True))


def _shared_beginning(text: str, first: StatedTime, due: StatedTime) -> str:
    """The text before the first date, with its "on" or "by" where the other date has none."""
    preposition = text[first.start : first.end].removesuffix(first.words)
    has_own_preposition = text[due.start : due.end] != due.words
    return text[: first.start] + ("" if has_own_preposition else preposition)


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
