"""The database is killed between any two statements of a save, for every way to save something.

What was acknowledged is there, once and with its original; what was not can be saved again."""

import asyncio
import base64
import itertools
import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import httpx2
import pytest

from tests.conftest import READABLE_HOST, Server, start_server, stop_server
from tests.surfaces.mcp.conftest import over_http
from tests.surfaces.rest.people import call
from tests.surfaces.rest.test_uploads import pdf
from tests.tools import killed_database
from tests.tools.folders import new_folder
from tests.tools.site import Site, page, serving
from tests.tools.waiting import until

# A save has fewer statements, with those of its jobs.
MOST = 300


@dataclass(frozen=True)
class Store:
    """A server whose database can be killed, and a site that it may read."""

    server: Server
    http: httpx2.Client
    site: Site

    def post(self, path: str, body: Any, **options: Any) -> bool:
        return self._is_saved(self.http.post(path, json=body, **options))

    def send(self, path: str, **options: Any) -> bool:
        return self._is_saved(self.http.post(path, **options))

    def _is_saved(self, reply: httpx2.Response) -> bool:
        """Whether the save was acknowledged. What was not kept is refused with 503: nothing of the
        request is wrong."""
        assert reply.status_code in (200, 201, 202, 503), reply.text
        return reply.status_code != 503


@pytest.fixture(scope="module")
def store() -> Iterator[Store]:
    folder = new_folder()
    with serving(Site(host=READABLE_HOST)) as site:
        server = start_server(
            folder,
            module=killed_database.__name__,
            REMEM_FETCH_PRIVATE=json.dumps([READABLE_HOST]),
            REMEM_LOG_LEVEL="error",
        )
        with call(server.url, server.owner_key) as http:
            yield Store(server, http, site)
        stop_server(server)
    shutil.rmtree(folder, ignore_errors=True)


def sentence(word: str) -> str:
    return f"Locker {word} at the station is painted green."


def text(store: Store, word: str) -> bool:
    return store.post("/v3/memory", {"content": sentence(word)})


def asynchronous(store: Store, word: str) -> bool:
    return store.post("/v3/memory", {"content": sentence(word)}, params={"async": "true"})


def in_base64(store: Store, word: str) -> bool:
    content = base64.b64encode(pdf(sentence(word))).decode()
    return store.post("/v3/memory", {"content": content, "content_type": "pdf"})


def upload(store: Store, word: str) -> bool:
    files = {"file": (f"{word}.md", sentence(word).encode())}
    return store.send("/v3/documents/upload", files=files)


def large_upload(store: Store, word: str) -> bool:
    """A PDF is read by a job."""
    return store.send("/v3/documents/upload", files={"file": (f"{word}.pdf", pdf(sentence(word)))})


def address(store: Store, word: str) -> bool:
    store.site.pages[f"/{word}"] = page(sentence(word).encode(), content_type="text/plain")
    url = f"{store.site.url}/{word}"
    return store.post("/v3/memory", {"content": url, "content_type": "url"})


def container(store: Store, word: str) -> bool:
    file = base64.b64encode(pdf(sentence(word))).decode()
    return store.post("/v1/documents", {"file": file, "filename": f"{word}.pdf"})


def memory(store: Store, word: str) -> bool:
    return store.post("/api/memories", {"content": sentence(word)})


def tool(store: Store, word: str) -> bool:
    is_saved = False

    async def save() -> None:
        nonlocal is_saved
        async with over_http(store.server, store.server.owner_key, "2026-07-28") as client:
            reply = await client.call_tool("memory", {"content": sentence(word)})
            is_saved = not reply.is_error

    with suppress(ExceptionGroup):
        asyncio.run(save())
    return is_saved


def imported(store: Store, word: str) -> bool:
    line = [{"id": word, "memory": sentence(word), "user_id": "anna"}]
    return store.send("/v3/import", content=json.dumps(line).encode(), params={"from": "mem0"})


def synced(store: Store, word: str) -> bool:
    folder = store.server.folders / word
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{word}.md").write_text(sentence(word))
    return store.post("/v3/connectors/folder/connect", {"fields": {"path": str(folder)}})


# Each way to save, and whether the original is kept as a file.
DOCUMENTS: dict[Callable[[Store, str], bool], bool] = {
    text: False,
    asynchronous: False,
    in_base64: True,
    upload: True,
    large_upload: True,
    address: True,
    container: True,
    synced: False,
}
DOCUMENTS_BY_TOOL = {tool: False}
MEMORIES = (memory, imported)
WAYS = [*DOCUMENTS, *DOCUMENTS_BY_TOOL, *MEMORIES]
# Ways that share no code. The others are killed at their last two commits, because each kill costs
# a second, unless EVERY_STATEMENT is in the environment.
THOROUGH = (asynchronous, in_base64, large_upload, address, memory)


# Between all statements, a way is killed up to a hundred times, each time with a restart.
@pytest.mark.timeout(3_600 if killed_database.EVERY_STATEMENT else 600)
@pytest.mark.parametrize("save", WAYS, ids=lambda way: way.__name__)
def test_a_database_killed_between_any_two_statements(store: Store, save) -> None:
    for statements in itertools.count(first_point(store, save)):
        assert statements < MOST, "the save never ended before the kill"
        word = f"zq{save.__name__.replace('_', '')}{statements}"
        killed_database.arm(store.server.data_dir, statements)
        is_saved = save(store, word)
        if not is_saved:
            assert killed_database.disarm(store.server.data_dir)
            # Other connections of the pool are dead too, and each is noticed when it is used.
            until(lambda word=word: save(store, word))
        check(store, save, word)
        if not killed_database.disarm(store.server.data_dir):
            assert statements > 1, "the statements of the save are not counted"
            return


def first_point(store: Store, save: Callable[[Store, str], bool]) -> int:
    if save in THOROUGH or killed_database.EVERY_STATEMENT:
        return 1
    word = f"zq{save.__name__.replace('_', '')}whole"
    killed_database.arm(store.server.data_dir, MOST)
    until(lambda: save(store, word))
    check(store, save, word)
    counted = MOST - killed_database.remaining(store.server.data_dir)
    assert counted > 1, "the statements of the save are not counted"
    return counted - 1


def check(store: Store, save: Callable[[Store, str], bool], word: str) -> None:
    if save in MEMORIES:
        # Not read again: that may use another dead connection, whose reply is 503.
        assert len(until(lambda: memories_with(store, word))) == 1
        return
    document = until(lambda: finished(store, word))
    assert document["status"] == "done", document
    if DOCUMENTS.get(save):
        reply = until(lambda: original(store, document["id"]))
        assert reply.status_code == 200, reply.text


def original(store: Store, id: str) -> httpx2.Response | None:
    """The reply of a connection that lives; a dead one, noticed when it is used, replies 503."""
    reply = store.http.get(f"/v3/documents/{id}/original")
    return reply if reply.status_code != 503 else None


def finished(store: Store, word: str) -> dict[str, Any] | None:
    reply = store.http.get("/v3/documents", params={"limit": 20})
    documents = reply.json()["documents"] if reply.status_code == 200 else []
    same = [document for document in documents if word in document["title"]]
    assert len(same) <= 1, "it was saved twice"
    return same[0] if same and same[0]["status"] in ("done", "failed") else None


def memories_with(store: Store, word: str) -> list[dict[str, Any]]:
    reply = store.http.get("/api/memories", params={"limit": 20})
    memories = reply.json()["memories"] if reply.status_code == 200 else []
    return [memory for memory in memories if word in memory["content"]]
