"""The readings of each question, cached in a file: answers can then be composed repeatedly without
reading, and a stopped run continues where it ended."""

import asyncio
import json
import math
import random
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID

from quality import save_talk

from remem.adapters.reader.local import LocalReader
from remem.bootstrap import open_ports
from remem.core.answers.answer_question import read_again, read_sources
from remem.core.answers.model import Place, Reading, Source
from remem.core.answers.questions import what_is_counted
from remem.core.identity.authenticate import authenticate_key
from remem.core.ports import Ports
from remem.core.readings import NoteReading, Span, Verdict
from remem.core.scope import Scope
from remem.core.search.model import Query
from remem.owner import ensure_owner_key
from remem.settings import Settings, load
from sets.embeddings import CachedEmbedder
from sets.model import Question, Talk

# Twice as many texts as the product reads for an answer, to see what more would give.
MAX_TEXTS = 20
SEED = 14


class OnceReader:
    """The reader with a cache: each text is read once per question."""

    def __init__(self, reader: LocalReader) -> None:
        self._reader = reader
        self._read: dict[tuple[str, str], list[Span]] = {}

    async def rank(self, query: str, texts: Sequence[str]) -> list[float]:
        return await self._reader.rank(query, texts)

    async def read(self, question: str, texts: Sequence[str]) -> list[Span]:
        new = [text for text in dict.fromkeys(texts) if (question, text) not in self._read]
        spans_read = await self._reader.read(question, new) if new else []
        for number, text in enumerate(new):
            self._read[question, text] = [span for span in spans_read if span.text == number]
        spans = [
            span._replace(text=number)
            for number, text in enumerate(texts)
            for span in self._read[question, text]
        ]
        return sorted(spans, key=lambda span: -span.confidence)

    async def judge(self, olds: Sequence[str], new: str) -> list[Verdict]:
        return await self._reader.judge(olds, new)

    async def note(self, text: str, lines: Sequence[tuple[int, int]]) -> NoteReading:
        return await self._reader.note(text, lines)

    @asynccontextmanager
    async def in_turn(self) -> AsyncIterator["OnceReader"]:
        yield self

    async def close(self) -> None:
        await self._reader.close()


@dataclass(frozen=True, slots=True)
class ReadQuestion:
    """A question with its readings. For a counting question, `read_twice` has the readings for the
    number, and `readings` those for the counted things."""

    talk: str
    question: Question
    took_ms: float
    readings: list[Reading]
    read_twice: list[Reading]


def read_all(
    folder: Path, name: str, talks: Sequence[Talk], minutes: float | None = None
) -> list[ReadQuestion]:
    """The readings for every question of a set, or for as many as there is time for."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{name}.jsonl"
    questions = {
        (talk.id, question.text): question for talk in talks for question in talk.questions
    }
    missing = questions.keys() - {(item.talk, item.question.text) for item in _cached(file)}
    if missing and minutes != 0:
        until = time.monotonic() + 60 * minutes if minutes else math.inf
        # Seeded random order, so that the questions read in time are a random sample.
        pending = random.Random(SEED).sample(
            [item for item in questions if item in missing], len(missing)
        )
        asyncio.run(_read(folder, name, talks, pending, until))
    return [item for item in _cached(file) if (item.talk, item.question.text) in questions]


async def _read(
    folder: Path, name: str, talks: Sequence[Talk], missing: Sequence[tuple[str, str]], until: float
) -> None:
    settings = load(data_dir=folder / f"{name}-store")
    questions = {
        (talk.id, question.text): (f"{name}-{number}", question)
        for number, talk in enumerate(talks)
        for question in talk.questions
    }
    async with open_ports(settings) as opened:
        ports = replace(
            opened,
            reader=OnceReader(LocalReader(deadline_s=600)),
            embedder=CachedEmbedder(opened.embedder),
        )
        scope = await authenticate_key(ports, await _key(ports, settings, folder / f"{name}.key"))
        await _save(ports, scope, folder / f"{name}.saved", name, talks, until)
        for talk, text in missing:
            if time.monotonic() > until:
                break
            project, question = questions[talk, text]
            _append(
                folder / f"{name}.jsonl",
                json.dumps(await _ask(ports, scope, project, talk, question)),
            )


async def _key(ports: Ports, settings: Settings, file: Path) -> str:
    key = await ensure_owner_key(ports, settings)
    if key:
        _append(file, key)
    return _lines(file)[0]


async def _save(
    ports: Ports, scope: Scope, file: Path, name: str, talks: Sequence[Talk], until: float
) -> None:
    """Save each session once, over all runs."""
    saved = set(_lines(file))
    for number, talk in enumerate(talks):
        for session in talk.sessions:
            if f"{number} {session.id}" in saved:
                continue
            if time.monotonic() > until:
                raise SystemExit("Not all sessions are saved yet: run it again.")
            await save_talk(ports, scope, name, number, replace(talk, sessions=[session]))
            _append(file, f"{number} {session.id}")


async def _ask(
    ports: Ports, scope: Scope, project: str, talk: str, question: Question
) -> dict[str, Any]:
    started = time.perf_counter()
    counted = what_is_counted(question.text)
    text = counted.question if counted else question.text
    query = Query(text, project, asked_at=question.asked_at)
    readings, _ = await read_sources(ports, scope, query, MAX_TEXTS)
    read_twice = await read_again(ports, question.text, readings) if counted else []
    took_ms = (time.perf_counter() - started) * 1_000
    return _as_json(ReadQuestion(talk, question, took_ms, readings, read_twice))


def _append(file: Path, line: str) -> None:
    with file.open("a") as lines:
        lines.write(f"{line}\n")


def _lines(file: Path) -> list[str]:
    return file.read_text().splitlines() if file.exists() else []


def _as_json(item: ReadQuestion) -> dict[str, Any]:
    question = asdict(item.question) | {
        "gold": sorted(item.question.gold),
        "asked_at": item.question.asked_at.isoformat(),
    }
    return {
        "talk": item.talk,
        "question": question,
        "ms": item.took_ms,
        "readings": [_reading_as_json(reading) for reading in item.readings],
        "read_twice": [_reading_as_json(reading) for reading in item.read_twice],
    }


def _reading_as_json(reading: Reading) -> dict[str, Any]:
    return {
        "content": reading.source.content,
        "kind": reading.source.kind,
        "id": str(reading.source.id),
        "document_id": str(reading.source.document_id),
        "speaker": reading.source.speaker,
        "said_at": reading.source.said_at and reading.source.said_at.isoformat(),
        "rank": reading.rank,
        "relevance": reading.relevance,
        "of_another": reading.other_relevance,
        "places": [list(place) for place in reading.places],
    }


def _cached(file: Path) -> list[ReadQuestion]:
    return [_from_json(json.loads(line)) for line in _lines(file)]


def _from_json(plain: dict[str, Any]) -> ReadQuestion:
    question = plain["question"]
    asked = Question(
        question["text"],
        frozenset(question["gold"]),
        question["category"],
        datetime.fromisoformat(question["asked_at"]),
    )
    readings, read_twice = (
        [_reading_from_json(row) for row in plain[name]] for name in ("readings", "read_twice")
    )
    return ReadQuestion(plain["talk"], asked, plain["ms"], readings, read_twice)


def _reading_from_json(plain: dict[str, Any]) -> Reading:
    said_at = plain["said_at"]
    source = Source(
        plain["content"],
        plain["kind"],
        UUID(plain["id"]),
        None if plain["document_id"] == "None" else UUID(plain["document_id"]),
        0,
        plain["speaker"],
        datetime.fromisoformat(said_at) if said_at else None,
    )
    places = [Place(int(values[0]), int(values[1]), *values[2:]) for values in plain["places"]]
    return Reading(source, plain["rank"], plain["relevance"], places, plain["of_another"])
