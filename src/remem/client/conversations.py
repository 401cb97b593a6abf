"""Questions, and the sessions they are asked in."""

import builtins
import json
from collections.abc import AsyncIterator
from datetime import datetime
from typing import Any, TypedDict, Unpack

from remem.client.answer import Answer
from remem.client.failures import Unreachable
from remem.client.fields import Id, given, plain
from remem.client.nouns import PAGE, AsyncNoun
from remem.client.wire import Wire, lines


class Citation(Answer):
    """A source sentence of a claim; `start` and `end` are offsets in its document or memory."""

    number: int
    kind: str
    sentence: str
    mark: list[int]
    start: int
    end: int
    url: str
    document_id: str | None
    memory_id: str | None
    chunk_id: str | None
    title: str | None
    speaker: str | None
    said_at: datetime | None
    occurred_at: datetime | None
    due_at: datetime | None


class AskedClaim(Answer):
    """One statement, and the numbers of the citations that say so."""

    text: str
    citations: list[int]


class Asked(Answer):
    """`answer` is `I don't know.` and `known` false when nothing supports an answer."""

    question: str
    known: bool
    answer: str
    kind: str
    claims: list[AskedClaim]
    citations: list[Citation]
    nearest: list[Citation]
    confidence: float
    method: str
    model: str | None
    session_id: str | None
    took_ms: float


class AskEvent(Answer):
    """A step of an answer: `question`, `sources`, `citation`, `claim`, and `done` with all."""

    event: str
    data: dict[str, Any]


class Session(Answer):
    id: str
    project: str
    project_id: str
    agent: str | None
    title: str | None
    key: str | None
    recorded: bool
    turn_count: int
    created_at: datetime
    updated_at: datetime
    closed_at: datetime | None
    turns: list[dict[str, Any]] | None


class Turn(Answer):
    id: str
    session_id: str
    role: str
    content: str
    recalled: list[str]
    used: list[str]
    erased: bool
    at: datetime


class AskFields(TypedDict, total=False):
    session_id: Id | None
    project: str | None
    as_of: datetime | str | None
    asked_at: datetime | str | None
    record: bool
    model: bool
    agent: str | None


async def ask(wire: Wire, question: str, fields: AskFields) -> Asked:
    body = plain({"question": question, **given(fields)})
    return Asked(await wire.ask("POST", "/api/agent/ask", json=body))


async def stream(wire: Wire, question: str, fields: AskFields) -> AsyncIterator[AskEvent]:
    """Raise when it ends before it is done: what came until then is not the whole answer."""
    body = plain({"question": question, **given(fields), "stream": True})
    name = ""
    async with wire.stream("/api/agent/ask", method="POST", json=body) as parts:
        async for line in lines(parts):
            text = line.decode().rstrip("\r\n")
            if text.startswith("event: "):
                name = text.removeprefix("event: ")
            elif text.startswith("data: "):
                data = json.loads(text.removeprefix("data: "))
                if name == "error":
                    raise Unreachable(0, data["error"], data["code"])
                yield AskEvent({"event": name, "data": Asked(data) if name == "done" else data})
                if name == "done":
                    return
    raise Unreachable(0, "The answer was cut off; ask again.", "cut_off")


class SessionFields(TypedDict, total=False):
    project: str | None
    project_id: Id | None
    agent: str | None
    title: str | None
    key: str | None


class AsyncSessions(AsyncNoun):
    """What was asked, turn by turn, with what was recalled and used."""

    async def start(self, **fields: Unpack[SessionFields]) -> Session:
        """Start one, or go on with the open one that has this `key`."""
        return Session(await self._ask("POST", "/api/sessions", json=plain(given(fields))))

    async def get(self, id: Id) -> Session:
        return Session(await self._ask("GET", f"/api/sessions/{id}"))

    async def add(
        self,
        id: Id,
        role: str,
        content: str,
        *,
        recalled: builtins.list[Id] | None = None,
        used: builtins.list[Id] | None = None,
        at: datetime | str | None = None,
    ) -> Turn:
        """Add a turn: what was said, what was recalled for it, what it used."""
        fields = {"recalled": _texts(recalled), "used": _texts(used), "at": at}
        body = plain({"role": role, "content": content, **given(fields)})
        return Turn(await self._ask("POST", f"/api/sessions/{id}/turns", json=body))

    async def close(self, id: Id) -> Session:
        return Session(await self._ask("POST", f"/api/sessions/{id}/close"))

    async def delete(self, id: Id) -> None:
        """Erase it with its turns. What was saved in it stays."""
        await self._ask("DELETE", f"/api/sessions/{id}")

    async def list(
        self,
        *,
        project: str | None = None,
        agent: str | None = None,
        open: bool | None = None,
        page_size: int = PAGE,
    ) -> AsyncIterator[Session]:
        """Your sessions, newest first, fetched a page at a time."""
        asked = {"project": project, "agent": agent, "open": open, "limit": page_size}
        async for one in self._paged("/api/sessions", "sessions", asked):
            yield Session(one)


def _texts(ids: builtins.list[Id] | None) -> builtins.list[str] | None:
    return [str(id) for id in ids] if ids is not None else None
