"""The requests of Qdrant's REST API that the index needs."""

import asyncio
from collections.abc import Sequence
from typing import Any

import httpx2
import structlog

from remem.adapters.circuit import OF_SHORTCUTS, Circuit
from remem.adapters.replies import ReplyTooLarge, read_body
from remem.adapters.retries import Passing
from remem.core.errors import CannotStart, Unavailable

# A search is answered by word when this one does not come; a write is repeated by a job.
CONNECT_S, SEARCH_S, WRITE_S = 0.5, 2.0, 20.0
# Points are asked for without their vectors and texts: some hundred of them are some kilobytes.
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
    """Nothing was ever put there."""


class QdrantApi:
    """Every failure is an Unavailable; after one that may pass, no request is sent for a while."""

    def __init__(self, url: str, api_key: str | None, circuit: Circuit | None = None) -> None:
        base = _checked(url)
        headers = {"api-key": api_key.strip()} if api_key else {}
        timeout = httpx2.Timeout(WRITE_S, connect=CONNECT_S)
        self._client = httpx2.AsyncClient(base_url=base, headers=headers, timeout=timeout)
        self.circuit = circuit or Circuit("qdrant", OF_SHORTCUTS)

    async def create(self, collection: str, dimensions: int) -> bool:
        """Make the collection and the indexes of its payload; whether it was not there before."""
        vectors = {"size": dimensions, "distance": "Cosine", "on_disk": True}
        hnsw = {"payload_m": 16, "m": 16}
        body = {"vectors": vectors, "hnsw_config": hnsw, "on_disk_payload": True}
        made = await self._ask("PUT", f"/collections/{collection}", body, passes=_EXISTS)
        await self._index(collection, "tenant_id", {"type": "keyword", "is_tenant": True})
        for name in KEYWORDS:
            await self._index(collection, name, {"type": "keyword"})
        for name in MOMENTS:
            await self._index(collection, name, {"type": "datetime"})
        return made is True

    async def _index(self, collection: str, field: str, schema: dict[str, Any]) -> None:
        body = {"field_name": field, "field_schema": schema}
        await self._ask("PUT", f"/collections/{collection}/index?wait=true", body)

    async def upsert(self, collection: str, points: Sequence[dict[str, Any]]) -> None:
        path = f"/collections/{collection}/points?wait=true"
        await self._ask("PUT", path, {"points": list(points)})

    async def delete(self, collection: str, chosen: dict[str, Any]) -> None:
        """`chosen` has `points` or a `filter`; a collection that is not there has none of them."""
        path = f"/collections/{collection}/points/delete?wait=true"
        await self._ask("POST", path, chosen, passes=(_MISSING,))

    async def query(self, collection: str, body: dict[str, Any]) -> list[dict[str, Any]]:
        path = f"/collections/{collection}/points/query"
        result = await self._ask("POST", path, body, timeout_s=SEARCH_S)
        points = result.get("points") if isinstance(result, dict) else None
        if not isinstance(points, list):
            raise misread()
        return points

    async def count(self, collection: str, filter: dict[str, Any]) -> int:
        body = {"filter": filter, "exact": True}
        path = f"/collections/{collection}/points/count"
        result = await self._ask("POST", path, body, passes=(_MISSING,))
        found = result.get("count", 0) if isinstance(result, dict) else 0
        return found if isinstance(found, int) else 0

    async def collections(self, prefix: str) -> list[str]:
        result = await self._ask("GET", "/collections", None)
        listed = result.get("collections") if isinstance(result, dict) else None
        if not isinstance(listed, list):
            raise misread()
        names = [str(one.get("name")) for one in listed if isinstance(one, dict)]
        return [name for name in names if name.startswith(f"{prefix}_")]

    async def drop(self, collection: str) -> None:
        await self._ask("DELETE", f"/collections/{collection}", None, passes=(_MISSING,))

    async def close(self) -> None:
        await self._client.aclose()

    async def _ask(
        self,
        method: str,
        path: str,
        body: dict[str, Any] | None,
        *,
        passes: Sequence[int] = (),
        timeout_s: float = WRITE_S,
    ) -> Any:
        try:
            with self.circuit.request():
                reply = await self._reply(method, path, body, timeout_s)
        except Passing as error:
            log.warning("qdrant_away", error=str(error))
            raise _down(str(error)) from None
        if reply.status_code in passes:
            return {}
        _refuse(reply.status_code)
        return _result(reply)

    async def _reply(
        self, method: str, path: str, body: dict[str, Any] | None, timeout_s: float
    ) -> httpx2.Response:
        """Raise Passing for a failure that may pass."""
        timeout = httpx2.Timeout(timeout_s, connect=CONNECT_S)
        request = self._client.build_request(method, path, json=body, timeout=timeout)
        try:
            # httpx2 bounds each read; this bounds a server that answers a byte at a time.
            async with asyncio.timeout(timeout_s):
                reply = await self._client.send(request, stream=True)
                data = await read_body(reply, REPLY_BYTES)
        except ReplyTooLarge:
            raise misread() from None
        except TimeoutError:
            raise Passing(f"no answer in {timeout_s:g} s", timed_out=True) from None
        except httpx2.RequestError as error:
            raise Passing(type(error).__name__) from None
        if reply.status_code in (408, 429) or reply.status_code >= 500:
            raise Passing(f"status {reply.status_code}")
        return httpx2.Response(reply.status_code, content=data)


def _refuse(status: int) -> None:
    if status in (401, 403):
        raise Unavailable(
            "Qdrant refused our key; set REMEM_QDRANT_KEY to one that may write.",
            code="qdrant_key_refused",
        )
    if status == _MISSING:
        raise CollectionMissing("The Qdrant collection is not there yet.", code="qdrant_empty")
    if not 200 <= status < 300:
        raise Unavailable(
            f"Qdrant refused a request (status {status}); check REMEM_QDRANT_URL and that its"
            " version is 1.10 or newer.",
            code="qdrant_refused",
        )


def _checked(url: str) -> str:
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
        raise misread() from None


def _down(what: str) -> Unavailable:
    return Unavailable(f"Qdrant cannot answer now ({what}); try again later.", code="qdrant_down")


def misread() -> Unavailable:
    return Unavailable("Qdrant gave an answer that is none of its own.", code="qdrant_misread")
