"""One container of the image: start it, wait until it is ready, save and recall, end it."""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import httpx2

from tests.image.engine import Engine, EngineFailed

READY_WITHIN_S = 180
PORT = 8080
# As docs/scale.md says that it can be run.
SEALED = (
    *("--read-only", "--tmpfs", "/tmp", "--cap-drop", "all"),
    *("--security-opt", "no-new-privileges"),
)
UNLIMITED = (
    *("--env", "REMEM_RATE_LIMIT=1000000"),
    *("--env", "REMEM_USER_RATE_LIMIT=1000000"),
)


@dataclass(frozen=True)
class Container:
    engine: Engine
    id: str
    started_at: float

    @cached_property
    def url(self) -> str:
        return f"http://{self.engine('port', self.id, str(PORT))}"

    @cached_property
    def http(self) -> httpx2.Client:
        key = self.execute("cat", "/data/owner.key")
        headers = {"Authorization": f"Bearer {key}"}
        return httpx2.Client(base_url=self.url, headers=headers, timeout=120)

    def execute(self, *words: str) -> str:
        return self.engine("exec", self.id, *words)

    def wait_until_ready(self) -> float:
        """The seconds from its start until it is ready."""
        self.wait_until(self._is_ready, "ready")
        return time.monotonic() - self.started_at

    def wait_until(self, is_so: Callable[[], bool], what: str) -> None:
        deadline = time.monotonic() + READY_WITHIN_S
        while not is_so():
            if not self.is_running() or time.monotonic() > deadline:
                raise EngineFailed(f"it is never {what}:\n{self.log()[-3_000:]}")
            time.sleep(0.05)

    def _is_ready(self) -> bool:
        try:
            return httpx2.get(f"{self.url}/health/ready", timeout=5).status_code == 200
        except httpx2.HTTPError:
            return False

    def is_running(self) -> bool:
        return self.state()["Running"]

    def state(self) -> dict[str, Any]:
        return json.loads(self.engine("inspect", "--format", "{{json .State}}", self.id))

    def log(self) -> str:
        process = self.engine.attempt("logs", self.id)
        return process.stdout + process.stderr

    def wait(self, timeout_s: float) -> int:
        """The exit status of a container that ends by itself."""
        return int(self.engine("wait", self.id, timeout_s=timeout_s))

    def save(self, content: str) -> str:
        reply = self.http.post("/v3/memory", json={"content": content})
        if reply.status_code != 201:
            raise EngineFailed(f"not saved: {reply.status_code} {reply.text}")
        return reply.json()["id"]

    def recall(self, query: str, limit: int = 50) -> list[str]:
        reply = self.http.post("/v3/recall", json={"query": query, "limit": limit})
        reply.raise_for_status()
        return [
            chunk["content"] for result in reply.json()["results"] for chunk in result["chunks"]
        ]


@contextmanager
def container(
    engine: Engine, image: str, *options: str, command: str = "serve"
) -> Iterator[Container]:
    started_at = time.monotonic()
    process = engine.run(
        *("--detach", "--publish", f"127.0.0.1::{PORT}"),
        *(*SEALED, *UNLIMITED, *options, image),
    )
    if process.returncode:
        raise EngineFailed(process.stderr[-2_000:])
    running = Container(engine, process.stdout.strip(), started_at)
    try:
        yield running
    finally:
        engine.attempt("rm", "--force", "--time", "0", running.id)


@contextmanager
def volume(engine: Engine, *options: str) -> Iterator[str]:
    name = engine("volume", "create", *options)
    try:
        yield name
    finally:
        engine.attempt("volume", "rm", "--force", name)
