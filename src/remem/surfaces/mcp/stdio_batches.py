"""Batches over standard input and output: entries go in one by one, answers come out together."""

import json
from collections.abc import AsyncIterable, AsyncIterator
from dataclasses import dataclass, field
from typing import Any, Protocol

import anyio

from remem.surfaces.mcp.batches import entries_of, refusal, wrong_entry, wrong_size
from remem.surfaces.mcp.messages import problem_of

# How long calls that are under way when the input ends may take.
LAST_CALLS_S = 60


class Written(Protocol):
    async def write(self, text: str, /) -> Any: ...
    async def flush(self) -> None: ...


@dataclass(slots=True)
class _Batch:
    waiting: set[str | int] = field(default_factory=set)
    replies: list[Any] = field(default_factory=list)


class Wire:
    """Wraps the protocol's reader and writer."""

    def __init__(self, lines: AsyncIterable[str], out: Written) -> None:
        self._lines = lines
        self._out = out
        self._asked: dict[str | int, _Batch] = {}
        self._unanswered: set[str | int] = set()
        self._flushed = anyio.Event()

    async def __aiter__(self) -> AsyncIterator[str]:
        """Ends when the input has ended and the calls under way are answered."""
        async for line in self._lines:
            entries = entries_of(line.encode())
            if entries is None:
                if await self._is_taken(line):
                    self._note(json.loads(line))
                    yield line
                continue
            for entry in await self._taken_apart(entries):
                self._note(entry)
                yield json.dumps(entry)
        with anyio.move_on_after(LAST_CALLS_S):
            while self._unanswered:
                self._flushed = anyio.Event()
                await self._flushed.wait()

    def _note(self, entry: Any) -> None:
        """A call that the client takes back is not answered."""
        if "method" in entry and "id" in entry:
            self._unanswered.add(entry["id"])
        elif entry.get("method") == "notifications/cancelled":
            self._unanswered.discard((entry.get("params") or {}).get("requestId"))

    async def _is_taken(self, line: str) -> bool:
        """Whether the protocol understands a line; one that it would drop is answered here."""
        if not line.strip():
            return False
        if problem := problem_of(line.encode()):
            await self._say(problem)
        return problem is None

    async def write(self, text: str) -> None:
        """What answers an entry waits for the others of its batch."""
        reply = json.loads(text)
        if "method" not in reply:
            self._unanswered.discard(reply.get("id"))
        answers = "method" not in reply and reply.get("id") in self._asked
        batch = self._asked.pop(reply["id"]) if answers else None
        if batch is None:
            await self._out.write(text)
            return
        batch.waiting.remove(reply["id"])
        batch.replies.append(reply)
        await self._finish(batch)

    async def flush(self) -> None:
        await self._out.flush()
        self._flushed.set()

    async def _taken_apart(self, entries: list[Any]) -> list[Any]:
        if wrong := wrong_size(entries):
            await self._say(refusal(None, wrong))
            return []
        batch = _Batch()
        good = []
        for entry in entries:
            if wrong := wrong_entry(entry) or self._twice(entry):
                batch.replies.append(refusal(entry, wrong))
                continue
            if problem := problem_of(json.dumps(entry).encode()):
                batch.replies.append(problem)
                continue
            if "method" in entry and "id" in entry:
                batch.waiting.add(entry["id"])
                self._asked[entry["id"]] = batch
            good.append(entry)
        await self._finish(batch)
        return good

    def _twice(self, entry: Any) -> str | None:
        id = entry.get("id")
        if id is not None and not isinstance(id, str | int):
            return "id: is neither text nor a whole number; send one of these."
        known = "method" in entry and id in self._asked
        return "id: is waited for already; give each request its own." if known else None

    async def _finish(self, batch: _Batch) -> None:
        if not batch.waiting and batch.replies:
            await self._say(batch.replies)

    async def _say(self, reply: Any) -> None:
        await self._out.write(json.dumps(reply) + "\n")
        await self._out.flush()
