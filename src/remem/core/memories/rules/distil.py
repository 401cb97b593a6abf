"""From what somebody said or wrote, the few statements that are worth keeping by themselves."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from remem.core.judgements import Passage, Statement
from remem.core.language.person import depends_on_speaker
from remem.core.language.prose.quotations import is_of_another, quotations
from remem.core.language.prose.quote import BOX, quoted, without_markup
from remem.core.language.prose.stretches import Span, prose_of
from remem.core.language.sentences import sentence_spans, sentence_starts
from remem.core.language.times.tense import looks_ahead
from remem.core.memories.rules.classify import category_of
from remem.core.memories.rules.dates import TextTimes, due_of, occurred_at, read_times
from remem.core.memories.rules.points import WORTH
from remem.core.memories.rules.worth import (
    Worth,
    names_something,
    points_back,
    weigh,
)

# Of what somebody tells, and of what a page says that speaks for nobody.
STATEMENTS_LIMIT, UNSAID_LIMIT = 60, 10
CHARS_LIMIT = 60_000
_BOXED = Worth(5.0, 0.0)
# What leans on the words before it is kept with them, and has to say more by itself.
_LEANING, _BEFORE_CHARS, _GREETING_CHARS = 1.0, 240, 25
_SURE_POINTS = 8.0
_LEANS = re.compile(r"(?:he|she|they|his|her|their)\b(?: [\w'’-]+){3}", re.I)
_NAMES_SOMEBODY = re.compile(
    r"\b(?:my|our) [\w-]+|(?<=[\w,] )[A-Z][a-z]+"
    r"|^(?!I\b|It\b|That\b|This\b|The\b)[A-Z][a-z]+['’]s\b"
)


def distil(passages: Sequence[Passage]) -> list[Statement]:
    """In the order of the text; where there are too many, the surest."""
    found: dict[tuple[str, str], Statement] = {}
    left, before = CHARS_LIMIT, ""
    for passage in passages:
        for statement in _statements(passage, left, before):
            found.setdefault((statement.content.casefold(), statement.speaker), statement)
        left -= len(passage.text)
        before = _attributed(passage, _last_of(passage.text))
        if left <= 0:
            break
    said = [one for one in found.values() if one.speaker]
    unsaid = [one for one in found.values() if not one.speaker]
    kept = [*_surest(said, STATEMENTS_LIMIT), *_surest(unsaid, UNSAID_LIMIT)]
    return sorted(kept, key=lambda one: one.start)


def says_anything(passages: Sequence[Passage]) -> bool:
    """Whether there is anything to distil; the first statement is enough to know."""
    return any(True for passage in passages for _ in _statements(passage, CHARS_LIMIT, ""))


def _surest(statements: Sequence[Statement], limit: int) -> list[Statement]:
    return sorted(statements, key=lambda one: (-one.confidence, one.start))[:limit]


def _attributed(passage: Passage, text: str) -> str:
    return f"{passage.speaker}: {text}" if text and passage.speaker else text


def _last_of(text: str) -> str:
    """The end of what somebody said, from where a sentence begins."""
    end = text[-_BEFORE_CHARS:]
    starts = [*sentence_starts(end, 0, len(end))] if len(text) > len(end) else [0]
    return without_markup(end[starts[0] if starts else 0 :])


def _statements(passage: Passage, limit: int, before: str) -> Iterator[Statement]:
    text = passage.text[:limit]
    others_words = quotations(text)
    for start, end in prose_of(text):
        previous: Span | None = None
        kept: Statement | None = None
        for span in _spans(text, list(sentence_spans(text, start, end))):
            statement = _statement(passage, text, span, before)
            if statement and is_of_another(text, span, others_words):
                statement = None
            joined = _joined(passage, text, previous, span) if statement else None
            if joined and previous:
                span, statement = (previous[0], span[1]), _surer(joined, statement, kept)
            elif kept:
                yield kept
            previous, kept = span, statement
            if len(said := without_markup(text[span[0] : span[1]])) > _GREETING_CHARS:
                before = _attributed(passage, said[-_BEFORE_CHARS:])
        if kept:
            yield kept


def _surer(joined: Statement, *parts: Statement | None) -> Statement:
    return replace(joined, confidence=max(one.confidence for one in parts if one))


def _joined(passage: Passage, text: str, previous: Span | None, span: Span) -> Statement | None:
    """A sentence that points back ("It was a gift") is quoted together with the one before it,
    where that one says what is meant."""
    if previous is None or span[1] - previous[0] > WORTH.chars_most:
        return None
    if not points_back(quoted(text[span[0] : span[1]])) or not names_something(
        quoted(text[previous[0] : previous[1]])
    ):
        return None
    whole = (previous[0], span[1])
    said = quoted(text[whole[0] : whole[1]])
    return _made(passage, whole, read_times(said, passage.said_at), WORTH.enough, boxed=False)


def _spans(text: str, sentences: Sequence[Span]) -> Iterator[Span]:
    """A sentence about "she" is quoted together with the one before that names her."""
    before: Span | None = None
    for start, end in sentences:
        leans = before and _LEANS.match(text, start) and end - before[0] <= WORTH.chars_most
        if leans and before and _NAMES_SOMEBODY.search(text, before[0], before[1]):
            yield before[0], end
            before = None
            continue
        if before:
            yield before
        before = (start, end)
    if before:
        yield before


def _statement(passage: Passage, text: str, span: Span, before: str) -> Statement | None:
    sentence = text[span[0] : span[1]]
    said = quoted(sentence) if len(sentence) <= WORTH.chars_most else ""
    if not said or (not passage.speaker and depends_on_speaker(said)):
        return None
    boxed = BOX.match(sentence) is not None
    worth = _BOXED if boxed else weigh(said, noted=passage.is_note, spoken=passage.spoken)
    leans = bool(before) and bool(passage.speaker) and worth.unclear > 0
    points = worth.points - (min(_LEANING, worth.unclear) if leans else worth.unclear)
    enough = WORTH.enough if passage.speaker else WORTH.enough_unsaid
    # To look for dates costs most, and few sentences would be worth keeping even if they had one.
    if points < enough - 1:
        return None
    times = read_times(said, passage.said_at)
    points += bool(times.dates())
    if points < enough:
        return None
    statement = _made(passage, span, times, points, boxed)
    return replace(statement, before=before) if leans else statement


def _made(passage: Passage, span: Span, times: TextTimes, points: float, boxed: bool) -> Statement:
    said, certain = times.text, times.certain()
    due_at = due_of(said, certain, passage.said_at)
    category = "task" if boxed else category_of(said, due=due_at is not None, past=_is_over(said))
    past = category in ("episode", "decision")
    return Statement(
        content=said,
        category=category,
        confidence=round(min(0.95, 0.5 + 0.45 * points / _SURE_POINTS), 2),
        start=passage.start + span[0],
        end=passage.start + span[1],
        speaker=passage.speaker,
        dates=times.dates(),
        said_at=passage.said_at,
        occurred_at=occurred_at(certain, passage.said_at) if past else None,
        due_at=due_at,
    )


def _is_over(said: str) -> bool:
    return looks_ahead(said) is False
