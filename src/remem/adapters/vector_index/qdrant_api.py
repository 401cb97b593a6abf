"""A client for the part of Qdrant's REST API that the index needs."""

import asyncio
from collections.abc import Sequence
from typing import Any

import httpx2
import structlog

from remem.adapters.circuit import SHORTCUT_TOLERANCE, Circuit
from remem.adapters.replies import ReplyTooLarge, read_body
from remem.adapters.retries import TransientError
from remem.core.errors import CannotStart, Unavailable

# If a vector search fails, results come from text search; a failed write is repeated by a job.
CONNECT_S, SEARCH_S, WRITE_S = 0.5, 2.0, 20.0
# Points come without vectors and texts: some hundred of them take some kilobytes.
REPLY_BYTES = 4_000_000
KEYWORDS = (
    "kind",
    "model",
    "project_id",
    "document_id",
    "memory_id",
    "content_type",
    "category",
    "tags",
    "metadata_values",
)
MOMENTS = ("created_at", "moment")
_MISSING, _EXISTS = 404, (400, 409)

log = structlog.get_logger()


class CollectionMissing(Unavailable):
    """The collection does not exist."""


class QdrantApi:
    """All failures raise Unavailable; after a transient one, no request is sent for a while."""

    def __init__(self, url: str, api_key: str | None, circuit: Circuit | None = None) -> None:
        base = _check_url(url)
        headers = {"api-key": api_key.strip()} if api_key else {}
        timeout = httpx2.Timeout(WRITE_S, connect=CONNECT_S)
        self._client = httpx2.AsyncClient(base_url=base, headers=headers, timeout=timeout)
        self.circuit = circuit or Circuit("qdrant", SHORTCUT_TOLERANCE)

    async def create(self, collection: str, dimensions: int) -> bool:
        """Create the collection and its payload indexes; return whether it is new."""
        vectors = {"size": dimensions, "distance": "Cosine", "on_disk": True}
        hnsw = {"payload_m": 16, "m": 16}
        body = {"vectors": vectors, "hnsw_config": hnsw, "on_disk_payload": True}
        created = await self._request("PUT", f"/collections/{collection}", body, allowed=_EXISTS)
        await self._index(collection, "tenant_id", {"type": "keyword", "is_tenant": True})
        for name in KEYWORDS:
            await self._index(collection, name, {"type": "keyword"})
        for name in MOMENTS:
            await self._index(collection, name, {"type": "datetime"})
        return created is True

    async def _index(self, collection: str, field: str, schema: dict[str, Any]) -> None:
        body = {"field_name": field, "field_schema": schema}
        await self._request("PUT", f"/collections/{collection}/index?wait=true", body)

    async def upsert(self, collection: str, points: Sequence[dict[str, Any]]) -> None:
        path = f"/collections/{collection}/points?wait=true"
        await self._request("PUT", path, {"points": list(points)})

    async def delete(self, collection: str, selector: dict[str, Any]) -> None:
        """Delete the selected `points` or `filter`; a missing collection is not an error."""
        path = f"/collections/{collection}/points/delete?wait=true"
        await self._request("POST", path, selector, allowed=(_MISSING,))

    async def query(self, collection: str, body: dict[str, Any]) -> list[dict[str, Any]]:
        path = f"/collections/{collection}/points/query"
        result = await self._request("POST", path, body, timeout_s=SEARCH_S)
        points = result.get("points") if isinstance(result, dict) else None
        if not isinstance(points, list):
            raise misread_error()
        return points

    async def count(self, collection: str, filter: dict[str, Any]) -> int:
        body = {"filter": filter, "exact": True}
        path = f"/collections/{collection}/points/count"
        result = await self._request("POST", path, body, allowed=(_MISSING,))
        count = result.get("count", 0) if isinstance(result, dict) else 0
        return count if isinstance(count, int) else 0

    async def collections(self, prefix: str) -> list[str]:
        result = await self._request("GET", "/collections", None)
        collections = result.get("collections") if isinstance(result, dict) else None
        if not isinstance(collections, list):
            raise misread_error()
        names = [
            str(collection.get("name"))
            for collection in collections
            if isinstance(collection, dict)
        ]
        return [name for name in names if name.startswith(f"{prefix}_")]

    async def drop(self, collection: str) -> None:
        await self._request("DELETE", f"/collections/{collection}", None, allowed=(_MISSING,))

    async def close(self) -> None:
        await self._client.aclose()

    async def _request(
        self,
        method: str,
        path: str,
        body: dict[str, Any] | None,
        *,
        allowed: Sequence[int] = (),
        timeout_s: float = WRITE_S,
    ) -> Any:
        try:
            with self.circuit.request():
                reply = await self._send(method, path, body, timeout_s)
        except TransientError as error:
            log.warning("qdrant_away", error=str(error))
            raise _down_error(str(error)) from None
        if reply.status_code in allowed:
            return {}
        _raise_for_status(reply.status_code)
        return _result(reply)

    async def _send(
        self, method: str, path: str, body: dict[str, Any] | None, timeout_s: float
    ) -> httpx2.Response:
        """Send a request. Raises TransientError if it may succeed later."""
        timeout = httpx2.Timeout(timeout_s, connect=CONNECT_S)
        request = self._client.build_request(method, path, json=body, timeout=timeout)
        try:
            # httpx2 limits each read; this also limits a server that sends one byte at a time.
            async with asyncio.timeout(timeout_s):
                reply = await self._client.send(request, stream=True)
                data = await read_body(reply, REPLY_BYTES)
        except ReplyTooLarge:
            raise misread_error() from None
        except TimeoutError:
            raise TransientError(f"no answer in {timeout_s:g} s", timed_out=True) from None
        except httpx2.RequestError as error:
            raise TransientError(type(error).__name__) from None
        if reply.status_code in (408, 429) or reply.status_code >= 500:
            raise TransientError(f"status {reply.status_code}")
        return httpx2.Response(reply.status_code, content=data)


def _raise_for_status(status: int) -> None:
    if status in (401, 403):
        raise Unavailable(
            "Qdrant refused our key; set REMEM_QDRANT_KEY to one that may write.",
            code="qdrant_key_refused",
        )
    if status == _MISSING:
        raise CollectionMissing("The Qdrant collection does not exist yet.", code="qdrant_empty")
    if not 200 <= status < 300:
        raise Unavailable(
            f"Qdrant refused a request (status {status}); check REMEM_QDRANT_URL and that its"
            " version is 1.10 or newer.",
            code="qdrant_refused",
        )


def _check_url(url: str) -> str:
    parsed = httpx2.URL(url) if url.startswith(("http://", "https://")) else None
    if parsed is None or not parsed.host:
        raise CannotStart(
            "REMEM_QDRANT_URL is not the address of a Qdrant; write it as http://host:6333.",
            code="qdrant_url",
        )
    return url.rstrip("/")


def _result(reply: httpx2.Response) -> Any:
    try:
        return reply.json()["result"]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise misread_error() from None


def _down_error(reason: str) -> Unavailable:
    return Unavailable(f"Qdrant cannot answer now ({reason}); try again later.", code="qdrant_down")


def misread_error() -> Unavailable:
    return Unavailable("Qdrant returned an unexpected answer.", code="qdrant_misread")
