"""remem over HTTP with a key: turns saved singly, by concurrent clients, or as conversations."""

import asyncio
import json
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx2
from quality import label_chunks
from sets.model import Question, Session, Talk
from sets.serving import served

from peers.model import TOP, Text

WARM_UP = 5
CLIENTS = 8
Json = Mapping[str, Any]


@dataclass(slots=True)
class Store:
    """A data folder, and the turn of each of its chunks."""

    folder: Path
    turns: dict[str, str] = field(default_factory=dict)

    @contextmanager
    def open(self) -> Iterator[tuple[str, dict[str, str]]]:
        """Run a server on the folder; a new server has an empty cache."""
        with served(self.folder) as server:
            yield server.url, {"Authorization": f"Bearer {server.key}"}


def save_turns(store: Store, texts: Sequence[Text]) -> float:
    """Save the texts one after the other; return the seconds for all of them."""
    with store.open() as (url, key), httpx2.Client(base_url=url, headers=key, timeout=60) as http:
        _make_projects(http, {text.talk for text in texts})
        started = time.perf_counter()
        replies = [_checked_json(http.post("/v3/memory", json=_turn(text))) for text in texts]
        took_s = time.perf_counter() - started
    for text, reply in zip(texts, replies, strict=True):
        store.turns.setdefault(reply["id"], text.id)
    return took_s


def save_at_once(store: Store, texts: Sequence[Text]) -> float:
    with store.open() as (url, key):
        with httpx2.Client(base_url=url, headers=key, timeout=60) as http:
            _make_projects(http, {text.talk for text in texts})
        return asyncio.run(_post_all(url, key, [_turn(text) for text in texts]))


async def _post_all(url: str, key: Mapping[str, str], bodies: Sequence[Json]) -> float:
    pending = list(reversed(bodies))
    async with httpx2.AsyncClient(base_url=url, headers=key, timeout=60) as http:

        async def client() -> None:
            while pending:
                _checked_json(await http.post("/v3/memory", json=pending.pop()))

        started = time.perf_counter()
        await asyncio.gather(*(client() for _ in range(CLIENTS)))
        return time.perf_counter() - started


def save_talks(store: Store, talks: Sequence[Talk]) -> float:
    """Save each whole session as a conversation in JSON; return the seconds for all of them."""
    took_s = 0.0
    with store.open() as (url, key), httpx2.Client(base_url=url, headers=key, timeout=60) as http:
        _make_projects(http, {talk.id for talk in talks})
        for talk in talks:
            for session in talk.sessions:
                body = {
                    "project": talk.id,
                    "content": json.dumps(session.as_content()),
                    "content_type": "json",
                }
                started = time.perf_counter()
                saved = _checked_json(http.post("/v3/memory", json=body))
                _wait(http, saved.get("job_id"))
                took_s += time.perf_counter() - started
                store.turns |= _turns_of(http, saved["id"], session)
    return took_s


def _turns_of(http: httpx2.Client, id: str, session: Session) -> dict[str, str]:
    document = _checked_json(http.get(f"/v3/documents/{id}"))
    chunks = {UUID(chunk["memory_id"]): chunk["content"] for chunk in document["chunks"]}
    return {str(id): turn for id, turn in label_chunks("locomo", session, chunks).items()}


def ask_all(
    store: Store, mode: str, asked: Sequence[tuple[str, Question]]
) -> tuple[list[list[str]], list[float]]:
    """The turns found for each question, best first, and the milliseconds for each."""
    found, took_ms = [], []
    with store.open() as (url, key), httpx2.Client(base_url=url, headers=key, timeout=60) as http:
        for number in range(WARM_UP):
            http.post("/v3/recall", json={"query": f"warming up {number}", "mode": mode})
        for talk, question in asked:
            body = {
                "query": question.text,
                "project": talk,
                "mode": mode,
                "limit": TOP,
                "asked_at": question.asked_at.isoformat(),
            }
            started = time.perf_counter()
            reply = http.post("/v3/recall", json=body)
            took_ms.append((time.perf_counter() - started) * 1_000)
            found.append(_order(store, _checked_json(reply)))
    return found, took_ms


def _order(store: Store, reply: Json) -> list[str]:
    hits = [(result["document_id"], hit) for result in reply["results"] for hit in result["chunks"]]
    hits.sort(key=lambda hit: -hit[1]["score"])
    turns = (store.turns.get(hit["memory_id"]) or store.turns[id] for id, hit in hits)
    return list(dict.fromkeys(turns))[:TOP]


def _turn(text: Text) -> Json:
    metadata = {"speaker": text.speaker, "timestamp": text.at, "session_id": text.session}
    return {"project": text.talk, "content": text.text, "metadata": metadata}


def _make_projects(http: httpx2.Client, names: set[str]) -> None:
    for name in sorted(names):
        _checked_json(http.post("/v3/projects", json={"name": name, "slug": name}))


def _wait(http: httpx2.Client, job: str | None) -> None:
    while job and _checked_json(http.get(f"/v3/jobs/{job}"))["status"] not in ("done", "failed"):
        time.sleep(0.02)


def _checked_json(reply: httpx2.Response) -> Any:
    reply.raise_for_status()
    return reply.json()
