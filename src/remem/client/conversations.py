"""Questions, and the sessions in which they are asked."""

import builtins
import json
from collections.abc import AsyncIterator
from datetime import datetime
from typing import Any, TypedDict, Unpack

from remem.client.answer import Answer
from remem.client.failures import Unreachable
from remem.client.fields import Id, to_json, without_none
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
    """One statement, and the numbers of the citations that support it."""

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
    body = to_json({"question": question, **without_none(fields)})
    return Asked(await wire.ask("POST", "/api/agent/ask", json=body))


async def stream(wire: Wire, question: str, fields: AskFields) -> AsyncIterator[AskEvent]:
    """Yield the steps of an answer. Raise if the stream ends before `done`, because the answer is
    incomplete then."""
    body = to_json({"question": question, **without_none(fields), "stream": True})
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
    """What was said, turn by turn, with what was recalled and used."""

    async def start(self, **fields: Unpack[SessionFields]) -> Session:
        """Start a session, or continue the open one with this `key`."""
        return Session(await self._ask("POST", "/api/sessions", json=to_json(without_none(fields))))

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
        """Add a turn: what was said, what was recalled for it, and what it used."""
        fields = {"recalled": _to_strings(recalled), "used": _to_strings(used), "at": at}
        body = to_json({"role": role, "content": content, **without_none(fields)})
        return Turn(await self._ask("POST", f"/api/sessions/{id}/turns", json=body))

    async def close(self, id: Id) -> Session:
        return Session(await self._ask("POST", f"/api/sessions/{id}/close"))

    async def delete(self, id: Id) -> None:
        """Erase a session with its turns. Memories saved in it stay."""
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
        params = {"project": project, "agent": agent, "open": open, "limit": page_size}
        async for session in self._paged("/api/sessions", "sessions", params):
            yield Session(session)


def _to_strings(ids: builtins.list[Id] | None) -> builtins.list[str] | None:
    return [str(id) for id in ids] if ids is not None else None
