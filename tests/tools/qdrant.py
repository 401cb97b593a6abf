"""A fake Qdrant server on loopback. No package registry has the real server, so its published
client is used instead: the client's models, generated from Qdrant's OpenAPI and closed to other
fields, validate requests, and its local mode answers them. Clusters, disks and the speed of a real
server are not covered."""

import json
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from typing import Any
from unittest.mock import patch

from pydantic import BaseModel, TypeAdapter, ValidationError

from tests.tools.http_server import QuietHandler, served

RAN_AGAINST = "qdrant-client's local mode behind loopback HTTP; no Qdrant server"


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


@dataclass
class FakeQdrant:
    """`status` makes every request fail, `body` replaces every answer, `key` is required."""

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
        self.reset()

    def reset(self) -> None:
        warnings.filterwarnings("ignore", message=".*local Qdrant.*")
        self.client = library().QdrantClient(":memory:")
        self.status, self.body = 200, None
        self.requests.clear()

    def count(self, collection: str | None = None) -> int:
        with self.lock:
            names = [stored.name for stored in self.client.get_collections().collections]
            chosen = [name for name in names if collection in (None, name)]
            return sum(self.client.count(name).count for name in chosen)

    def payloads(self) -> list[dict[str, Any]]:
        with self.lock:
            names = [stored.name for stored in self.client.get_collections().collections]
            batches = [self.client.scroll(name, limit=10_000)[0] for name in names]
        return [point.payload or {} for points in batches for point in points]

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
            names = [{"name": stored.name} for stored in self.client.get_collections().collections]
            return 200, {"collections": names}
        name, rest = parts[1], "/".join(parts[2:])
        exists = self.client.collection_exists(name)
        if method == "PUT" and not rest:
            return self._create(name, exists, body)
        if not exists:
            return 404, None
        if method == "DELETE":
            return 200, self.client.delete_collection(name)
        return 200, getattr(self, f"_{method}_{rest.replace('/', '_')}".lower())(name, body)

    def _create(self, name: str, exists: bool, body: Any) -> tuple[int, Any]:
        request = validator("CreateCollection").validate_python(body)
        if exists:
            return 409, None
        return 200, self.client.create_collection(name, vectors_config=request.vectors)

    def _put_index(self, name: str, body: Any) -> Any:
        validator("CreateFieldIndex").validate_python(body)
        return _DONE

    def _put_points(self, name: str, body: Any) -> Any:
        self.client.upsert(
            name, points=validator("PointInsertOperations").validate_python(body).points
        )
        return _DONE

    def _post_points_delete(self, name: str, body: Any) -> Any:
        chosen = validator("PointsSelector").validate_python(body)
        self.client.delete(name, points_selector=chosen)
        return _DONE

    def _post_points_query(self, name: str, body: Any) -> Any:
        request = validator("QueryRequest").validate_python(body)
        result = self.client.query_points(
            name,
            query=body["query"],
            query_filter=request.filter,
            limit=request.limit or 10,
            with_payload=request.with_payload or False,
        )
        return result.model_dump(mode="json")

    def _post_points_count(self, name: str, body: Any) -> Any:
        request = validator("CountRequest").validate_python(body)
        return {"count": self.client.count(name, count_filter=request.filter).count}


_DONE = {"operation_id": 1, "status": "completed"}


@contextmanager
def qdrant_server(port: int = 0) -> Iterator[FakeQdrant]:
    state = FakeQdrant()

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

    with served(Handler, port) as state.url:
        try:
            yield state
        finally:
            state.released.set()
