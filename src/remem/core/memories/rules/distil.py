"""Extract the few statements worth storing from a text; for `RulesJudge.distil`.

From "Hi there! I moved to Oslo in May. Could you find me a gym?" only "I moved to Oslo in May." is
stored. `worth.py` scores each sentence."""

import re
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from remem.core.judgements import HEADING_SEPARATOR as SEPARATOR
from remem.core.judgements import Category, Passage, Statement
from remem.core.language.claims.verbs import find_verb
from remem.core.language.person import depends_on_speaker
from remem.core.language.prose.quotations import is_of_other_speaker, quotations
from remem.core.language.prose.quote import BOX, quote_sentence, without_markup
from remem.core.language.prose.spans import Span
from remem.core.language.sentences import sentence_starts
from remem.core.language.statements import QuotedText, quoted_lines
from remem.core.language.times.tense import looks_ahead
from remem.core.language.words import words
from remem.core.memories.rules.classify import category_of
from remem.core.memories.rules.dates import TextTimes, due_of, occurred_at, read_times
from remem.core.memories.rules.objections import has_final_objection
from remem.core.memories.rules.typed import has_content, is_typed
from remem.core.memories.rules.weights import WEIGHTS
from remem.core.memories.rules.worth import (
    Worth,
    depends_on_previous,
    names_its_topic,
    score_sentence,
)
from remem.core.readings import WorthReading

# How many statements of known speakers are stored, and how many of texts without a speaker.
STATEMENTS_LIMIT, WITHOUT_SPEAKER_LIMIT = 60, 10
CHARS_LIMIT = 60_000
# The score of an item with a check box.
_CHECKBOX_WORTH = Worth(5.0, 0.0)
# A statement that refers to the words before it is stored with them, and loses at most this many
# points for being unclear.
_MAX_UNCLEAR_POINTS, _BEFORE_CHARS, _GREETING_CHARS = 1.0, 240, 25
# The probabilities that a line is worth keeping from which on it is kept: by itself, and if it
# changes something that is known ("dentist is off").
WORTH_KEEPING, WORTH_AS_CHANGE = 0.5, 0.02
MAX_CONFIDENCE = 0.95
_CATEGORY_OF_READING: dict[str, Category] = {
    "fact": "fact",
    "preference": "preference",
    "decision": "decision",
    "task": "task",
    "event": "episode",
    "relation": "fact",
    "procedure": "procedure",
}
# The points that give the highest confidence.
_CERTAIN_POINTS = 8.0
_PRONOUN_START = re.compile(r"(?:he|she|they|his|her|their)\b(?: [\w'’-]+){3}", re.I)
_NAMES_SOMEBODY = re.compile(
    r"\b(?:my|our) [\w-]+|(?<=[\w,] )[A-Z][a-z]+"
    r"|^(?!I\b|It\b|That\b|This\b|The\b)[A-Z][a-z]+['’]s\b"
)

# The statements by sentence, so that one that repeats is judged once.
_Judged: TypeAlias = dict[tuple[Hashable, ...], Statement | None]


WorthOfLines: TypeAlias = Mapping[Span, WorthReading]


def note_lines(passages: Sequence[Passage]) -> list[list[Span]]:
    """The lines of each passage that is a note, for the reader to say what they are worth."""
    return [
        [
            (quoted.start, quoted.end)
            for line in quoted_lines(passage.text)
            for quoted in _join_pronoun_sentences(passage.text, line)
            if quoted.is_statement
        ]
        if passage.is_note
        else []
        for passage in passages
    ]


def distil(
    passages: Sequence[Passage], worth: Sequence[WorthOfLines] | None = None
) -> list[Statement]:
    """The statements in the order of the text; if there are too many, the most confident ones.
    `worth` is what the reader says of the lines of each passage."""
    by_text: dict[tuple[str, str], Statement] = {}
    anonymous = {passage.speaker for passage in passages if not passage.is_known}
    chars_left, before = CHARS_LIMIT, ""
    judged: _Judged = {}
    for passage, known in zip(passages, worth or [{} for _ in passages], strict=True):
        for statement in _statements_in(passage, chars_left, before, judged, known):
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
    return any(
        True for passage in passages for _ in _statements_in(passage, CHARS_LIMIT, "", {}, {})
    )


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
    passage: Passage, limit: int, before: str, judged: _Judged, worth: WorthOfLines
) -> Iterator[Statement]:
    """The statements of a passage; `before` is what was said before it."""
    text = passage.text[:limit]
    quotes = quotations(text)
    for line in quoted_lines(text):
        previous: QuotedText | None = None
        pending: Statement | None = None
        for quoted in _join_pronoun_sentences(text, line):
            span = (quoted.start, quoted.end)
            statement = _statement_once(judged, passage, text, quoted, before, worth.get(span))
            if statement and is_of_other_speaker(text, span, quotes):
                statement = None
            joined = _join_once(judged, passage, text, previous, quoted) if statement else None
            if joined and previous:
                quoted = _joined(previous, quoted)
                statement = _with_highest_confidence(joined, statement, pending)
            elif pending:
                yield pending
            previous, pending = quoted, statement
            if len(plain := without_markup(text[quoted.start : quoted.end])) > _GREETING_CHARS:
                before = _with_speaker(passage, plain[-_BEFORE_CHARS:])
        if pending:
            yield pending


def _joined(first: QuotedText, second: QuotedText) -> QuotedText:
    return replace(first, end=second.end, is_statement=True)


def _statement_once(
    judged: _Judged,
    passage: Passage,
    text: str,
    quoted: QuotedText,
    before: str,
    reading: WorthReading | None,
) -> Statement | None:
    if not quoted.is_statement:
        return None
    key = (text[quoted.start : quoted.end], bool(quoted.label), before, reading, *_voice(passage))
    if key not in judged:
        judged[key] = _statement_at(passage, text, quoted, before, reading)
    return _at(passage, quoted, judged[key])


def _join_once(
    judged: _Judged, passage: Passage, text: str, previous: QuotedText | None, quoted: QuotedText
) -> Statement | None:
    if previous is None:
        return None
    both = _joined(previous, quoted)
    key = (text[both.start : both.end], previous.end - previous.start, *_voice(passage))
    if key not in judged:
        judged[key] = _join_with_previous(passage, text, previous, quoted)
    return _at(passage, both, judged[key])


def _voice(passage: Passage) -> tuple[Hashable, ...]:
    """What a sentence is judged by besides its words."""
    return passage.speaker, passage.said_at, passage.spoken, passage.is_note, passage.is_known


def _at(passage: Passage, quoted: QuotedText, statement: Statement | None) -> Statement | None:
    start, end = passage.start + quoted.start, passage.start + quoted.end
    return statement and replace(statement, start=start, end=end, heading=_heading(quoted))


def _heading(quoted: QuotedText) -> str:
    return SEPARATOR.join(filter(None, (quoted.heading, quoted.label)))


def _with_highest_confidence(joined: Statement, *parts: Statement | None) -> Statement:
    return replace(joined, confidence=max(part.confidence for part in parts if part))


def _join_with_previous(
    passage: Passage, text: str, previous: QuotedText, quoted: QuotedText
) -> Statement | None:
    """The statement of a sentence and the one before it, if the sentence depends on it ("It was a
    gift") and the one before names the topic; else None."""
    if quoted.end - previous.start > WEIGHTS.max_chars:
        return None
    if not depends_on_previous(
        quote_sentence(text[quoted.start : quoted.end])
    ) or not names_its_topic(quote_sentence(text[previous.start : previous.end])):
        return None
    both = _joined(previous, quoted)
    quote = quote_sentence(text[both.start : both.end])
    return _build_statement(
        passage, both, read_times(quote, passage.said_at), WEIGHTS.enough, has_checkbox=False
    )


def _join_pronoun_sentences(text: str, sentences: Sequence[QuotedText]) -> Iterator[QuotedText]:
    """The sentences; one about "she" is joined to the one before that names her."""
    previous: QuotedText | None = None
    for quoted in sentences:
        is_joinable = (
            previous
            and _PRONOUN_START.match(text, quoted.start)
            and quoted.end - previous.start <= WEIGHTS.max_chars
        )
        if is_joinable and previous and _NAMES_SOMEBODY.search(text, previous.start, previous.end):
            yield _joined(previous, quoted)
            previous = None
            continue
        if previous:
            yield previous
        previous = quoted
    if previous:
        yield previous


def _statement_at(
    passage: Passage, text: str, quoted: QuotedText, before: str, reading: WorthReading | None
) -> Statement | None:
    sentence = text[quoted.start : quoted.end]
    quote = quote_sentence(sentence) if len(sentence) <= WEIGHTS.max_chars else ""
    if not quote or (not passage.is_known and depends_on_speaker(quote)):
        return None
    has_checkbox = BOX.match(sentence) is not None
    worth = (
        _CHECKBOX_WORTH
        if has_checkbox
        else score_sentence(quote, noted=passage.is_note, spoken=passage.spoken)
    )
    required = WEIGHTS.enough if passage.is_known else WEIGHTS.enough_without_speaker
    if reading and not has_checkbox and not quoted.speaker and is_typed(quote):
        noted = _noted_statement(passage, quoted, quote, reading)
        is_kept = noted is not None and not noted.only_as_change
        # A short English sentence may be taken for one of another language.
        is_english = quote[:1].isupper() and find_verb(words(quote)) is not None
        if is_kept or not is_english or worth.points - worth.unclear < required:
            return noted
    uses_context = bool(before) and passage.is_known and worth.unclear > 0
    points = worth.points - (
        min(_MAX_UNCLEAR_POINTS, worth.unclear) if uses_context else worth.unclear
    )
    is_judged_by_content = passage.is_note and not quoted.speaker and is_typed(quote)
    if points < required and is_judged_by_content and has_content(quote):
        points = required
    # Reading dates is the most expensive step. It adds one point at most, so it is skipped for
    # sentences that would not reach the limit with it.
    if points < required - 1:
        return None
    times = read_times(quote, passage.said_at)
    points += bool(times.dates())
    if points < required:
        return None
    statement = _build_statement(passage, quoted, times, points, has_checkbox)
    return replace(statement, before=before) if uses_context else statement


def _noted_statement(
    passage: Passage, quoted: QuotedText, quote: str, reading: WorthReading
) -> Statement | None:
    """A line of a note that is no English sentence, as the reader judged it."""
    if reading.probability < WORTH_AS_CHANGE or has_final_objection(quote):
        return None
    times = read_times(quote, passage.said_at)
    statement = replace(
        _build_statement(passage, quoted, times, WEIGHTS.enough, has_checkbox=False),
        only_as_change=reading.probability < WORTH_KEEPING,
    )
    confidence = round(min(MAX_CONFIDENCE, reading.probability), 2)
    category = _CATEGORY_OF_READING[reading.category]
    return replace(statement, category=category, confidence=confidence)


def _build_statement(
    passage: Passage, quoted: QuotedText, times: TextTimes, points: float, has_checkbox: bool
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
        confidence=round(min(MAX_CONFIDENCE, 0.5 + 0.45 * points / _CERTAIN_POINTS), 2),
        start=passage.start + quoted.start,
        end=passage.start + quoted.end,
        speaker=passage.speaker,
        dates=times.dates(),
        said_at=passage.said_at,
        occurred_at=occurred_at(certain, passage.said_at) if is_past else None,
        due_at=due_at,
    )


def _is_over(text: str) -> bool:
    return looks_ahead(text) is False
