"""Memories, documents, projects and jobs, with their methods."""

import asyncio
import builtins
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import IO, Any, TypeVar, Unpack
from uuid import UUID

from remem.client.answer import Answer
from remem.client.answers import (
    Derived,
    Document,
    Entry,
    History,
    Hit,
    Job,
    Memory,
    Neighbour,
    Project,
    Saved,
    SavedMemory,
)
from remem.client.fields import (
    DocumentFields,
    Id,
    MemoryChange,
    MemoryFields,
    SaveFields,
    to_form,
    to_json,
    without_none,
)
from remem.client.wire import Wire

PAGE = 100
# The polling interval grows up to this: a key may send a hundred requests a minute.
MAX_POLL_INTERVAL_S = 3.0
# A document ends as done, a job as completed; either can fail.
_FINISHED = ("done", "completed", "failed")
_Polled = TypeVar("_Polled", bound=Answer)


class AsyncNoun:
    """Requests shared by all nouns."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire

    async def _ask(self, method: str, path: str, **options: Any) -> Any:
        return await self._wire.ask(method, path, **options)

    async def _paged(self, path: str, noun: str, query: dict[str, Any]) -> AsyncIterator[Any]:
        cursor: str | None = ""
        while cursor is not None:
            params = without_none({**query, "cursor": cursor or None})
            page = await self._ask("GET", path, params=params)
            for item in page[noun]:
                yield item
            cursor = page["next_cursor"]


class AsyncMemories(AsyncNoun):
    """Atomic statements: a save finds what it updates, extends or repeats."""

    async def save(self, content: str, **fields: Unpack[MemoryFields]) -> SavedMemory:
        body = {"content": content, **without_none(fields)}
        return SavedMemory(await self._ask("POST", "/api/memories", json=body))

    async def get(self, id: Id) -> Memory:
        return Memory(await self._ask("GET", f"/api/memories/{id}"))

    async def search(
        self,
        query: str,
        *,
        project: str | None = None,
        category: str | None = None,
        limit: int = 5,
        documents: bool = True,
        weak: bool = False,
    ) -> builtins.list[Hit]:
        """Search memories and parts of documents, or memories only."""
        params = without_none(
            {"query": query, "project": project, "category": category, "limit": limit}
        )
        params |= {"documents": documents, "weak": weak}
        reply = await self._ask("GET", "/api/memories/search", params=params)
        return [Hit(hit) for hit in reply["memories"]]

    async def change(self, id: Id, **fields: Unpack[MemoryChange]) -> Memory:
        """Change the given fields. New content creates a version with its own id."""
        return Memory(await self._ask("PUT", f"/api/memories/{id}", json=to_json(fields)))

    async def forget(self, id: Id, *, hard: bool = False) -> None:
        """Forget a memory with its versions. It can be restored, unless `hard` erases it."""
        await self._ask("DELETE", f"/api/memories/{id}", params={"hard": hard})

    async def merge(self, ids: Sequence[Id], *, content: str | None = None) -> Memory:
        """Merge several memories into one; the others stay as its history."""
        body = {"ids": [str(id) for id in ids], "content": content}
        return Memory(await self._ask("POST", "/api/memories/merge", json=body))

    async def restore(self, id: Id) -> Memory:
        """Restore a forgotten memory, or make an old version the newest."""
        return Memory((await self._ask("POST", f"/api/memories/{id}/restore"))["memory"])

    async def history(self, id: Id) -> History:
        return History(await self._ask("GET", f"/api/memories/{id}/history"))

    async def derive(self, id: Id) -> Derived:
        """Split it into atomic facts and what is due."""
        return Derived(await self._ask("POST", f"/api/memories/{id}/derive"))

    async def timeline(
        self,
        *,
        project: str | None = None,
        category: str | None = None,
        since: datetime | str | None = None,
        until: datetime | str | None = None,
        as_of: datetime | str | None = None,
        page_size: int = PAGE,
    ) -> AsyncIterator[Memory]:
        """What happened, latest first."""
        params = {"project": project, "category": category, "limit": page_size}
        params |= {"since": since, "until": until, "as_of": as_of}
        async for memory in self._paged("/api/memories/timeline", "memories", params):
            yield Memory(memory)

    async def list(
        self,
        *,
        project: str | None = None,
        category: str | None = None,
        tags: builtins.list[str] | None = None,
        state: str | None = None,
        as_of: datetime | str | None = None,
        page_size: int = PAGE,
    ) -> AsyncIterator[Memory]:
        """Every current memory, newest first, fetched a page at a time."""
        params = {"project": project, "category": category, "tags": tags, "limit": page_size}
        params |= {"state": state, "as_of": as_of}
        async for memory in self._paged("/api/memories", "memories", params):
            yield Memory(memory)


class AsyncDocuments(AsyncNoun):
    """Complete saved documents."""

    async def get(self, id: Id, *, versions: bool = False) -> Document:
        params = {"include_versions": versions}
        return Document(await self._ask("GET", f"/v3/documents/{id}", params=params))

    async def upload(
        self, path: str | Path | IO[bytes], name: str | None = None, **fields: Unpack[SaveFields]
    ) -> Saved:
        """Save a file by its path, or the content of a stream under a name."""
        if isinstance(path, str | Path):
            with await asyncio.to_thread(Path(path).open, "rb") as file:
                return await self._send(file, name or Path(path).name, fields)
        return await self._send(path, name or Path(str(getattr(path, "name", "file"))).name, fields)

    async def _send(self, file: IO[bytes], name: str, fields: SaveFields) -> Saved:
        files = {"file": (name, file)}
        reply = await self._ask("POST", "/v3/documents/upload", data=to_form(fields), files=files)
        return Saved(reply)

    async def original(self, id: Id) -> AsyncIterator[bytes]:
        """The file as it was saved, in blocks."""
        async with self._wire.stream(f"/v3/documents/{id}/original") as blocks:
            async for block in blocks:
                yield block

    async def change(self, id: Id, **fields: Unpack[DocumentFields]) -> Saved:
        """Change the given fields; new content creates a version."""
        return Saved(await self._ask("PATCH", f"/v3/documents/{id}", json=to_json(fields)))

    async def forget(self, id: Id) -> None:
        """Erase a document with its versions. This cannot be undone."""
        await self._ask("DELETE", f"/v3/documents/{id}")

    async def related(self, id: Id, *, limit: int = 10) -> builtins.list[Neighbour]:
        params = {"limit": limit}
        reply = await self._ask("GET", f"/v3/documents/{id}/related", params=params)
        return [Neighbour(document) for document in reply["related"]]

    async def state(self, id: Id) -> Entry:
        return Entry(await self._ask("GET", f"/v1/documents/{id}"))

    async def wait(self, id: Id, *, every_s: float = 0.2, timeout_s: float | None = None) -> Entry:
        """Wait until it is done or failed."""
        return await poll_until_finished(lambda: self.state(id), every_s, timeout_s)

    async def list(
        self, *, project: str | None = None, page_size: int = PAGE
    ) -> AsyncIterator[Document]:
        """Every document, newest first, fetched a page at a time."""
        params = {"project": project, "limit": page_size}
        async for document in self._paged("/v3/documents", "documents", params):
            yield Document(document)


class AsyncProjects(AsyncNoun):
    """Projects; calling it lists them."""

    async def __call__(self) -> builtins.list[Project]:
        return await self.list()

    async def create(
        self, name: str, *, description: str | None = None, slug: str | None = None
    ) -> Project:
        body = without_none({"name": name, "description": description, "slug": slug})
        return Project(await self._ask("POST", "/v3/projects", json=body))

    async def get(self, ref: str | UUID) -> Project:
        return Project(await self._ask("GET", f"/v3/projects/{ref}"))

    async def change(
        self, ref: str | UUID, *, name: str | None = None, description: str | None = None
    ) -> Project:
        body = without_none({"name": name, "description": description})
        return Project(await self._ask("PATCH", f"/v3/projects/{ref}", json=body))

    async def delete(self, ref: str | UUID) -> None:
        """Erase a project and everything in it. This cannot be undone."""
        await self._ask("DELETE", f"/v3/projects/{ref}")

    async def list(self) -> builtins.list[Project]:
        return [
            Project(project) for project in (await self._ask("GET", "/v3/projects"))["projects"]
        ]


class AsyncJobs(AsyncNoun):
    """Queued work."""

    async def get(self, id: Id) -> Job:
        return Job(await self._ask("GET", f"/v3/jobs/{id}"))

    async def wait(self, id: Id, *, every_s: float = 0.2, timeout_s: float | None = None) -> Job:
        """Wait until it is completed or failed."""
        return await poll_until_finished(lambda: self.get(id), every_s, timeout_s)


async def poll_until_finished(
    fetch: Callable[[], Awaitable[_Polled]], every_s: float, timeout_s: float | None
) -> _Polled:
    async with asyncio.timeout(timeout_s):
        while True:
            state = await fetch()
            if state["status"] in _FINISHED:
                return state
            await asyncio.sleep(every_s)
            every_s = max(every_s, min(every_s * 1.5, MAX_POLL_INTERVAL_S))
