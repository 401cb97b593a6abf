"""One document of every kind in one store: each is the first result for its question."""

import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import pytest

from remem.core.content_kinds import KINDS
from tests.conftest import start_server, stop_server
from tests.samples import make
from tests.samples.make import SAMPLES, sample
from tests.tools.site import Site, page, serving
from tests.tools.speech import speak

DONE_WITHIN_S = 120


@dataclass(frozen=True)
class Row:
    """One document: the name of its file, its kind and text, and the queries that must find it."""

    name: str
    kind: str
    text: str
    question: str
    words: str


TABLE = (
    *(
        Row(name, sample.kind, sample.text, sample.question, sample.words)
        for name, sample in SAMPLES.items()
    ),
    Row(
        "a note",
        "note",
        "Dentist appointments for the twins are on the last Thursday of October.",
        "When do the twins see the dentist?",
        "dentist Thursday October",
    ),
    Row(
        "a page at an address",
        "html",
        "The tram museum restored a carriage from 1911 with its original brass lamps.",
        "Which old carriage did the tram museum repair?",
        "tram brass lamps",
    ),
    Row(
        "scan.pdf",
        "pdf",
        "The notary sealed the will of Countess Amalia in Trieste.",
        "Who sealed the will of the countess?",
        "notary countess Trieste",
    ),
    Row(
        "photo.png",
        "image",
        "Platform nine is closed for repairs until Monday.",
        "Which platform is closed for repairs?",
        "platform closed Monday",
    ),
    Row(
        "voice.wav",
        "audio",
        "The gardener planted three hundred tulips around the hospital.",
        "Who planted tulips around the hospital?",
        "gardener tulips hospital",
    ),
    Row(
        "clip.mp4",
        "video",
        "The orchestra will play on Sunday at the railway station.",
        "When does the orchestra play at the station?",
        "orchestra Sunday railway",
    ),
)


def make_film(folder: Path, row: Row) -> Path:
    sound = speak(row.text, folder / "film.wav")
    inputs = ["-f", "lavfi", "-i", "color=c=gray:s=64x64:r=5", "-i", str(sound), "-shortest"]
    subprocess.run(["ffmpeg", "-v", "error", *inputs, str(folder / row.name)], check=True)
    return folder / row.name


def make_file(folder: Path, row: Row) -> Path:
    path = folder / row.name
    match row.name:
        case "scan.pdf":
            make.scan(path, row.text)
        case "photo.png":
            make.picture(path, row.text)
        case "voice.wav":
            speak(row.text, path)
        case "clip.mp4":
            make_film(folder, row)
        case _:
            sample(folder, row.name, row.text)
    return path


@dataclass(frozen=True)
class Store:
    """One store with one document of every row, all of them finished."""

    http: httpx2.Client
    ids: dict[str, str]

    def first(self, query: str) -> dict[str, Any]:
        reply = self.http.post("/v3/recall", json={"query": query, "limit": 3})
        assert reply.status_code == 200, reply.text
        return reply.json()["results"][0]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    folder = tmp_path_factory.mktemp("every-kind")
    (folder / "store").mkdir()
    server = start_server(folder / "store", REMEM_FETCH_PRIVATE='["127.0.0.1"]')
    headers = {"Authorization": f"Bearer {server.owner_key}"}
    try:
        with (
            serving(Site()) as site,
            httpx2.Client(base_url=server.url, headers=headers, timeout=60) as http,
            ThreadPoolExecutor(4) as pool,
        ):
            saved_ids = pool.map(lambda row: save(http, site, folder, row), TABLE)
            ids = dict(zip((row.name for row in TABLE), saved_ids, strict=True))
            for id in ids.values():
                wait_until_done(http, id)
            yield Store(http, ids)
    finally:
        stop_server(server)


def save(http: httpx2.Client, site: Site, folder: Path, row: Row) -> str:
    """Save it by the endpoint that suits its kind: as text, as an address or as a file."""
    if row.name == "a note":
        reply = http.post("/v3/memory", json={"content": row.text, "content_type": "note"})
    elif row.name == "a page at an address":
        markup = f"<html><body><h1>At the depot</h1><p>{row.text}</p></body></html>"
        site.pages["/depot"] = page(markup.encode(), Content_Type="text/html")
        reply = http.post("/v1/documents", json={"url": f"{site.url}/depot"})
    else:
        data = make_file(folder, row).read_bytes()
        reply = http.post("/v3/documents/upload", files={"file": (row.name, data)})
    assert reply.status_code in (201, 202), reply.text
    return reply.json()["id"]


def wait_until_done(http: httpx2.Client, id: str) -> None:
    deadline = time.monotonic() + DONE_WITHIN_S
    while (document := http.get(f"/v3/documents/{id}").json())["status"] != "done":
        assert document["status"] != "failed", document
        assert time.monotonic() < deadline, f"{document['title']} was never finished"
        time.sleep(0.05)


def test_no_kind_is_missing() -> None:
    assert {row.kind for row in TABLE} == KINDS.keys()


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.name)
def test_every_kind_is_the_first_answer_to_its_question(store: Store, row: Row) -> None:
    assert row.text.lower() not in row.question.lower()
    for query in (row.question, row.words):
        result = store.first(query)
        assert result["document_id"] == store.ids[row.name], (query, result)
        assert result["content_type"] == row.kind
        content = " ".join(chunk["content"] for chunk in result["chunks"]).lower()
        assert all(word.lower() in content for word in row.words.split()), content
