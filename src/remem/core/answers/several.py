"""Collect the things that several texts name, and count them; pure."""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime

from remem.core.answers import items
from remem.core.answers.fitting import asks_for_total, complete_place, fits, significant_stems
from remem.core.answers.model import Answer, Citation, Place
from remem.core.answers.question_names import names_in_question
from remem.core.answers.questions import CountQuestion, what_is_counted
from remem.core.answers.scoring import MIN_LOG_ODDS, ScoredPlace, certainty, odds_of, probability
from remem.core.answers.sentences import SentenceSpan
from remem.core.answers.stated import is_stated, question_coverage, sentence_of
from remem.core.answers.yes_no import decide
from remem.core.answers.yes_no_question import read_question
from remem.core.language.numbers import count_in
from remem.core.language.times.statements import times_in
from remem.core.language.times.wording import moment_at, on_day, write_time
from remem.core.language.tokens import STOP_WORDS
from remem.core.language.words import stem, words

# At most `MAX_ITEMS` places are included. Their score is at most `MAX_SCORE_GAP` below the first,
# or they are certain enough alone: by other thresholds for the first place of a text, a further one
# in it, and one whose sentence has no word of the question.
MAX_ITEMS, MAX_SCORE_GAP = 12, 4.0
SURE_ODDS, SURE_RELEVANCE, FURTHER_ODDS, MIN_UNRELATED_SCORE = -6.0, -2.0, 5.0, 10.0
# The minimum log odds of a stated number.
NUMBER_ODDS = -2.0
# The minimum log odds of a place.
LIKELY_ODDS = -6.0
_NUMBER = re.compile(r"\b(?:\d{1,3}(?:,\d{3}){0,3}|[a-z]+(?:-[a-z]+)?)\b", re.IGNORECASE | re.ASCII)
# "7 vacation days": how far after a number the counted noun may be.
COUNTED_WORDS, COUNTED_CHARS = 3, 60
_AUXILIARY = re.compile(r"\b(?:does|do|did|has|had)\b", re.IGNORECASE)
_OWNS = re.compile(r"\b(?:have|own|got)\b", re.IGNORECASE)
_OWNER = re.compile(r"['’]s\b", re.IGNORECASE)
_PEERS = re.compile(
    r"\b(?:siblings?|brothers?|sisters?|twins?|cousins?|friends?|colleagues?|coworkers?|partners?"
    r"|(?:team|class|room|flat|house)mates?|neighbou?rs?)\b",
    re.IGNORECASE,
)
_AGAIN = re.compile(r"\b(?:and (?:again|on|in|last|then)|again|both)\b", re.IGNORECASE)
_BARE_NUMBER = re.compile(
    r"^(?:about |around |over |almost |only |just )?[\w-]+(?: times)?$", re.IGNORECASE | re.ASCII
)


def gather(question: str, asked_at: datetime, scored: Sequence[ScoredPlace]) -> list[Citation]:
    """A citation for each thing in each text that names it; the same thing has the same value."""
    known: list[tuple[frozenset[str], str]] = []
    citations = []
    for candidate, span in _things(question, _accepted(question, asked_at, scored)):
        text = candidate.reading.source.content[span.start : span.end]
        key = items.key_of(text)
        same = next((value for other, value in known if items.is_same(key, other)), None)
        if same is None and len(known) == MAX_ITEMS:
            continue
        if same is None:
            known.append((key, text))
        citations.append(
            Citation(
                candidate.reading.source,
                span.start,
                span.end,
                text,
                same or text,
                probability(candidate.score),
            )
        )
    return citations


def _things(
    question: str, accepted: Iterable[ScoredPlace]
) -> Iterator[tuple[ScoredPlace, SentenceSpan]]:
    people = [items.key_of(name) for name in names_in_question(question)]
    are_owned = _asks_of_owner(question) and _PEERS.search(question) is None
    for candidate in accepted:
        content = candidate.reading.source.content
        place = complete_place(content, candidate.place.start, candidate.place.end)
        span_with_adjacent = items.include_adjacent(content, *items.whole_name(content, *place))
        spans = list(items.split_items(content, *span_with_adjacent, question))
        others = [
            span for span in spans if items.key_of(content[span.start : span.end]) not in people
        ]
        # A list that includes Jonas is not about what Jonas has.
        if not are_owned or others == spans:
            yield from ((candidate, span) for span in others)


def _asks_of_owner(question: str) -> bool:
    """ "How many tents does Jonas have?", "Which are Jonas's tents?" """
    helps = _AUXILIARY.search(question)
    owns = helps is not None and _OWNS.search(question, helps.end()) is not None
    return owns or _OWNER.search(question) is not None


def _accepted(
    question: str, asked_at: datetime, scored: Sequence[ScoredPlace]
) -> Iterator[ScoredPlace]:
    accepted: dict[object, list[SentenceSpan]] = {}
    question_stems = significant_stems(question)
    for candidate in scored:
        source = candidate.reading.source
        spans = accepted.setdefault(source.id, [])
        is_near = candidate.score >= scored[0].score - MAX_SCORE_GAP
        is_sure = _is_sure(candidate, question_stems, further=bool(spans))
        is_apposition = any(_is_apposition(source.content, candidate.place, span) for span in spans)
        if (is_near or is_sure) and not is_apposition and is_stated(question, asked_at, candidate):
            spans.append(SentenceSpan(candidate.place.start, candidate.place.end))
            yield candidate


def _is_apposition(text: str, place: Place, span: SentenceSpan) -> bool:
    """Whether it only explains what precedes it: "Ida and Otto, Clara's children"."""
    between = text[span.end : place.start] if span.end <= place.start else None
    return between in (", ", " called ", " named ", ", called ", ", named ")


def _is_sure(candidate: ScoredPlace, question_stems: frozenset[str], *, further: bool) -> bool:
    odds, relevance = odds_of(candidate.place), candidate.reading.relevance
    if candidate.said_by_other or relevance < SURE_RELEVANCE:
        return False
    sentence = sentence_of(candidate)
    sentence_stems = significant_stems(
        candidate.reading.source.content[sentence.start : sentence.end]
    )
    if not question_stems & sentence_stems and odds + relevance < MIN_UNRELATED_SCORE:
        return False
    return odds >= (FURTHER_ODDS if further else SURE_ODDS)


def count(
    question: str, asked_at: datetime, scored: Sequence[ScoredPlace], listed: Sequence[ScoredPlace]
) -> Answer:
    """Answer with a stated number, or by counting the things that are stated."""
    counted = what_is_counted(question)
    if counted is None or not (scored or listed):
        return Answer(question, "count", None, 0.0)
    if stated := _stated_number(question, counted, scored):
        number, candidate = stated
        return _count_answer(question, str(number), [candidate], [_cite_place(candidate)])
    if not listed or asks_for_total(question):
        return Answer(question, "count", None, 0.0)
    if counted.are_times:
        citations = _cite_times(_occurrences(counted, asked_at, listed))
        total = len(citations)
    else:
        citations = gather(counted.question, asked_at, listed)
        total = sum(map(items.quantity_of, dict.fromkeys(citation.value for citation in citations)))
    if not total:
        return Answer(question, "count", None, 0.0)
    return _count_answer(question, str(total), listed, citations, is_counted=True)


def _occurrences(
    counted: CountQuestion, asked_at: datetime, listed: Sequence[ScoredPlace]
) -> list[ScoredPlace]:
    """The times that the reader is sure of, and those that a sentence states explicitly."""
    accepted = list(_accepted(counted.question, asked_at, listed))
    parsed = read_question(counted.happened, asked_at)
    for candidate in listed:
        is_likely = odds_of(candidate.place) >= LIKELY_ODDS and not candidate.said_by_other
        if parsed and is_likely and candidate not in accepted:
            decision = decide(parsed, [candidate.reading.source])
            accepted += [candidate] if decision and decision.verdict == "yes" else []
    return accepted


def _count_answer(
    question: str,
    text: str,
    scored: Sequence[ScoredPlace],
    citations: Sequence[Citation],
    *,
    is_counted: bool = False,
) -> Answer:
    log_odds = certainty(scored, cover=question_coverage(question, scored[0]), named=False)
    known = text if log_odds >= MIN_LOG_ODDS else None
    return Answer(
        question, "count", known, probability(log_odds), tuple(citations), is_counted=is_counted
    )


def _stated_number(
    question: str, counted: CountQuestion, scored: Sequence[ScoredPlace]
) -> tuple[int, ScoredPlace] | None:
    """The first number that precedes the counted noun, or is alone in the place."""
    for candidate in scored:
        if odds_of(candidate.place) < NUMBER_ODDS or candidate.said_by_other:
            break
        sentence = sentence_of(candidate)
        sentence_text = candidate.reading.source.content[sentence.start : sentence.end]
        number = _number_at(counted, candidate) if fits(question, "0", sentence_text) else None
        if number is not None:
            return number, candidate
    return None


def _number_at(counted: CountQuestion, candidate: ScoredPlace) -> int | None:
    content, noun = candidate.reading.source.content, stem(counted.noun.lower())
    for match in _NUMBER.finditer(
        content, max(0, candidate.place.start - 20), candidate.place.end + 20
    ):
        number = count_in(match[0])
        if number is not None and _is_followed_by(content[match.end() :][:COUNTED_CHARS], noun):
            return number
    text = candidate.text.strip(" .,;:!?")
    following = words(content[candidate.place.end : candidate.place.end + 40])[:1]
    continues = bool(following) and following[0].low.isalpha()
    is_alone = (
        _BARE_NUMBER.match(text) and not continues and not _is_measured(content, candidate.place)
    )
    return count_in(text) if is_alone or "times" in text.split() else None


def _is_followed_by(text: str, noun: str) -> bool:
    """Whether a number before this text counts the noun, not something else that comes first."""
    for word in words(text)[:COUNTED_WORDS]:
        if word.stem == noun:
            return True
        if word.breaks or word.low in STOP_WORDS or word.low.endswith("s"):
            return False
    return False


def _is_measured(content: str, place: Place) -> bool:
    """ "1 hour 52": the second number of a measure counts nothing."""
    before = words(content[max(0, place.start - 40) : place.start])[-2:]
    return len(before) == 2 and count_in(before[0].low) is not None


def _cite_place(candidate: ScoredPlace) -> Citation:
    start, end = candidate.place.start, candidate.place.end
    return Citation(
        candidate.reading.source,
        start,
        end,
        candidate.text,
        candidate.text,
        probability(candidate.score),
    )


def _cite_times(accepted: Sequence[ScoredPlace]) -> list[Citation]:
    """Cite each time that something happened: its date if it has one, otherwise the day it was
    said."""
    by_source: dict[object, list[Citation]] = {}
    for candidate in accepted:
        if candidate.reading.source.id not in by_source:
            by_source[candidate.reading.source.id] = _times_in(candidate)
    return [citation for citations in by_source.values() for citation in citations]


def _times_in(candidate: ScoredPlace) -> list[Citation]:
    source, sentence = candidate.reading.source, sentence_of(candidate)
    content, said_at = source.content, source.said_at
    times = times_in(content, said_at) if said_at else []
    times_in_sentence = [time for time in times if sentence.start <= time.start < sentence.end]
    if (
        said_at
        and len(times_in_sentence) > 1
        and _AGAIN.search(content, sentence.start, sentence.end)
    ):
        return [
            _cite_time(candidate, time.start, time.end, write_time(time, said_at))
            for time in times_in_sentence
        ]
    start, end = candidate.place.start, candidate.place.end
    if moment := moment_at(content, start, end, said_at):
        return [_cite_time(candidate, moment.start, moment.end, moment.text)]
    happened_at = source.happened_at
    return [
        _cite_time(candidate, start, end, on_day(happened_at) if happened_at else candidate.text)
    ]


def _cite_time(candidate: ScoredPlace, start: int, end: int, value: str) -> Citation:
    source = candidate.reading.source
    text = source.content[start:end]
    return Citation(source, start, end, text, value, probability(candidate.score))
