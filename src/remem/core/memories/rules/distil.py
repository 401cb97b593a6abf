"""Extract the few statements worth storing from a text; for `RulesJudge.distil`.

From "Hi there! I moved to Oslo in May. Could you find me a gym?" only "I moved to Oslo in May." is
stored. `worth.py` scores each sentence."""

import re
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace
from typing import TypeAlias

from remem.core.judgements import Passage, Statement
from remem.core.language.person import depends_on_speaker
from remem.core.language.prose.quotations import is_of_other_speaker, quotations
from remem.core.language.prose.quote import BOX, quote_sentence, without_markup
from remem.core.language.prose.spans import Span, prose_spans
from remem.core.language.sentences import sentence_spans, sentence_starts
from remem.core.language.times.tense import looks_ahead
from remem.core.memories.rules.classify import category_of
from remem.core.memories.rules.dates import TextTimes, due_of, occurred_at, read_times
from remem.core.memories.rules.weights import WEIGHTS
from remem.core.memories.rules.worth import (
    Worth,
    depends_on_previous,
    names_its_topic,
    score_sentence,
)

# How many statements of known speakers are stored, and how many of texts without a speaker.
STATEMENTS_LIMIT, WITHOUT_SPEAKER_LIMIT = 60, 10
CHARS_LIMIT = 60_000
# The score of an item with a check box.
_CHECKBOX_WORTH = Worth(5.0, 0.0)
# A statement that refers to the words before it is stored with them, and loses at most this many
# points for being unclear.
_MAX_UNCLEAR_POINTS, _BEFORE_CHARS, _GREETING_CHARS = 1.0, 240, 25
# The points that give the highest confidence.
_CERTAIN_POINTS = 8.0
_PRONOUN_START = re.compile(r"(?:he|she|they|his|her|their)\b(?: [\w'’-]+){3}", re.I)
_NAMES_SOMEBODY = re.compile(
    r"\b(?:my|our) [\w-]+|(?<=[\w,] )[A-Z][a-z]+"
    r"|^(?!I\b|It\b|That\b|This\b|The\b)[A-Z][a-z]+['’]s\b"
)

# The statements by sentence, so that one that repeats is judged once.
_Judged: TypeAlias = dict[tuple[Hashable, ...], Statement | None]


def distil(passages: Sequence[Passage]) -> list[Statement]:
    """The statements in the order of the text; if there are too many, the most confident ones."""
    by_text: dict[tuple[str, str], Statement] = {}
    anonymous = {passage.speaker for passage in passages if not passage.is_known}
    chars_left, before = CHARS_LIMIT, ""
    judged: _Judged = {}
    for passage in passages:
        for statement in _statements_in(passage, chars_left, before, judged):
            by_text.setdefault((statement.content.casefold(), statement.speaker), statement)
        chars_left -= len(passage.text)
        before = _with_speaker(passage, _last_words(passage.text))
        if chars_left <= 0:
            break
    statements = by_text.values()
    with_speaker = [item for item in statements if item.speaker not in anonymous]
    without_speaker = [item for item in statements if item.speaker in anonymous]
    selected = [
        *_most_confident(with_speaker, STATEMENTS_LIMIT),
        *_most_confident(without_speaker, WITHOUT_SPEAKER_LIMIT),
    ]
    return sorted(selected, key=lambda statement: statement.start)


def has_statements(passages: Sequence[Passage]) -> bool:
    """Whether there is anything to distil; stops at the first statement."""
    return any(True for passage in passages for _ in _statements_in(passage, CHARS_LIMIT, "", {}))


def _most_confident(statements: Sequence[Statement], limit: int) -> list[Statement]:
    return sorted(statements, key=lambda statement: (-statement.confidence, statement.start))[
        :limit
    ]


def _with_speaker(passage: Passage, text: str) -> str:
    return f"{passage.speaker}: {text}" if text and passage.is_known else text


def _last_words(text: str) -> str:
    """The last sentences of a text, at most `_BEFORE_CHARS` characters."""
    end = text[-_BEFORE_CHARS:]
    starts = [*sentence_starts(end, 0, len(end))] if len(text) > len(end) else [0]
    return without_markup(end[starts[0] if starts else 0 :])


def _statements_in(
    passage: Passage, limit: int, before: str, judged: _Judged
) -> Iterator[Statement]:
    """The statements of a passage; `before` is what was said before it."""
    text = passage.text[:limit]
    quoted_spans = quotations(text)
    for start, end in prose_spans(text):
        previous: Span | None = None
        pending: Statement | None = None
        for span in _join_pronoun_sentences(text, list(sentence_spans(text, start, end))):
            statement = _statement_once(judged, passage, text, span, before)
            if statement and is_of_other_speaker(text, span, quoted_spans):
                statement = None
            joined = _join_once(judged, passage, text, previous, span) if statement else None
            if joined and previous:
                span, statement = (
                    (previous[0], span[1]),
                    _with_highest_confidence(joined, statement, pending),
                )
            elif pending:
                yield pending
            previous, pending = span, statement
            if len(plain := without_markup(text[span[0] : span[1]])) > _GREETING_CHARS:
                before = _with_speaker(passage, plain[-_BEFORE_CHARS:])
        if pending:
            yield pending


def _statement_once(
    judged: _Judged, passage: Passage, text: str, span: Span, before: str
) -> Statement | None:
    key = (text[span[0] : span[1]], before, *_voice(passage))
    if key not in judged:
        judged[key] = _statement_at(passage, text, span, before)
    return _at(passage, span, judged[key])


def _join_once(
    judged: _Judged, passage: Passage, text: str, previous: Span | None, span: Span
) -> Statement | None:
    if previous is None:
        return None
    both = (previous[0], span[1])
    key = (text[both[0] : both[1]], previous[1] - previous[0], *_voice(passage))
    if key not in judged:
        judged[key] = _join_with_previous(passage, text, previous, span)
    return _at(passage, both, judged[key])


def _voice(passage: Passage) -> tuple[Hashable, ...]:
    """What a sentence is judged by besides its words."""
    return passage.speaker, passage.said_at, passage.spoken, passage.is_note, passage.is_known


def _at(passage: Passage, span: Span, statement: Statement | None) -> Statement | None:
    start, end = passage.start + span[0], passage.start + span[1]
    return statement and replace(statement, start=start, end=end)


def _with_highest_confidence(joined: Statement, *parts: Statement | None) -> Statement:
    return replace(joined, confidence=max(part.confidence for part in parts if part))


def _join_with_previous(
    passage: Passage, text: str, previous: Span, span: Span
) -> Statement | None:
    """The statement of a sentence and the one before it, if the sentence depends on it ("It was a
    gift") and the one before names the topic; else None."""
    if span[1] - previous[0] > WEIGHTS.max_chars:
        return None
    if not depends_on_previous(quote_sentence(text[span[0] : span[1]])) or not names_its_topic(
        quote_sentence(text[previous[0] : previous[1]])
    ):
        return None
    span_of_both = (previous[0], span[1])
    quote = quote_sentence(text[span_of_both[0] : span_of_both[1]])
    return _build_statement(
        passage,
        span_of_both,
        read_times(quote, passage.said_at),
        WEIGHTS.enough,
        has_checkbox=False,
    )


def _join_pronoun_sentences(text: str, sentences: Sequence[Span]) -> Iterator[Span]:
    """The spans of the sentences; one about "she" is joined to the one before that names her."""
    previous: Span | None = None
    for start, end in sentences:
        is_joinable = (
            previous
            and _PRONOUN_START.match(text, start)
            and end - previous[0] <= WEIGHTS.max_chars
        )
        if is_joinable and previous and _NAMES_SOMEBODY.search(text, previous[0], previous[1]):
            yield previous[0], end
            previous = None
            continue
        if previous:
            yield previous
        previous = (start, end)
    if previous:
        yield previous


def _statement_at(passage: Passage, text: str, span: Span, before: str) -> Statement | None:
    sentence = text[span[0] : span[1]]
    quote = quote_sentence(sentence) if len(sentence) <= WEIGHTS.max_chars else ""
    if not quote or (not passage.is_known and depends_on_speaker(quote)):
        return None
    has_checkbox = BOX.match(sentence) is not None
    worth = (
        _CHECKBOX_WORTH
        if has_checkbox
        else score_sentence(quote, noted=passage.is_note, spoken=passage.spoken)
    )
    uses_context = bool(before) and passage.is_known and worth.unclear > 0
    points = worth.points - (
        min(_MAX_UNCLEAR_POINTS, worth.unclear) if uses_context else worth.unclear
    )
    required = WEIGHTS.enough if passage.is_known else WEIGHTS.enough_without_speaker
    # Reading dates is the most expensive step. It adds one point at most, so it is skipped for
    # sentences that would not reach the limit with it.
    if points < required - 1:
        return None
    times = read_times(quote, passage.said_at)
    points += bool(times.dates())
    if points < required:
        return None
    statement = _build_statement(passage, span, times, points, has_checkbox)
    return replace(statement, before=before) if uses_context else statement


def _build_statement(
    passage: Passage, span: Span, times: TextTimes, points: float, has_checkbox: bool
) -> Statement:
    text, certain = times.text, times.certain()
    due_at = due_of(text, certain, passage.said_at)
    category = (
        "task" if has_checkbox else category_of(text, due=due_at is not None, past=_is_over(text))
    )
    is_past = category in ("episode", "decision")
    return Statement(
        content=text,
        category=category,
        confidence=round(min(0.95, 0.5 + 0.45 * points / _CERTAIN_POINTS), 2),
        start=passage.start + span[0],
        end=passage.start + span[1],
        speaker=passage.speaker,
        dates=times.dates(),
        said_at=passage.said_at,
        occurred_at=occurred_at(certain, passage.said_at) if is_past else None,
        due_at=due_at,
    )


def _is_over(text: str) -> bool:
    return looks_ahead(text) is False
