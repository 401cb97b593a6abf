"""The Python client: a server by its address, or the whole of remem in this process."""

import asyncio
import importlib
import json
from collections.abc import AsyncIterator
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self
from uuid import UUID

import httpx2

from remem.core.errors import RememError

TIMEOUT_S = 60
BLOCK_BYTES = 1 << 20


class RememFailure(RememError):
    """What the server refused, in its own words."""

    def __init__(self, status: int, message: str, code: str, details: Any = None) -> None:
        super().__init__(message, code=code, details=details)
        self.status = status


class AsyncRemem:
    """`AsyncRemem(url, key)` speaks to a server; `AsyncRemem()` is one, on the embedded store."""

    def __init__(
        self,
        url: str | None = None,
        key: str | None = None,
        *,
        transport: httpx2.AsyncBaseTransport | None = None,
    ) -> None:
        """A `transport` of your own takes the requests for `url` where they are to go."""
        self._url, self._key, self._transport = url, key, transport
        self._inside: Any = None
        self._http: httpx2.AsyncClient | None = None
        self._opening = asyncio.Lock()

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
        transport, url, key = self._transport, self._url, self._key
        if url is None:
            # The one import upwards: embedded, the client carries the server it speaks to.
            self._inside = importlib.import_module("remem.embedded").Embedded()
            transport, key = await self._inside.open()
            url = "http://remem.local"
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._http = httpx2.AsyncClient(
            base_url=url, headers=headers, transport=transport, timeout=TIMEOUT_S
        )

    async def close(self) -> None:
        if self._http:
            await self._http.aclose()
        if self._inside:
            await self._inside.close()
        self._http = self._inside = None

    async def save(self, content: str, **fields: Any) -> dict[str, Any]:
        """Keep something; fields are those of POST /v3/memory."""
        return await self.request("POST", "/v3/memory", json={"content": content, **_plain(fields)})

    async def save_url(self, url: str, **fields: Any) -> dict[str, Any]:
        """Keep what stands at an address; it is fetched in the background."""
        return await self.request("POST", "/v1/documents", json={"url": url, **_plain(fields)})

    async def upload(self, path: Path, **fields: Any) -> dict[str, Any]:
        """Keep a file of any supported type; fields are those of POST /v3/documents/upload."""
        form = {
            name: json.dumps(value) if isinstance(value, dict) else value
            for name, value in _plain(fields).items()
        }
        with path.open("rb") as file:
            return await self.request(
                "POST", "/v3/documents/upload", data=form, files={"file": (path.name, file)}
            )

    async def job(self, id: str | UUID) -> dict[str, Any]:
        return await self.request("GET", f"/v3/jobs/{id}")

    async def finished(self, id: str | UUID, every_s: float = 0.2) -> dict[str, Any]:
        """Wait until a document is done or failed."""
        while True:
            document = await self.request("GET", f"/v1/documents/{id}")
            if document["status"] in ("done", "failed"):
                return document
            await asyncio.sleep(every_s)

    async def recall(self, query: str, **fields: Any) -> dict[str, Any]:
        """Find something; fields are those of POST /v3/recall."""
        return await self.request("POST", "/v3/recall", json={"query": query, **_plain(fields)})

    async def projects(self) -> list[dict[str, Any]]:
        return (await self.request("GET", "/v3/projects"))["projects"]

    async def document(self, id: str | UUID) -> dict[str, Any]:
        return await self.request("GET", f"/v3/documents/{id}")

    async def forget(self, id: str | UUID) -> None:
        await self.request("DELETE", f"/v3/documents/{id}")

    async def original(self, id: str | UUID) -> AsyncIterator[bytes]:
        """A document's file as it was saved."""
        async for block in self._stream(f"/v3/documents/{id}/original"):
            yield block

    async def whoami(self) -> dict[str, Any]:
        return await self.request("GET", "/v3/whoami")

    async def health(self) -> dict[str, Any]:
        return await self.request("GET", "/health")

    async def export(self, **options: bool) -> AsyncIterator[bytes]:
        """Everything, line by line; options are those of GET /v3/export."""
        async for line in _lines(self._stream("/v3/export", **options)):
            yield line

    async def bring_in(self, file: IO[bytes], **options: Any) -> dict[str, Any]:
        """Send an export of remem or of another product; the reply names the job that brings it
        in. Options are those of POST /v3/import."""
        return await self.request("POST", "/v3/import", params=options, content=_blocks(file))

    async def _stream(self, path: str, **params: Any) -> AsyncIterator[bytes]:
        http = await self._opened()
        try:
            async with http.stream("GET", path, params=params) as response:
                if response.is_error:
                    await response.aread()
                    raise _failure(response)
                async for block in response.aiter_bytes():
                    yield block
        except httpx2.TransportError as error:
            raise self._unreachable() from error

    async def request(self, method: str, path: str, **options: Any) -> Any:
        try:
            http = await self._opened()
            response = await http.request(method, path, **options)
        except (httpx2.TransportError, httpx2.InvalidURL) as error:
            raise self._unreachable() from error
        if response.is_error:
            raise _failure(response)
        try:
            return response.json() if response.content else None
        except ValueError as error:
            raise self._unreachable() from error

    async def _opened(self) -> httpx2.AsyncClient:
        async with self._opening:
            if self._http is None:
                await self.open()
        assert self._http is not None
        return self._http

    def _unreachable(self) -> RememFailure:
        return RememFailure(
            0, f"No remem answers at {self._url}; start one with `remem serve`.", "unreachable"
        )


async def _lines(blocks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Whole lines, and what stands behind the last of them."""
    held = bytearray()
    async for block in blocks:
        held += block
        if b"\n" not in block:
            continue
        end = held.rindex(b"\n") + 1
        for line in bytes(held[:end]).split(b"\n")[:-1]:
            yield line + b"\n"
        del held[:end]
    if held:
        yield bytes(held)


async def _blocks(file: IO[bytes]) -> AsyncIterator[bytes]:
    while block := await asyncio.to_thread(file.read, BLOCK_BYTES):
        yield block


def _plain(fields: dict[str, Any]) -> dict[str, Any]:
    return {
        name: str(value) if isinstance(value, UUID) else value
        for name, value in fields.items()
        if value is not None
    }


def _failure(response: httpx2.Response) -> RememFailure:
    try:
        body = response.json()
    except ValueError:
        body = {}
    if not isinstance(body, dict):
        body = {}
    return RememFailure(
        response.status_code,
        body.get("error", f"The server answered {response.status_code}."),
        body.get("code", "http_error"),
        body.get("details"),
    )
