"""Batches over stdin and stdout: entries are handled one by one, and answered together."""

import json
from collections.abc import AsyncIterable, AsyncIterator
from dataclasses import dataclass, field
from typing import Any, Protocol

import anyio

from remem.surfaces.mcp.batches import entry_problem, invalid_request, parse_batch, size_problem
from remem.surfaces.mcp.handshake import FirstLine
from remem.surfaces.mcp.messages import find_error

# How long running calls may take after the end of the input.
LAST_CALLS_S = 60


class TextWriter(Protocol):
    async def write(self, text: str, /) -> Any: ...
    async def flush(self) -> None: ...


@dataclass(slots=True)
class _Batch:
    waiting: set[str | int] = field(default_factory=set)
    replies: list[Any] = field(default_factory=list)


class BatchingStream:
    """The reader and writer for the SDK, with support for batches."""

    def __init__(self, lines: AsyncIterable[str], out: TextWriter, first: FirstLine) -> None:
        self._lines = lines
        self._out = out
        self._first = first
        self._is_answered = first.answered_id is not None
        self._batch_of: dict[str | int, _Batch] = {}
        self._unanswered: set[str | int] = set()
        self._flushed = anyio.Event()

    async def __aiter__(self) -> AsyncIterator[str]:
        """Yield messages. Ends after the input has ended and running calls are answered."""
        async for line in self._all_lines():
            entries = parse_batch(line.encode())
            if entries is None:
                if await self._is_valid(line):
                    self._track_call(json.loads(line))
                    yield line
                continue
            for entry in await self._split_batch(entries):
                self._track_call(entry)
                yield json.dumps(entry)
        with anyio.move_on_after(LAST_CALLS_S):
            while self._unanswered:
                self._flushed = anyio.Event()
                await self._flushed.wait()

    async def _all_lines(self) -> AsyncIterator[str]:
        if self._first.text:
            yield self._first.text
        async for line in self._lines:
            yield line

    def _track_call(self, entry: Any) -> None:
        """Keep track of unanswered calls; cancelled ones will not be answered."""
        if "method" in entry and "id" in entry:
            self._unanswered.add(entry["id"])
        elif entry.get("method") == "notifications/cancelled":
            self._unanswered.discard((entry.get("params") or {}).get("requestId"))

    async def _is_valid(self, line: str) -> bool:
        """Whether a line is a valid message; an invalid one is answered with an error."""
        if not line.strip():
            return False
        if error := find_error(line.encode()):
            await self._send(error)
        return error is None

    async def write(self, text: str) -> None:
        """Write a message. A response to an entry of a batch waits for the others."""
        reply = json.loads(text)
        if "method" not in reply:
            self._unanswered.discard(reply.get("id"))
            if self._is_answered and reply.get("id") == self._first.answered_id:
                self._is_answered = False
                return
        answers = "method" not in reply and reply.get("id") in self._batch_of
        batch = self._batch_of.pop(reply["id"]) if answers else None
        if batch is None:
            await self._out.write(text)
            return
        batch.waiting.remove(reply["id"])
        batch.replies.append(reply)
        await self._finish(batch)

    async def flush(self) -> None:
        await self._out.flush()
        self._flushed.set()

    async def _split_batch(self, entries: list[Any]) -> list[Any]:
        if problem := size_problem(entries):
            await self._send(invalid_request(None, problem))
            return []
        batch = _Batch()
        valid = []
        for entry in entries:
            if problem := entry_problem(entry) or self._id_problem(entry):
                batch.replies.append(invalid_request(entry, problem))
                continue
            if error := find_error(json.dumps(entry).encode()):
                batch.replies.append(error)
                continue
            if "method" in entry and "id" in entry:
                batch.waiting.add(entry["id"])
                self._batch_of[entry["id"]] = batch
            valid.append(entry)
        await self._finish(batch)
        return valid

    def _id_problem(self, entry: Any) -> str | None:
        id = entry.get("id")
        if id is not None and not isinstance(id, str | int):
            return "id: is neither text nor a whole number; send one of these."
        is_duplicate = "method" in entry and id in self._batch_of
        return "id: is already in use; give each request its own." if is_duplicate else None

    async def _finish(self, batch: _Batch) -> None:
        if not batch.waiting and batch.replies:
            await self._send(batch.replies)

    async def _send(self, reply: Any) -> None:
        await self._out.write(json.dumps(reply) + "\n")
        await self._out.flush()
