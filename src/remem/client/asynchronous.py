"""The async client: the most common calls, and the nouns with the others."""

from collections.abc import AsyncIterator
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self, Unpack
from uuid import UUID

import httpx2

from remem.client import conversations
from remem.client.answers import (
    Accepted,
    Document,
    Entry,
    Health,
    Import,
    Job,
    Profile,
    Recalled,
    Saved,
    Stats,
    WhoAmI,
)
from remem.client.conversations import Asked, AskEvent, AskFields, AsyncSessions
from remem.client.evolution import AsyncEvolution, AsyncFeeds
from remem.client.failures import NotFound
from remem.client.fields import ContextFields, Id, RecallFields, SaveFields, UrlFields, without_none
from remem.client.nouns import AsyncDocuments, AsyncJobs, AsyncMemories, AsyncProjects
from remem.client.wire import Key, Wire, blocks, lines

TIMEOUT_S = 60.0


class AsyncRemem:
    """`AsyncRemem(url, key)` connects to a server; `AsyncRemem()` runs on the embedded store. A
    request may take `timeout_s`. Requests that are safe to repeat are retried for 30 seconds, or
    for ten minutes when the server limits the request rate; `patience_s` overrides both. A `key`
    may be a function that returns the currently valid key; a custom `transport` sends requests
    elsewhere."""

    def __init__(
        self,
        url: str | None = None,
        key: Key | None = None,
        *,
        transport: httpx2.AsyncBaseTransport | None = None,
        timeout_s: float = TIMEOUT_S,
        patience_s: float | None = None,
    ) -> None:
        self._wire = Wire(url, key, timeout_s, patience_s, transport)
        self.memories = AsyncMemories(self._wire)
        self.documents = AsyncDocuments(self._wire)
        self.projects = AsyncProjects(self._wire)
        self.jobs = AsyncJobs(self._wire)
        self.sessions = AsyncSessions(self._wire)
        self.evolution = AsyncEvolution(self._wire)
        self.feeds = AsyncFeeds(self._wire)

    async def __aenter__(self) -> Self:
        await self.open()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def open(self) -> None:
        """Connect now instead of on the first request."""
        await self._wire.open()

    async def close(self) -> None:
        await self._wire.close()

    async def save(self, content: str, **fields: Unpack[SaveFields]) -> Saved:
        """Save something; the fields are those of POST /v3/memory."""
        body = {"content": content, **without_none(fields)}
        return Saved(await self.request("POST", "/v3/memory", json=body))

    async def recall(self, query: str, **fields: Unpack[RecallFields]) -> Recalled:
        """Search; the fields are those of POST /v3/recall."""
        body = {"query": query, **without_none(fields)}
        return Recalled(await self.request("POST", "/v3/recall", json=body))

    async def ask(self, question: str, **fields: Unpack[AskFields]) -> Asked:
        """Answer a question, citing every claim; the fields are those of POST /api/agent/ask."""
        return await conversations.ask(self._wire, question, fields)

    async def ask_stream(
        self, question: str, **fields: Unpack[AskFields]
    ) -> AsyncIterator[AskEvent]:
        """Answer step by step; the last step is `done` and contains the complete answer."""
        async for step in conversations.stream(self._wire, question, fields):
            yield step

    async def context(
        self, question: str, *, max_tokens: int = 2_000, **fields: Unpack[ContextFields]
    ) -> str:
        """The best of what is known about a question, packed into a text for a prompt."""
        recalled = await self.recall(question, max_tokens=max_tokens, **fields)
        return recalled.context.text if recalled.context else ""

    async def profile(self, query: str | None = None, *, project: str | None = None) -> Profile:
        """Lasting facts, recent ones, and those relevant to a query."""
        params = without_none({"query": query, "container": project})
        return Profile(await self.request("GET", "/v1/profile", params=params))

    async def forget(self, id: Id) -> None:
        """Delete what has this id: a document permanently, a memory so that it can be restored."""
        try:
            await self.documents.forget(id)
        except NotFound:
            await self.memories.forget(id)

    async def save_url(self, url: str, **fields: Unpack[UrlFields]) -> Accepted:
        """Save a web page; it is fetched in the background."""
        body = {"url": url, **without_none(fields)}
        return Accepted(await self.request("POST", "/v1/documents", json=body))

    async def upload(
        self, path: str | Path | IO[bytes], name: str | None = None, **fields: Unpack[SaveFields]
    ) -> Saved:
        """Save a file by its path, or the content of a stream under a name."""
        return await self.documents.upload(path, name, **fields)

    async def document(self, id: Id) -> Document:
        return await self.documents.get(id)

    async def job(self, id: Id) -> Job:
        return await self.jobs.get(id)

    async def finished(self, id: str | UUID, every_s: float = 0.2) -> Entry:
        """Wait until a document is done or failed."""
        return await self.documents.wait(id, every_s=every_s)

    async def whoami(self) -> WhoAmI:
        return WhoAmI(await self.request("GET", "/v3/whoami"))

    async def stats(self) -> Stats:
        return Stats(await self.request("GET", "/v3/stats"))

    async def health(self) -> Health:
        return Health(await self.request("GET", "/health"))

    async def export(self, **options: bool) -> AsyncIterator[bytes]:
        """Export everything, line by line; the options are those of GET /v3/export."""
        async with self._wire.stream("/v3/export", params=options) as parts:
            async for line in lines(parts):
                yield line

    async def bring_in(self, file: IO[bytes], **options: Any) -> Import:
        """Upload an export of remem or of another product; the reply names the import job. The
        options are those of POST /v3/import."""
        reply = await self.request("POST", "/v3/import", params=options, content=blocks(file))
        return Import(reply)

    async def request(self, method: str, path: str, **options: Any) -> Any:
        """Send any request of the API and return its JSON; the options are those of httpx2."""
        return await self._wire.ask(method, path, **options)
