"""Gather the things that several texts name, and count them; pure."""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime

from remem.core.answers import items
from remem.core.answers.asked_names import names_asked
from remem.core.answers.fitting import fits, is_reckoned, telling_stems, whole_place
from remem.core.answers.model import Answer, Citation, Place
from remem.core.answers.questions import Counted, what_is_counted
from remem.core.answers.scoring import Scored, certainty, odds_of, probability
from remem.core.answers.sentences import SentenceSpan
from remem.core.answers.stated import cover_of, is_stated, sentence_of
from remem.core.answers.yes_no import decide
from remem.core.answers.yes_no_question import read_question
from remem.core.language.numbers import count_in
from remem.core.language.times.statements import times_in
from remem.core.language.times.wording import moment_at, on_day, written
from remem.core.language.tokens import STOP_WORDS
from remem.core.language.words import stem, words

# Those are named that are not much less sure than the first, or sure by themselves: the first
# place of a text, a further one in it, and one whose sentence has no word of the question.
MOST, BEHIND = 12, 4.0
SURE_ODDS, SURE_RELEVANCE, FURTHER_ODDS, STRANGE_SCORE = -6.0, -2.0, 5.0, 10.0
# How sure a count must be.
LEAST = 0.0
# Below these odds a number is not taken for one that was stated.
NUMBER_ODDS = -2.0
# Below these odds no place is looked at.
LIKELY_ODDS = -6.0
_NUMBER = re.compile(r"\b(?:\d{1,3}(?:,\d{3}){0,3}|[a-z]+(?:-[a-z]+)?)\b", re.IGNORECASE | re.ASCII)
# "7 vacation days": as far behind a number stands what it counts.
COUNTED_WORDS, COUNTED_CHARS = 3, 60
_HELPS = re.compile(r"\b(?:does|do|did|has|had)\b", re.IGNORECASE)
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


def gather(question: str, asked_at: datetime, scored: Sequence[Scored]) -> list[Citation]:
    """A citation for each thing and each text that names it; the same thing has the same value."""
    found: list[tuple[frozenset[str], str]] = []
    citations = []
    for one, span in _things(question, _accepted(question, asked_at, scored)):
        text = one.reading.source.content[span.start : span.end]
        key = items.key_of(text)
        same = next((value for other, value in found if items.is_same(key, other)), None)
        if same is None and len(found) == MOST:
            continue
        if same is None:
            found.append((key, text))
        citations.append(
            Citation(
                one.reading.source, span.start, span.end, text, same or text, probability(one.score)
            )
        )
    return citations


def _things(question: str, accepted: Iterable[Scored]) -> Iterator[tuple[Scored, SentenceSpan]]:
    people = [items.key_of(name) for name in names_asked(question)]
    are_owned = _asks_of_owner(question) and _PEERS.search(question) is None
    for one in accepted:
        content = one.reading.source.content
        place = whole_place(content, one.place.start, one.place.end)
        whole = items.with_others(content, *items.whole_name(content, *place))
        spans = list(items.split(content, *whole, question))
        others = [
            span for span in spans if items.key_of(content[span.start : span.end]) not in people
        ]
        # A list with Jonas in it is none of what Jonas has.
        if not are_owned or others == spans:
            yield from ((one, span) for span in others)


def _asks_of_owner(question: str) -> bool:
    """ "How many tents does Jonas have?", "Which are Jonas's tents?" """
    helps = _HELPS.search(question)
    owns = helps is not None and _OWNS.search(question, helps.end()) is not None
    return owns or _OWNER.search(question) is not None


def _accepted(question: str, asked_at: datetime, scored: Sequence[Scored]) -> Iterator[Scored]:
    taken: dict[object, list[SentenceSpan]] = {}
    asked = telling_stems(question)
    for one in scored:
        source = one.reading.source
        before = taken.setdefault(source.id, [])
        near = one.score >= scored[0].score - BEHIND
        sure = _is_sure(one, asked, further=bool(before))
        explains = any(_stands_beside(source.content, one.place, span) for span in before)
        if (near or sure) and not explains and is_stated(question, asked_at, one):
            before.append(SentenceSpan(one.place.start, one.place.end))
            yield one


def _stands_beside(text: str, place: Place, span: SentenceSpan) -> bool:
    """Whether it only explains what stands before it: "Ida and Otto, Clara's children"."""
    between = text[span.end : place.start] if span.end <= place.start else None
    return between in (", ", " called ", " named ", ", called ", ", named ")


def _is_sure(one: Scored, asked: frozenset[str], *, further: bool) -> bool:
    odds, relevance = odds_of(one.place), one.reading.relevance
    if one.by_another or relevance < SURE_RELEVANCE:
        return False
    sentence = sentence_of(one)
    said = telling_stems(one.reading.source.content[sentence.start : sentence.end])
    if not asked & said and odds + relevance < STRANGE_SCORE:
        return False
    return odds >= (FURTHER_ODDS if further else SURE_ODDS)


def count(
    question: str, asked_at: datetime, scored: Sequence[Scored], listed: Sequence[Scored]
) -> Answer:
    """By a number that was stated, or by counting the things that were."""
    counted = what_is_counted(question)
    if counted is None or not (scored or listed):
        return Answer(question, "count", None, 0.0)
    if stated := _stated_number(question, counted, scored):
        number, one = stated
        return _answer(question, str(number), [one], [_plain(one)])
    if not listed or is_reckoned(question):
        return Answer(question, "count", None, 0.0)
    if counted.are_times:
        citations = _times(_happened(counted, asked_at, listed))
        total = len(citations)
    else:
        citations = gather(counted.question, asked_at, listed)
        total = sum(map(items.how_many, dict.fromkeys(one.value for one in citations)))
    if not total:
        return Answer(question, "count", None, 0.0)
    return _answer(question, str(total), listed, citations, is_counted=True)


def _happened(counted: Counted, asked_at: datetime, listed: Sequence[Scored]) -> list[Scored]:
    """The times that the reader is sure of, and those that a sentence says outright."""
    found = list(_accepted(counted.question, asked_at, listed))
    asked = read_question(counted.happened, asked_at)
    for one in listed:
        likely = odds_of(one.place) >= LIKELY_ODDS and not one.by_another
        if asked and likely and one not in found:
            decision = decide(asked, [one.reading.source])
            found += [one] if decision and decision.verdict == "yes" else []
    return found


def _answer(
    question: str,
    text: str,
    scored: Sequence[Scored],
    citations: Sequence[Citation],
    *,
    is_counted: bool = False,
) -> Answer:
    sure = certainty(scored, cover=cover_of(question, scored[0]), named=False)
    known = text if sure >= LEAST else None
    return Answer(
        question, "count", known, probability(sure), tuple(citations), is_counted=is_counted
    )


def _stated_number(
    question: str, counted: Counted, scored: Sequence[Scored]
) -> tuple[int, Scored] | None:
    """The first number that stands before what is counted, or alone where it is read."""
    for one in scored:
        if odds_of(one.place) < NUMBER_ODDS or one.by_another:
            break
        sentence = sentence_of(one)
        said = one.reading.source.content[sentence.start : sentence.end]
        number = _number_at(counted, one) if fits(question, "0", said) else None
        if number is not None:
            return number, one
    return None


def _number_at(counted: Counted, one: Scored) -> int | None:
    content, noun = one.reading.source.content, stem(counted.noun.lower())
    for found in _NUMBER.finditer(content, max(0, one.place.start - 20), one.place.end + 20):
        number = count_in(found[0])
        if number is not None and _counts(content[found.end() :][:COUNTED_CHARS], noun):
            return number
    text = one.text.strip(" .,;:!?")
    following = words(content[one.place.end : one.place.end + 40])[:1]
    goes_on = bool(following) and following[0].low.isalpha()
    stands_alone = _BARE_NUMBER.match(text) and not goes_on and not _is_measured(content, one.place)
    return count_in(text) if stands_alone or "times" in text.split() else None


def _counts(behind: str, noun: str) -> bool:
    """Whether a number before it counts that noun, and not something else that comes first."""
    for word in words(behind)[:COUNTED_WORDS]:
        if word.stem == noun:
            return True
        if word.breaks or word.low in STOP_WORDS or word.low.endswith("s"):
            return False
    return False


def _is_measured(content: str, place: Place) -> bool:
    """ "1 hour 52": the end of what is measured counts nothing."""
    before = words(content[max(0, place.start - 40) : place.start])[-2:]
    return len(before) == 2 and count_in(before[0].low) is not None


def _plain(one: Scored) -> Citation:
    start, end = one.place.start, one.place.end
    return Citation(one.reading.source, start, end, one.text, one.text, probability(one.score))


def _times(accepted: Sequence[Scored]) -> list[Citation]:
    """Each time that something was: by its date where it has one, else by the day of saying."""
    found: dict[object, list[Citation]] = {}
    for one in accepted:
        if one.reading.source.id not in found:
            found[one.reading.source.id] = _times_in(one)
    return [cited for each in found.values() for cited in each]


def _times_in(one: Scored) -> list[Citation]:
    source, sentence = one.reading.source, sentence_of(one)
    content, said_at = source.content, source.said_at
    times = times_in(content, said_at) if said_at else []
    inside = [time for time in times if sentence.start <= time.start < sentence.end]
    if said_at and len(inside) > 1 and _AGAIN.search(content, sentence.start, sentence.end):
        return [_dated(one, time.start, time.end, written(time, said_at)) for time in inside]
    start, end = one.place.start, one.place.end
    if moment := moment_at(content, start, end, said_at):
        return [_dated(one, moment.start, moment.end, moment.text)]
    happened_at = source.happened_at
    return [_dated(one, start, end, on_day(happened_at) if happened_at else one.text)]


def _dated(one: Scored, start: int, end: int, value: str) -> Citation:
    source = one.reading.source
    text = source.content[start:end]
    return Citation(source, start, end, text, value, probability(one.score))
