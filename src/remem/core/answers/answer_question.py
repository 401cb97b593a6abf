"""Answer a question in the words of stored texts, with citations."""

import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

import structlog

from remem.core.answers.ages import by_age
from remem.core.answers.asked_day import without_day
from remem.core.answers.clauses import clause_at
from remem.core.answers.compose import by_one, compose, likely_places
from remem.core.answers.current import find_replacement
from remem.core.answers.earlier import earlier_sources
from remem.core.answers.earlier_state import asks_for_earlier_state, without_before_words
from remem.core.answers.holders import by_holder
from remem.core.answers.listed_things import listed_in
from remem.core.answers.model import Answer, Place, Reading, Source
from remem.core.answers.other_speakers import relevance_for_other_speakers
from remem.core.answers.people import is_about_user, is_of_user_by_others, may_answer
from remem.core.answers.questions import (
    ago_as_when,
    asks_for_now,
    until_as_when,
    what_is_counted,
)
from remem.core.answers.relatives import by_mention
from remem.core.answers.sentences import SentenceSpan, sentence_at
from remem.core.answers.stored_times import by_stored_time
from remem.core.answers.who_says import by_speaker
from remem.core.documents.headings import explicit_title
from remem.core.documents.voice import own_speaker, speaker_of_turn
from remem.core.errors import ReaderBusy, Unavailable
from remem.core.language.claims.outline import outline_of
from remem.core.language.instructions import speaks_to_reader
from remem.core.language.person import is_file, is_user, may_be_of_self, mentions_user
from remem.core.language.prose.markup import blank_emphasis
from remem.core.memories.rules.another_subject import names_other_number
from remem.core.memories.rules.extra_details import has_extra_details
from remem.core.ports import Ports
from remem.core.readings import Span
from remem.core.scope import Scope
from remem.core.search.model import Candidate, Hit, Query
from remem.core.search.passage import passage
from remem.core.search.recall import recall
from remem.core.time import now

# Enough to contain the answer nine times in ten, and few enough for an acceptable wait.
READ_FIRST = 10
# What other speakers say ranks lower if the question names somebody else.
OTHERS_FIRST = 16

log = structlog.get_logger()


async def answer_question(ports: Ports, scope: Scope, query: Query) -> Answer:
    """The mode of the query is ignored: sources are searched with `best`. Without a reader the
    answer is unknown, and its sources are the search results. Raises ReaderBusy if the reader was
    too busy: to say that nothing answers would be wrong."""
    started = time.perf_counter()
    asked_at = query.asked_at or now()
    query = replace(query, text=until_as_when(query.text))
    counted = what_is_counted(query.text)
    text = counted.question if counted else query.text
    readings, sources = await read_sources(ports, scope, replace(query, text=text))
    own_readings = [reading for reading in readings if not _may_be_of_others(text, reading.source)]
    own_sources = [source for source in sources if not _may_be_of_others(text, source)]
    answer = await _answer(ports, scope, query, asked_at, own_readings, own_sources)
    if answer.text is None and len(own_sources) < len(sources):
        answer = await _answer(ports, scope, query, asked_at, readings, sources)
    sources += [citation.source for citation in answer.citations if citation.source not in sources]
    took_ms = (time.perf_counter() - started) * 1_000
    is_unread = bool(sources) and not readings
    return replace(answer, took_ms=took_ms, sources=tuple(sources), is_unread=is_unread)


async def _answer(
    ports: Ports,
    scope: Scope,
    query: Query,
    asked_at: datetime,
    readings: list[Reading],
    sources: list[Source],
) -> Answer:
    if what_is_counted(query.text):
        read_twice = await read_again(ports, query.text, readings)
        answer = compose(query.text, asked_at, read_twice, readings)
    else:
        if asks_for_earlier_state(query.text):
            readings = readings + await _read_earlier(ports, scope, query.text, readings)
        answer = await _with_newer(ports, compose(query.text, asked_at, readings), readings)
        answer = by_age(by_holder(by_mention(answer, sources), sources), sources, asked_at)
        answer = by_speaker(answer, sources)
    return by_stored_time(answer, sources, asked_at)


def _may_be_of_others(question: str, source: Source) -> bool:
    """Whether the question is about the user, and the text may be about somebody else."""
    return is_of_user_by_others(source.speaker, source.content) and is_about_user(question)


async def _read_earlier(
    ports: Ports, scope: Scope, question: str, readings: Sequence[Reading]
) -> list[Reading]:
    """Read the earlier versions of memories; they are as relevant as the current ones."""
    earlier = await earlier_sources(ports, scope, readings)
    texts = [source.content for _, source in earlier]
    spans = await _read(ports, without_before_words(question), texts) if texts else []
    return [
        replace(
            reading, source=source, places=_places(question, source, source.content, number, spans)
        )
        for number, (reading, source) in enumerate(earlier)
    ]


async def _with_newer(ports: Ports, answer: Answer, readings: Sequence[Reading]) -> Answer:
    """Replace the answer if a later statement supersedes the sentence it is based on."""
    may_change = answer.kind in ("one", "when") and asks_for_now(answer.question)
    if answer.text is None or not may_change:
        return answer
    cited = answer.citations[0]
    sources = [reading.source for reading in readings]
    number = sources.index(cited.source)
    sentence = sentence_at(cited.source.content, cited.start, cited.end)
    later = await find_replacement(ports, answer.question, sources, number, sentence)
    if later is None or answer.text in sources[later.source].content:
        return answer
    if _keeps_answer(cited.source.content[slice(*sentence)], readings[later.source], later.span):
        return answer
    return by_one(answer, readings[later.source], later.span)


def _keeps_answer(sentence: str, later: Reading, span: SentenceSpan) -> bool:
    """Whether the later sentence changes another part of the statement and does not answer."""
    text = later.source.content[slice(*span)]
    return has_extra_details(
        outline_of(sentence), outline_of(text), sentence
    ) and not likely_places(later, span)


async def read_sources(
    ports: Ports, scope: Scope, query: Query, limit: int = READ_FIRST
) -> tuple[list[Reading], list[Source]]:
    """The first search results, and what the reader finds in each; without a reader, no
    readings."""
    max_sources = max(limit, OTHERS_FIRST)
    wide = replace(query, mode="best", limit=max_sources, for_reading=True)
    recalled = await recall(ports, scope, wide)
    hits = [hit for document in recalled.results for hit in document.hits]
    hits = [hit for hit in hits if _may_answer(query.text, _to_source(hit))]
    ranked = sorted(hits, key=lambda hit: -hit.score)[:max_sources]
    sources = [_to_source(hit) for hit in ranked]
    question = ago_as_when(without_day(query.text, query.asked_at or now()))
    readings = await _read_hits(ports, question, ranked[:limit], sources[:limit])
    if readings:
        other_relevance = await relevance_for_other_speakers(
            ports, query.text, sources[:OTHERS_FIRST]
        )
        readings = [replace(reading, other_relevance=other_relevance) for reading in readings]
    return readings, sources[:limit]


def _may_answer(question: str, source: Source) -> bool:
    return may_answer(question, source) and not names_other_number(source.content, question)


async def read_again(ports: Ports, question: str, readings: Sequence[Reading]) -> list[Reading]:
    """Read the same texts for another question."""
    sources = [reading.source for reading in readings]
    places = await _find_places(ports, question, sources)
    return [
        replace(reading, places=places[number] if places else [])
        for number, reading in enumerate(readings)
    ]


def _to_source(hit: Hit) -> Source:
    """The text of a chunk, or of a memory that was found without its chunk. What a chunk repeats of
    another section is not below its headings."""
    memory, chunk = hit.memory, hit.chunk
    if chunk is not None and not hit.lone:
        return Source(
            chunk.content[chunk.repeated :],
            "chunk",
            chunk.chunk_id,
            chunk.document_id,
            chunk.start_offset + chunk.repeated,
            _speaker(chunk),
            chunk.said_at or chunk.created_at,
            tuple(chunk.heading_path),
            _title(chunk),
        )
    assert memory is not None
    said_at = memory.said_at or memory.stated_at
    place = (memory.document_id, 0, memory.speaker, said_at)
    return Source(
        memory.content,
        "memory",
        memory.id,
        *place,
        title=memory.heading,
        occurred_at=memory.occurred_at,
        due_at=memory.due_at,
    )


def _title(chunk: Candidate) -> str:
    """Empty for a turn of a conversation, whose topics vary."""
    if chunk.speaker:
        return ""
    return explicit_title(chunk.title, chunk.content if chunk.chunk_index == 0 else "")


def _speaker(chunk: Candidate) -> str | None:
    """Who "I" is in the text: None for the user."""
    owner = own_speaker(
        chunk.content_type, chunk.source_url, chunk.metadata, chunk.title, chunk.file_name
    )
    if chunk.speaker:
        place = (chunk.content_type, chunk.metadata, chunk.file_name is not None)
        speaker = speaker_of_turn(chunk.speaker, owner, *place)
        if speaker is None:
            return chunk.speaker if is_user(chunk.speaker) else None
        if speaker != owner:
            return speaker
    # A file is named only if it matters whose it is.
    return None if is_file(owner) and not _matters_whose(chunk.content) else owner


def _matters_whose(text: str) -> bool:
    return may_be_of_self(text) or mentions_user(text) or speaks_to_reader(text)


async def _read_hits(
    ports: Ports, question: str, hits: Sequence[Hit], sources: Sequence[Source]
) -> list[Reading]:
    if ports.reader is None or not sources:
        return []
    places = await _find_places(ports, question, sources)
    return [
        Reading(source, rank, hit.parts.relevance or 0.0, found)
        for rank, (hit, source, found) in enumerate(zip(hits, sources, places, strict=False))
    ]


async def _find_places(ports: Ports, question: str, sources: Sequence[Source]) -> list[list[Place]]:
    """The places in each source; empty without a reader. A sentence that lists several things is
    read again with the asked one alone."""
    texts = [passage(source.content, question) for source in sources]
    spans = await _read(ports, question, texts)
    if not spans:
        return []
    places = [
        _places(question, source, text, number, spans)
        for number, (source, text) in enumerate(zip(sources, texts, strict=True))
    ]
    lists = {
        number: listed
        for number, source in enumerate(sources)
        if (listed := listed_in(question, source.content))
    }
    alone = [listed.alone(sources[number].content) for number, listed in lists.items()]
    spans = await _read(ports, question, alone) if alone else []
    for index, (number, listed) in enumerate(lists.items()):
        found = [listed.place_of(place) for place in _places_of(index, spans)]
        kept = [listed.keep(place) for place in (*found, *places[number])]
        places[number] = [place for place in kept if place]
    return places


async def _read(ports: Ports, question: str, texts: Sequence[str]) -> list[Span]:
    if ports.reader is None:
        return []
    try:
        return await ports.reader.read(question, [blank_emphasis(text) for text in texts])
    except ReaderBusy:
        raise
    except Unavailable as error:
        log.warning("reader_unused", error=str(error))
        return []


def _places(
    question: str, source: Source, text: str, number: int, spans: Sequence[Span]
) -> list[Place]:
    """Places with offsets in the full source, of which a passage was read; not those in a sentence
    about another of the things that the question numbers."""
    shift = source.content.find(text)
    places = (
        place._replace(start=place.start + shift, end=place.end + shift)
        for place in _places_of(number, spans)
    )
    return [place for place in places if not _is_of_other_number(question, source.content, place)]


def _places_of(number: int, spans: Sequence[Span]) -> list[Place]:
    return [
        Place(span.start, span.end, span.confidence, span.strength)
        for span in spans
        if span.text == number
    ]


def _is_of_other_number(question: str, text: str, place: Place) -> bool:
    """Also within a sentence: "Lane 2 closes at 9, but lane 3 stays open"."""
    sentence = sentence_at(text, place.start, place.end)
    clause = clause_at(text, sentence, place.start)
    spans = [sentence, clause.span] if clause else [sentence]
    return any(names_other_number(text[slice(*span)], question) for span in spans)
