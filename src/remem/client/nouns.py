"""Memories, documents, projects and jobs, each with its verbs."""

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
    form,
    given,
    plain,
)
from remem.client.wire import Wire

PAGE = 100
# Asking grows rarer: a key may ask a hundred times a minute.
RAREST_S = 3.0
# A document is done, a job completed; either can fail.
_OVER = ("done", "completed", "failed")
_Waited = TypeVar("_Waited", bound=Answer)


class AsyncNoun:
    """Requests that all nouns make."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire

    async def _ask(self, method: str, path: str, **options: Any) -> Any:
        return await self._wire.ask(method, path, **options)

    async def _paged(self, path: str, noun: str, asked: dict[str, Any]) -> AsyncIterator[Any]:
        cursor: str | None = ""
        while cursor is not None:
            params = given({**asked, "cursor": cursor or None})
            page = await self._ask("GET", path, params=params)
            for one in page[noun]:
                yield one
            cursor = page["next_cursor"]


class AsyncMemories(AsyncNoun):
    """Atomic statements: a save finds what it updates, extends or repeats."""

    async def save(self, content: str, **fields: Unpack[MemoryFields]) -> SavedMemory:
        body = {"content": content, **given(fields)}
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
        """Memories and pieces of documents, or memories only."""
        asked = given({"query": query, "project": project, "category": category, "limit": limit})
        asked |= {"documents": documents, "weak": weak}
        found = await self._ask("GET", "/api/memories/search", params=asked)
        return [Hit(one) for one in found["memories"]]

    async def change(self, id: Id, **fields: Unpack[MemoryChange]) -> Memory:
        """Change what is given, leave the rest. Other content makes a version with its own id."""
        return Memory(await self._ask("PUT", f"/api/memories/{id}", json=plain(fields)))

    async def forget(self, id: Id, *, hard: bool = False) -> None:
        """Forget it with its versions; it can be restored, unless it is erased by `hard`."""
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
        """Take it apart into atomic facts and what is due."""
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
        """What happened, last first."""
        asked = {"project": project, "category": category, "limit": page_size}
        asked |= {"since": since, "until": until, "as_of": as_of}
        async for one in self._paged("/api/memories/timeline", "memories", asked):
            yield Memory(one)

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
        asked = {"project": project, "category": category, "tags": tags, "limit": page_size}
        asked |= {"state": state, "as_of": as_of}
        async for one in self._paged("/api/memories", "memories", asked):
            yield Memory(one)


class AsyncDocuments(AsyncNoun):
    """Saved things, whole."""

    async def get(self, id: Id, *, versions: bool = False) -> Document:
        asked = {"include_versions": versions}
        return Document(await self._ask("GET", f"/v3/documents/{id}", params=asked))

    async def upload(
        self, path: str | Path | IO[bytes], name: str | None = None, **fields: Unpack[SaveFields]
    ) -> Saved:
        """Keep a file by its path, or what a stream gives under a name."""
        if isinstance(path, str | Path):
            with await asyncio.to_thread(Path(path).open, "rb") as file:
                return await self._send(file, name or Path(path).name, fields)
        return await self._send(path, name or Path(str(getattr(path, "name", "file"))).name, fields)

    async def _send(self, file: IO[bytes], name: str, fields: SaveFields) -> Saved:
        files = {"file": (name, file)}
        sent = await self._ask("POST", "/v3/documents/upload", data=form(fields), files=files)
        return Saved(sent)

    async def original(self, id: Id) -> AsyncIterator[bytes]:
        """The file as it was saved, in blocks."""
        async with self._wire.stream(f"/v3/documents/{id}/original") as blocks:
            async for block in blocks:
                yield block

    async def change(self, id: Id, **fields: Unpack[DocumentFields]) -> Saved:
        """Change what is given, leave the rest; content makes a version."""
        return Saved(await self._ask("PATCH", f"/v3/documents/{id}", json=plain(fields)))

    async def forget(self, id: Id) -> None:
        """Erase it with its versions. There is no way back."""
        await self._ask("DELETE", f"/v3/documents/{id}")

    async def related(self, id: Id, *, limit: int = 10) -> builtins.list[Neighbour]:
        asked = {"limit": limit}
        found = await self._ask("GET", f"/v3/documents/{id}/related", params=asked)
        return [Neighbour(one) for one in found["related"]]

    async def state(self, id: Id) -> Entry:
        return Entry(await self._ask("GET", f"/v1/documents/{id}"))

    async def wait(self, id: Id, *, every_s: float = 0.2, timeout_s: float | None = None) -> Entry:
        """Wait until it is done or failed."""
        return await until_over(lambda: self.state(id), every_s, timeout_s)

    async def list(
        self, *, project: str | None = None, page_size: int = PAGE
    ) -> AsyncIterator[Document]:
        """Every document, newest first, fetched a page at a time."""
        asked = {"project": project, "limit": page_size}
        async for one in self._paged("/v3/documents", "documents", asked):
            yield Document(one)


class AsyncProjects(AsyncNoun):
    """Where things live. Called, it lists them."""

    async def __call__(self) -> builtins.list[Project]:
        return await self.list()

    async def create(
        self, name: str, *, description: str | None = None, slug: str | None = None
    ) -> Project:
        body = given({"name": name, "description": description, "slug": slug})
        return Project(await self._ask("POST", "/v3/projects", json=body))

    async def get(self, ref: str | UUID) -> Project:
        return Project(await self._ask("GET", f"/v3/projects/{ref}"))

    async def change(
        self, ref: str | UUID, *, name: str | None = None, description: str | None = None
    ) -> Project:
        body = given({"name": name, "description": description})
        return Project(await self._ask("PATCH", f"/v3/projects/{ref}", json=body))

    async def delete(self, ref: str | UUID) -> None:
        """Erase it and everything in it. There is no way back."""
        await self._ask("DELETE", f"/v3/projects/{ref}")

    async def list(self) -> builtins.list[Project]:
        return [Project(one) for one in (await self._ask("GET", "/v3/projects"))["projects"]]


class AsyncJobs(AsyncNoun):
    """Queued work."""

    async def get(self, id: Id) -> Job:
        return Job(await self._ask("GET", f"/v3/jobs/{id}"))

    async def wait(self, id: Id, *, every_s: float = 0.2, timeout_s: float | None = None) -> Job:
        """Wait until it is completed or failed."""
        return await until_over(lambda: self.get(id), every_s, timeout_s)


async def until_over(
    look: Callable[[], Awaitable[_Waited]], every_s: float, timeout_s: float | None
) -> _Waited:
    async with asyncio.timeout(timeout_s):
        while True:
            seen = await look()
            if seen["status"] in _OVER:
                return seen
            await asyncio.sleep(every_s)
            every_s = max(every_s, min(every_s * 1.5, RAREST_S))
