"""A Qdrant on loopback. No server of Qdrant is in the registries, so its published client stands
in: requests are checked by its models, which are made of Qdrant's OpenAPI and know no other field,
and answered by its local mode. Clusters, disks and the speed of a real server are not shown."""

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
    """Loaded by whom it is needed: it takes more than a second, most of it to make hundreds of
    models. Those that are used are made when they are used."""
    with patch.object(BaseModel, "model_rebuild"):
        import qdrant_client
    return qdrant_client


@cache
def known_by(name: str) -> "TypeAdapter[Any]":
    return TypeAdapter(getattr(library().http.models, name))


@dataclass
class FakeQdrant:
    """`status` makes every request fail, `body` is sent in place of an answer, `key` is needed."""

    url: str = ""
    key: str | None = None
    status: int = 200
    body: bytes | None = None
    asked: list[tuple[str, str, Any]] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.lock = threading.Lock()
        self.hangs = threading.Event()
        self.released = threading.Event()
        self.reset()

    def reset(self) -> None:
        warnings.filterwarnings("ignore", message=".*local Qdrant.*")
        self.client = library().QdrantClient(":memory:")
        self.status, self.body = 200, None
        self.asked.clear()

    def count(self, collection: str | None = None) -> int:
        with self.lock:
            names = [one.name for one in self.client.get_collections().collections]
            chosen = [name for name in names if collection in (None, name)]
            return sum(self.client.count(name).count for name in chosen)

    def payloads(self) -> list[dict[str, Any]]:
        with self.lock:
            names = [one.name for one in self.client.get_collections().collections]
            found = [self.client.scroll(name, limit=10_000)[0] for name in names]
        return [point.payload or {} for points in found for point in points]

    def answer(self, method: str, path: str, key: str | None, sent: Any) -> tuple[int, Any]:
        path = path.partition("?")[0]
        self.asked.append((method, path, sent))
        if self.key and key != self.key:
            return 403, None
        if self.status != 200:
            return self.status, None
        try:
            with self.lock:
                return self._answer(method, path.strip("/").split("/"), sent)
        except ValidationError as error:
            self.wrong.append(f"{method} {path}: {error}")
            return 422, None

    def _answer(self, method: str, parts: list[str], sent: Any) -> tuple[int, Any]:
        if parts == ["collections"]:
            listed = [{"name": one.name} for one in self.client.get_collections().collections]
            return 200, {"collections": listed}
        name, rest = parts[1], "/".join(parts[2:])
        exists = self.client.collection_exists(name)
        if method == "PUT" and not rest:
            return self._create(name, exists, sent)
        if not exists:
            return 404, None
        if method == "DELETE":
            return 200, self.client.delete_collection(name)
        return 200, getattr(self, f"_{method}_{rest.replace('/', '_')}".lower())(name, sent)

    def _create(self, name: str, exists: bool, sent: Any) -> tuple[int, Any]:
        asked = known_by("CreateCollection").validate_python(sent)
        if exists:
            return 409, None
        return 200, self.client.create_collection(name, vectors_config=asked.vectors)

    def _put_index(self, name: str, sent: Any) -> Any:
        known_by("CreateFieldIndex").validate_python(sent)
        return _DONE

    def _put_points(self, name: str, sent: Any) -> Any:
        self.client.upsert(
            name, points=known_by("PointInsertOperations").validate_python(sent).points
        )
        return _DONE

    def _post_points_delete(self, name: str, sent: Any) -> Any:
        chosen = known_by("PointsSelector").validate_python(sent)
        self.client.delete(name, points_selector=chosen)
        return _DONE

    def _post_points_query(self, name: str, sent: Any) -> Any:
        asked = known_by("QueryRequest").validate_python(sent)
        found = self.client.query_points(
            name,
            query=sent["query"],
            query_filter=asked.filter,
            limit=asked.limit or 10,
            with_payload=asked.with_payload or False,
        )
        return found.model_dump(mode="json")

    def _post_points_count(self, name: str, sent: Any) -> Any:
        asked = known_by("CountRequest").validate_python(sent)
        return {"count": self.client.count(name, count_filter=asked.filter).count}


_DONE = {"operation_id": 1, "status": "completed"}


@contextmanager
def qdrant_server(port: int = 0) -> Iterator[FakeQdrant]:
    state = FakeQdrant()

    class Handler(QuietHandler):
        protocol_version = "HTTP/1.1"

        def answer(self) -> None:
            sent = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            if state.hangs.is_set():
                state.released.wait(30)
            asked = json.loads(sent) if sent else None
            status, result = state.answer(
                self.command, self.path, self.headers.get("api-key"), asked
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
