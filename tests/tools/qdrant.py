"""A fake Qdrant server on loopback. No package registry has the real server, so its published
client is used instead: the client's models, generated from Qdrant's OpenAPI and closed to other
fields, validate requests. The client's local mode answers them, or Qdrant's own engine
(`qdrant_engine.py`).
Clusters and the speed of a real server are not covered."""

import json
import threading
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Protocol
from unittest.mock import patch

from pydantic import BaseModel, TypeAdapter, ValidationError

from tests.tools.http_server import QuietHandler, served


@cache
def library() -> Any:
    """The client library, imported only when needed: it takes more than a second, most of it to
    build hundreds of models. Here each model is built on first use."""
    with patch.object(BaseModel, "model_rebuild"):
        import qdrant_client
    return qdrant_client


@cache
def validator(name: str) -> "TypeAdapter[Any]":
    return TypeAdapter(getattr(library().http.models, name))


class Points(Protocol):
    """What stores the points; a `filter` is one of the request, as Qdrant's API describes it."""

    def names(self) -> list[str]: ...
    def create(self, name: str, body: dict[str, Any]) -> None: ...
    def drop(self, name: str) -> None: ...
    def index(self, name: str, field: str, schema: dict[str, Any]) -> None: ...
    def upsert(self, name: str, points: Sequence[dict[str, Any]]) -> None: ...
    def delete(self, name: str, selector: dict[str, Any]) -> None: ...
    def query(self, name: str, body: dict[str, Any]) -> list[dict[str, Any]]: ...
    def count(self, name: str, filter: dict[str, Any] | None) -> int: ...
    def payloads(self, name: str) -> list[dict[str, Any]]: ...
    def close(self) -> None: ...


class LocalMode:
    """Points in the memory of Qdrant's client, which needs no index."""

    def __init__(self) -> None:
        warnings.filterwarnings("ignore", message=".*local Qdrant.*")
        self._client = library().QdrantClient(":memory:")

    def names(self) -> list[str]:
        return [stored.name for stored in self._client.get_collections().collections]

    def create(self, name: str, body: dict[str, Any]) -> None:
        request = validator("CreateCollection").validate_python(body)
        self._client.create_collection(name, vectors_config=request.vectors)

    def drop(self, name: str) -> None:
        self._client.delete_collection(name)

    def index(self, name: str, field: str, schema: dict[str, Any]) -> None: ...

    def upsert(self, name: str, points: Sequence[dict[str, Any]]) -> None:
        body = {"points": list(points)}
        request = validator("PointInsertOperations").validate_python(body)
        self._client.upsert(name, points=request.points)

    def delete(self, name: str, selector: dict[str, Any]) -> None:
        chosen = validator("PointsSelector").validate_python(selector)
        self._client.delete(name, points_selector=chosen)

    def query(self, name: str, body: dict[str, Any]) -> list[dict[str, Any]]:
        request = validator("QueryRequest").validate_python(body)
        result = self._client.query_points(
            name,
            query=body["query"],
            query_filter=request.filter,
            limit=request.limit or 10,
            with_payload=request.with_payload or False,
        )
        return result.model_dump(mode="json")["points"]

    def count(self, name: str, filter: dict[str, Any] | None) -> int:
        request = validator("CountRequest").validate_python({"filter": filter})
        return self._client.count(name, count_filter=request.filter).count

    def payloads(self, name: str) -> list[dict[str, Any]]:
        return [point.payload or {} for point in self._client.scroll(name, limit=10_000)[0]]

    def close(self) -> None:
        self._client.close()


@dataclass
class FakeQdrant:
    """`status` makes every request fail, `body` replaces every answer, `key` is required."""

    points: Points
    url: str = ""
    key: str | None = None
    status: int = 200
    body: bytes | None = None
    requests: list[tuple[str, str, Any]] = field(default_factory=list)
    violations: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.lock = threading.Lock()
        self.hangs = threading.Event()
        self.released = threading.Event()

    def count(self, collection: str | None = None) -> int:
        with self.lock:
            chosen = [name for name in self.points.names() if collection in (None, name)]
            return sum(self.points.count(name, None) for name in chosen)

    def payloads(self) -> list[dict[str, Any]]:
        with self.lock:
            names = self.points.names()
            return [payload for name in names for payload in self.points.payloads(name)]

    def answer(self, method: str, path: str, key: str | None, body: Any) -> tuple[int, Any]:
        path = path.partition("?")[0]
        self.requests.append((method, path, body))
        if self.key and key != self.key:
            return 403, None
        if self.status != 200:
            return self.status, None
        try:
            with self.lock:
                return self._answer(method, path.strip("/").split("/"), body)
        except ValidationError as error:
            self.violations.append(f"{method} {path}: {error}")
            return 422, None

    def _answer(self, method: str, parts: list[str], body: Any) -> tuple[int, Any]:
        if parts == ["collections"]:
            return 200, {"collections": [{"name": name} for name in self.points.names()]}
        name, rest = parts[1], "/".join(parts[2:])
        exists = name in self.points.names()
        if method == "PUT" and not rest:
            return self._create(name, exists, body)
        if not exists:
            return 404, None
        if method == "DELETE":
            self.points.drop(name)
            return 200, True
        return 200, getattr(self, f"_{method}_{rest.replace('/', '_')}".lower())(name, body)

    def _create(self, name: str, exists: bool, body: Any) -> tuple[int, Any]:
        validator("CreateCollection").validate_python(body)
        if exists:
            return 409, None
        self.points.create(name, body)
        return 200, True

    def _put_index(self, name: str, body: Any) -> Any:
        validator("CreateFieldIndex").validate_python(body)
        self.points.index(name, body["field_name"], body["field_schema"])
        return _DONE

    def _put_points(self, name: str, body: Any) -> Any:
        validator("PointInsertOperations").validate_python(body)
        self.points.upsert(name, body["points"])
        return _DONE

    def _post_points_delete(self, name: str, body: Any) -> Any:
        validator("PointsSelector").validate_python(body)
        self.points.delete(name, body)
        return _DONE

    def _post_points_query(self, name: str, body: Any) -> Any:
        validator("QueryRequest").validate_python(body)
        return {"points": self.points.query(name, body)}

    def _post_points_count(self, name: str, body: Any) -> Any:
        validator("CountRequest").validate_python(body)
        return {"count": self.points.count(name, body["filter"])}


_DONE = {"operation_id": 1, "status": "completed"}


@contextmanager
def qdrant_server(points: Points | None = None) -> Iterator[FakeQdrant]:
    state = FakeQdrant(points or LocalMode())

    class Handler(QuietHandler):
        protocol_version = "HTTP/1.1"

        def answer(self) -> None:
            data = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            if state.hangs.is_set():
                state.released.wait(30)
            request = json.loads(data) if data else None
            status, result = state.answer(
                self.command, self.path, self.headers.get("api-key"), request
            )
            body = json.dumps({"result": result, "status": "ok", "time": 0.0}).encode()
            self.reply(status, body if state.body is None else state.body)

        def reply(self, status: int, body: bytes) -> None:
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            with suppress(BrokenPipeError):
                self.wfile.write(body)

        do_GET = do_PUT = do_POST = do_DELETE = answer

    with served(Handler) as state.url:
        try:
            yield state
        finally:
            state.released.set()
            state.points.close()
