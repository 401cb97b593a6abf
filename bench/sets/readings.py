"""What the reader finds for each question, kept in a file: answers are then composed again and
again without reading, and a run that was stopped goes on where it ended."""

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

from quality import keep

from remem.adapters.reader.local import LocalReader
from remem.bootstrap import open_ports
from remem.core.answers.answer_question import read_again, read_sources
from remem.core.answers.model import Place, Reading, Source
from remem.core.answers.questions import what_is_counted
from remem.core.identity.authenticate import authenticate_key
from remem.core.ports import Ports
from remem.core.readings import Span, Verdict
from remem.core.scope import Scope
from remem.core.search.model import Query
from remem.owner import ensure_owner_key
from remem.settings import Settings, load
from sets.embeddings import CachedEmbedder
from sets.model import Question, Talk

# Twice as many as are read for an answer, to see what more would give.
READ_MOST = 20
SEED = 14


class OnceReader:
    """The reader, which reads a text once for a question."""

    def __init__(self, reader: LocalReader) -> None:
        self._reader = reader
        self._read: dict[tuple[str, str], list[Span]] = {}

    async def rank(self, query: str, texts: Sequence[str]) -> list[float]:
        return await self._reader.rank(query, texts)

    async def read(self, question: str, texts: Sequence[str]) -> list[Span]:
        new = [text for text in dict.fromkeys(texts) if (question, text) not in self._read]
        found = await self._reader.read(question, new) if new else []
        for number, text in enumerate(new):
            self._read[question, text] = [span for span in found if span.text == number]
        spans = [
            span._replace(text=number)
            for number, text in enumerate(texts)
            for span in self._read[question, text]
        ]
        return sorted(spans, key=lambda span: -span.confidence)

    async def judge(self, olds: Sequence[str], new: str) -> list[Verdict]:
        return await self._reader.judge(olds, new)

    @asynccontextmanager
    async def in_turn(self) -> AsyncIterator["OnceReader"]:
        yield self

    async def close(self) -> None:
        await self._reader.close()


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with what was read for it; of a count, `read_twice` is what was read for its
    number, and `readings` for the things."""

    talk: str
    question: Question
    took_ms: float
    readings: list[Reading]
    read_twice: list[Reading]


def read_all(
    folder: Path, name: str, talks: Sequence[Talk], minutes: float | None = None
) -> list[Asked]:
    """What is read for every question of a set, or for as many as there is time for."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{name}.jsonl"
    every = {(talk.id, question.text): question for talk in talks for question in talk.questions}
    missing = every.keys() - {(one.talk, one.question.text) for one in _kept(file)}
    if missing and minutes != 0:
        until = time.monotonic() + 60 * minutes if minutes else math.inf
        # In an order by a seed, so that those which were read in time are a sample.
        left = random.Random(SEED).sample([one for one in every if one in missing], len(missing))
        asyncio.run(_read(folder, name, talks, left, until))
    return [one for one in _kept(file) if (one.talk, one.question.text) in every]


async def _read(
    folder: Path, name: str, talks: Sequence[Talk], missing: Sequence[tuple[str, str]], until: float
) -> None:
    settings = load(data_dir=folder / f"{name}-store")
    every = {
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
            project, question = every[talk, text]
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
    """Each session once, whatever run it was in."""
    saved = set(_lines(file))
    for number, talk in enumerate(talks):
        for session in talk.sessions:
            if f"{number} {session.id}" in saved:
                continue
            if time.monotonic() > until:
                raise SystemExit("Not all is saved yet: run it again.")
            await keep(ports, scope, name, number, replace(talk, sessions=[session]))
            _append(file, f"{number} {session.id}")


async def _ask(
    ports: Ports, scope: Scope, project: str, talk: str, question: Question
) -> dict[str, Any]:
    started = time.perf_counter()
    counted = what_is_counted(question.text)
    text = counted.question if counted else question.text
    query = Query(text, project, asked_at=question.asked_at)
    readings, _ = await read_sources(ports, scope, query, READ_MOST)
    read_twice = await read_again(ports, question.text, readings) if counted else []
    took_ms = (time.perf_counter() - started) * 1_000
    return _plain(Asked(talk, question, took_ms, readings, read_twice))


def _append(file: Path, line: str) -> None:
    with file.open("a") as lines:
        lines.write(f"{line}\n")


def _lines(file: Path) -> list[str]:
    return file.read_text().splitlines() if file.exists() else []


def _plain(one: Asked) -> dict[str, Any]:
    question = asdict(one.question) | {
        "gold": sorted(one.question.gold),
        "asked_at": one.question.asked_at.isoformat(),
    }
    return {
        "talk": one.talk,
        "question": question,
        "ms": one.took_ms,
        "readings": [_plain_reading(reading) for reading in one.readings],
        "read_twice": [_plain_reading(reading) for reading in one.read_twice],
    }


def _plain_reading(reading: Reading) -> dict[str, Any]:
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


def _kept(file: Path) -> list[Asked]:
    return [_asked(json.loads(line)) for line in _lines(file)]


def _asked(plain: dict[str, Any]) -> Asked:
    question = plain["question"]
    asked = Question(
        question["text"],
        frozenset(question["gold"]),
        question["category"],
        datetime.fromisoformat(question["asked_at"]),
    )
    readings, read_twice = (
        [_reading(one) for one in plain[name]] for name in ("readings", "read_twice")
    )
    return Asked(plain["talk"], asked, plain["ms"], readings, read_twice)


def _reading(plain: dict[str, Any]) -> Reading:
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
    places = [Place(int(one[0]), int(one[1]), *one[2:]) for one in plain["places"]]
    return Reading(source, plain["rank"], plain["relevance"], places, plain["of_another"])
