"""The contract of embedders, tested for every adapter; then tests of single adapters."""

import asyncio
import hashlib
import json
import logging
import sys
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from stamina.instrumentation import RetryDetails, set_on_retry_hooks

from remem.adapters.embedding import ADAPTERS
from remem.adapters.embedding.local import LocalEmbedder
from remem.adapters.embedding.networks import DEFAULT_MODEL, MODELS
from remem.adapters.embedding.openai import OpenAIEmbedder
from remem.adapters.embedding.sentence_transformers import SentenceTransformersEmbedder
from remem.core.errors import CannotStart, Unavailable
from remem.core.ports import Embedder, Vector
from remem.settings import Settings
from tests.tools.second_model import FIRST, ROTATED, SECOND

pytestmark = pytest.mark.anyio

DIMENSIONS = 16
KEY = "key-that-must-stay-secret"
SENTENCE = "Ada moved to Lisbon in March and works on compilers."


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"


# --- a fake server with the real wire format ---

Reply = tuple[int, dict[str, str], bytes]


@dataclass
class Server:
    """Sends `replies` first, then correct replies; records every request."""

    url: str = ""
    replies: list[Reply | Callable[[dict[str, Any]], Reply]] = field(default_factory=list)
    requests: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    hold: threading.Event = field(default_factory=threading.Event)

    def answer(self, body: dict[str, Any]) -> Reply:
        if self.replies:
            reply = self.replies.pop(0)
            return reply(body) if callable(reply) else reply
        return good_reply(body)


def vector_of(text: str, dimensions: int = DIMENSIONS) -> list[float]:
    """Hash words into buckets: the same words give the same direction, never unit length."""
    vector = [0.5] * dimensions
    for word in text.split():
        vector[hashlib.sha256(word.encode()).digest()[0] % dimensions] += 1.0
    return vector


def good_reply(body: dict[str, Any], dimensions: int = DIMENSIONS) -> Reply:
    if any(text == "" for text in body["input"]) or len(body["input"]) > 100:
        return error_reply(400)
    data = [
        {"object": "embedding", "index": index, "embedding": vector_of(text, dimensions)}
        for index, text in enumerate(body["input"])
    ]
    usage = {"prompt_tokens": 1, "total_tokens": 1}
    # The protocol guarantees the index, not the order.
    answer = {"object": "list", "data": data[::-1], "model": body["model"], "usage": usage}
    return 200, {}, json.dumps(answer).encode()


def error_reply(status: int, **headers: str) -> Reply:
    error = {"error": {"message": f"about {SENTENCE}", "type": "server_error", "code": None}}
    sent_headers = {name.replace("_", "-"): value for name, value in headers.items()}
    return status, sent_headers, json.dumps(error).encode()


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    state = Server()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            state.requests.append({"path": self.path, **body})
            state.headers.append(dict(self.headers))
            status, headers, content = state.answer(body)
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *args: object) -> None:
            """Log nothing; clients that disconnect are part of the tests."""

    class Quiet(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, request: object, client_address: object) -> None:
            """Ignore clients that timed out and disconnected."""

    http = Quiet(("127.0.0.1", 0), Handler)
    state.url = f"http://127.0.0.1:{http.server_port}/v1"
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield state
    state.hold.set()
    http.shutdown()
    thread.join()
    http.server_close()


@pytest.fixture
def retries() -> Iterator[list[RetryDetails]]:
    seen: list[RetryDetails] = []

    def record(details: RetryDetails) -> None:
        seen.append(details)

    set_on_retry_hooks([record])
    yield seen
    set_on_retry_hooks(None)


Make = Callable[..., OpenAIEmbedder]


@pytest.fixture
async def make_remote(server: Server) -> AsyncIterator[Make]:
    embedders: list[OpenAIEmbedder] = []

    def make(**options: Any) -> OpenAIEmbedder:
        settings: dict[str, Any] = {
            "model": "tiny",
            "dimensions": DIMENSIONS,
            "waits_s": (0.0, 0.0, 0.0),
            **options,
        }
        embedders.append(OpenAIEmbedder(server.url, KEY, **settings))
        return embedders[-1]

    yield make
    for embedder in embedders:
        await embedder.close()


@pytest.fixture(scope="module")
async def local() -> AsyncIterator[LocalEmbedder]:
    embedder = LocalEmbedder()
    await embedder.warm()
    yield embedder
    await embedder.close()


class FakeSentenceTransformer:
    """A fake of the library, which is an extra of gigabytes, with the calls that are used."""

    def __init__(self, name: str, device: str) -> None:
        if name == "missing":
            raise OSError("There is no such model.")

    def encode(self, texts: list[str], **options: bool) -> np.ndarray:
        assert options["normalize_embeddings"] and all(texts)
        vectors = np.array([vector_of(text) for text in texts], dtype=np.float64)
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


@pytest.fixture
async def transformers(
    monkeypatch: pytest.MonkeyPatch,
) -> AsyncIterator[SentenceTransformersEmbedder]:
    library = ModuleType("sentence_transformers")
    library.__dict__["SentenceTransformer"] = FakeSentenceTransformer
    monkeypatch.setitem(sys.modules, "sentence_transformers", library)
    embedder = SentenceTransformersEmbedder("small", DIMENSIONS)
    yield embedder
    await embedder.close()


async def test_wrong_dimensions_are_reported(
    transformers: SentenceTransformersEmbedder,
) -> None:
    transformers.dimensions = DIMENSIONS + 1
    with pytest.raises(CannotStart, match="REMEM_EMBEDDING_DIMENSIONS"):
        await transformers.embed(["tea"])
    transformers.model = "missing"
    transformers._loaded = None
    with pytest.raises(CannotStart, match="cannot be loaded"):
        await transformers.embed_query("tea")


def test_without_the_extra_it_says_what_to_install() -> None:
    settings = Settings(embedding_provider="sentence_transformers")
    with pytest.raises(CannotStart, match=r"remem\[sentence-transformers\]"):
        ADAPTERS["sentence_transformers"].arguments(settings)


@pytest.fixture(params=sorted({adapter.target for adapter in ADAPTERS.values()}))
def embedder(request: pytest.FixtureRequest) -> Embedder:
    if request.param == ADAPTERS["local"].target:
        return request.getfixturevalue("local")
    if request.param == ADAPTERS["sentence_transformers"].target:
        return request.getfixturevalue("transformers")
    assert request.param == ADAPTERS["openai"].target
    return request.getfixturevalue("make_remote")()


# --- every embedder ---


def cosine(first: Vector, second: Vector) -> float:
    return float(first @ second)


def assert_unit(vectors: Sequence[Vector], embedder: Embedder) -> None:
    for vector in vectors:
        assert vector.shape == (embedder.dimensions,)
        assert vector.dtype == np.float32
        assert np.linalg.norm(vector) == pytest.approx(1.0, abs=1e-5)


async def test_vectors_have_unit_length_and_the_promised_dimensions(embedder: Embedder) -> None:
    assert_unit(await embedder.embed([SENTENCE, "tea"]), embedder)
    assert_unit([await embedder.embed_query(SENTENCE)], embedder)
    assert embedder.model


async def test_no_texts_give_no_vectors(embedder: Embedder) -> None:
    assert await embedder.embed([]) == []


@pytest.mark.parametrize("text", ["", " ", "\n\t"])
async def test_a_text_without_words_has_a_vector(embedder: Embedder, text: str) -> None:
    assert_unit(
        [*await embedder.embed([text, SENTENCE]), await embedder.embed_query(text)], embedder
    )


async def test_vectors_are_in_the_order_of_the_texts(embedder: Embedder) -> None:
    texts = [SENTENCE, "tea", " ".join(["a much longer text about gardens"] * 30), "dogs bark"]
    forwards = await embedder.embed(texts)
    backwards = await embedder.embed(texts[::-1])
    for forward, backward in zip(forwards, backwards[::-1], strict=True):
        assert cosine(forward, backward) > 0.999
    assert cosine(forwards[0], forwards[1]) < 0.999


async def test_the_same_text_has_the_same_vector(embedder: Embedder) -> None:
    [first], [second] = await embedder.embed([SENTENCE]), await embedder.embed([SENTENCE])
    assert np.array_equal(first, second)
    assert cosine(first, await embedder.embed_query(SENTENCE)) > 0.999


async def test_other_texts_of_a_batch_do_not_change_a_vector(embedder: Embedder) -> None:
    texts = [SENTENCE, "tea", "word " * 300, "Wir trinken Tee.", "def f(x): return x + 1"]
    together = await embedder.embed(texts)
    for text, vector in zip(texts, together, strict=True):
        [alone] = await embedder.embed([text])
        assert cosine(alone, vector) > 0.999


@pytest.mark.parametrize("text", ["word " * 100_000, "x" * 500_000, "長" * 100_000])
async def test_a_very_long_text_is_truncated_and_not_refused(embedder: Embedder, text: str) -> None:
    assert_unit(await embedder.embed([text]), embedder)


@pytest.mark.parametrize(
    "text",
    [
        "Füße, naïve, Ångström",
        "東京で会いましょう",
        "👩‍👩‍👧 🎉 🇵🇹",
        "שלום עולם",
        "\u0301\u200d",
        "\ud800 broken",
    ],
    ids=["latin", "cjk", "emoji", "hebrew", "combining", "lone surrogate"],
)
async def test_every_script_has_a_vector(embedder: Embedder, text: str) -> None:
    assert_unit(await embedder.embed([text]), embedder)


async def test_three_hundred_texts_keep_their_order(embedder: Embedder) -> None:
    texts = [f"note {n} about subject number {n * 7}" for n in range(300)]
    vectors = await embedder.embed(texts)
    assert len(vectors) == 300
    assert_unit(vectors, embedder)
    for index in (0, 99, 100, 199, 200, 299):
        assert cosine(vectors[index], await embedder.embed_query(texts[index])) > 0.999


async def test_concurrent_callers_get_their_own_vectors(embedder: Embedder) -> None:
    texts = [f"caller {n} asks about thing {n * 13}" for n in range(20)]
    vectors = await asyncio.gather(*(embedder.embed_query(text) for text in texts))
    expected = await embedder.embed(texts)
    for vector, expected_vector in zip(vectors, expected, strict=True):
        assert cosine(vector, expected_vector) > 0.999


# --- the local adapter ---


async def test_a_paraphrase_is_nearer_than_something_else(local: LocalEmbedder) -> None:
    query, same, other = await local.embed(
        [
            "Where does Ada live now?",
            "Ada has settled down in Lisbon.",
            "The oven needs a new fuse.",
        ]
    )
    assert cosine(query, same) > cosine(query, other) + 0.2


async def test_text_after_the_first_128_tokens_counts(local: LocalEmbedder) -> None:
    filler = "the garden was quiet and green " * 30
    plain, with_end = await local.embed([filler, filler + "and then the bank raised its rates"])
    assert cosine(plain, with_end) < 0.9999


async def test_a_query_does_not_wait_behind_a_batch(local: LocalEmbedder) -> None:
    finished: list[str] = []

    async def batch() -> None:
        # A single slice, which would block a shared worker until it is done.
        await local.embed(["many different words of a long import " * 50] * 4)
        finished.append("batch")

    async def query() -> None:
        await local.embed_query("a question nobody asked before")
        finished.append("query")

    running = asyncio.create_task(batch())
    await asyncio.sleep(0)
    await query()
    await running
    assert finished == ["query", "batch"]


async def test_a_note_does_not_wait_behind_batches(local: LocalEmbedder) -> None:
    chunks = ["The harbour master keeps a log. " * 60] * 20
    batches = [asyncio.create_task(local.embed(chunks)) for _ in range(4)]
    await asyncio.sleep(0)
    await local.embed([SENTENCE])
    assert not any(batch.done() for batch in batches)
    for batch in batches:
        batch.cancel()


async def test_batches_take_turns(local: LocalEmbedder) -> None:
    finished: list[str] = []

    async def embed(name: str, texts: list[str]) -> None:
        await local.embed(texts)
        finished.append(name)

    long = asyncio.create_task(embed("import", ["a line of a long import " * 80] * 4))
    await asyncio.sleep(0)
    await embed("note", ["a short note"])
    await long
    assert finished == ["note", "import"]


async def test_the_query_cache_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("remem.adapters.embedding.local.CACHED_QUERIES", 2)
    fresh = LocalEmbedder()
    first = await fresh.embed_query("one")
    assert await fresh.embed_query("one") is first
    await fresh.embed_query("two")
    await fresh.embed_query("one")
    await fresh.embed_query("three")
    assert await fresh.embed_query("one") is first
    assert list(fresh._queries) == ["three", "one"]
    await fresh.close()


async def test_a_note_is_embedded_once_for_its_document_and_its_memory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("remem.adapters.embedding.local.CACHED_NOTES", 2)
    fresh = LocalEmbedder()
    note, other = await fresh.embed([SENTENCE, "another"])
    again = await fresh.embed(["a third", SENTENCE, SENTENCE])
    assert again[1] is note and again[2] is note
    assert not np.array_equal(again[0], note) and not np.array_equal(other, note)
    # Embedding the same text later, perhaps for another user, takes as long as any other text.
    later = (await fresh.embed([SENTENCE]))[0]
    assert later is not note and np.array_equal(later, note)
    assert list(fresh._notes) == ["a third", SENTENCE]
    assert await fresh.embed([]) == []
    await fresh.close()


async def test_a_shared_vector_cannot_be_changed(local: LocalEmbedder) -> None:
    vector = await local.embed_query("shared")
    with pytest.raises(ValueError, match="read-only"):
        vector[0] = 0.0


async def test_missing_weights_name_the_fix(tmp_path: Path) -> None:
    embedder = LocalEmbedder(folder=tmp_path)
    with pytest.raises(CannotStart, match="make setup"):
        await embedder.warm()
    with pytest.raises(CannotStart, match="make setup"):
        await embedder.embed(["text"])
    await embedder.close()


async def test_damaged_weights_name_the_fix(tmp_path: Path) -> None:
    for name in MODELS[DEFAULT_MODEL].files:
        (tmp_path / name).write_bytes(b"{}")
    embedder = LocalEmbedder(folder=tmp_path)
    with pytest.raises(CannotStart, match="damaged; run `make setup`"):
        await embedder.warm()
    await embedder.close()


# --- the OpenAI adapter ---


async def test_the_request_is_the_one_the_protocol_names(server: Server, make_remote: Make) -> None:
    await make_remote().embed([SENTENCE])
    [request] = server.requests
    assert request == {
        "path": "/v1/embeddings",
        "model": "tiny",
        "input": [SENTENCE],
        "encoding_format": "float",
    }
    assert server.headers[0]["Authorization"] == f"Bearer {KEY}"


async def test_only_models_that_support_it_get_a_dimensions_parameter(
    server: Server, make_remote: Make
) -> None:
    await make_remote(model="text-embedding-3-small").embed([SENTENCE])
    assert server.requests[0]["dimensions"] == DIMENSIONS


async def test_batches_hold_at_most_a_hundred_texts(server: Server, make_remote: Make) -> None:
    await make_remote().embed([f"text {n}" for n in range(250)])
    assert [len(request["input"]) for request in server.requests] == [100, 100, 50]


async def test_batches_of_long_texts_are_smaller(server: Server, make_remote: Make) -> None:
    await make_remote().embed(["x" * 50_000] * 60)
    assert max(sum(map(len, request["input"])) for request in server.requests) <= 200_000


async def test_a_500_is_retried(server: Server, make_remote: Make) -> None:
    server.replies = [error_reply(500), error_reply(503)]
    embedder = make_remote()
    assert_unit(await embedder.embed([SENTENCE]), embedder)
    assert len(server.requests) == 3


async def test_a_lasting_500_is_unavailable_after_four_tries(
    server: Server, make_remote: Make
) -> None:
    server.replies = [error_reply(500)] * 9
    with pytest.raises(Unavailable, match="status 500"):
        await make_remote().embed([SENTENCE])
    assert len(server.requests) == 4


async def test_it_waits_as_configured(
    server: Server, make_remote: Make, retries: list[RetryDetails]
) -> None:
    server.replies = [error_reply(500)] * 9
    with pytest.raises(Unavailable):
        await make_remote(waits_s=(0.01, 0.02, 0.04)).embed([SENTENCE])
    assert [retry.wait_for for retry in retries] == pytest.approx([0.01, 0.02, 0.04])


async def test_a_short_retry_after_is_honoured(server: Server, make_remote: Make) -> None:
    server.replies = [error_reply(429, Retry_After="0")]
    # Our own wait would exceed the timeout of the test; the one of the server is zero.
    embedder = make_remote(waits_s=(20.0,))
    async with asyncio.timeout(120):
        assert_unit(await embedder.embed([SENTENCE]), embedder)
    assert len(server.requests) == 2


async def test_a_retry_after_in_the_past_is_no_wait(server: Server, make_remote: Make) -> None:
    server.replies = [error_reply(429, Retry_After="Wed, 21 Oct 2015 07:28:00 GMT")]
    async with asyncio.timeout(120):
        await make_remote(waits_s=(20.0,)).embed([SENTENCE])
    assert len(server.requests) == 2


async def test_a_long_retry_after_is_not_waited_for(server: Server, make_remote: Make) -> None:
    server.replies = [error_reply(429, Retry_After="3600")] * 9
    with pytest.raises(Unavailable, match="status 429"):
        await make_remote().embed([SENTENCE])
    assert len(server.requests) == 1


@pytest.mark.parametrize("status", [401, 403])
async def test_a_refused_key_is_reported_and_not_retried(
    server: Server, make_remote: Make, status: int
) -> None:
    server.replies = [error_reply(status)] * 9
    with pytest.raises(Unavailable, match="The embedding key was refused") as caught:
        await make_remote().embed([SENTENCE])
    assert caught.value.code == "embedding_key_refused"
    assert KEY not in str(caught.value)
    assert len(server.requests) == 1


async def test_an_unknown_model_is_not_retried(server: Server, make_remote: Make) -> None:
    server.replies = [error_reply(404)] * 9
    with pytest.raises(Unavailable, match="check its address and that it has the model tiny"):
        await make_remote().embed([SENTENCE])
    assert len(server.requests) == 1


def with_missing_vector(body: dict[str, Any]) -> Reply:
    return good_reply({**body, "input": body["input"][1:]})


def with_repeated_index(body: dict[str, Any]) -> Reply:
    status, headers, content = good_reply(body)
    return status, headers, content.replace(b'"index": 1', b'"index": 0')


def with_too_few_dimensions(body: dict[str, Any]) -> Reply:
    return good_reply(body, dimensions=DIMENSIONS - 1)


def with_zero_vectors(body: dict[str, Any]) -> Reply:
    data = [{"index": n, "embedding": [0.0] * DIMENSIONS} for n in range(len(body["input"]))]
    return 200, {}, json.dumps({"data": data}).encode()


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        (with_missing_vector, "1 vectors for 2 texts"),
        (with_repeated_index, "2 vectors for 2 texts"),
        (
            with_too_few_dimensions,
            f"vectors of {DIMENSIONS - 1} dimensions where {DIMENSIONS} are set",
        ),
        (with_zero_vectors, "without a direction"),
        ((200, {}, b"<html>"), "not JSON"),
        ((200, {}, b'{"data": [{"index": 0, "embedding": "AAAA"}, 7]}'), "not a list of vectors"),
        ((200, {}, b'{"data": null}'), "not a list of vectors"),
        ((200, {}, b"[]"), "not a list of vectors"),
    ],
    ids=["count", "index", "dimensions", "zero", "html", "base64", "null", "list"],
)
async def test_an_invalid_reply_is_refused(
    server: Server, make_remote: Make, reply: Any, message: str
) -> None:
    server.replies = [reply]
    with pytest.raises(Unavailable, match=message):
        await make_remote().embed([SENTENCE, "tea"])


async def test_a_silent_server_times_out(server: Server, make_remote: Make) -> None:
    def wait_for_end(body: dict[str, Any]) -> Reply:
        server.hold.wait()
        return good_reply(body)

    server.replies = [wait_for_end] * 9
    with pytest.raises(Unavailable, match=r"no answer in 0\.05 s"):
        await make_remote(timeout_s=0.05).embed([SENTENCE])


async def test_an_unreachable_server_is_reported(server: Server) -> None:
    embedder = OpenAIEmbedder("http://127.0.0.1:1/v1", None, "tiny", DIMENSIONS, waits_s=(0.0,))
    with pytest.raises(Unavailable, match="ConnectError"):
        await embedder.embed_query(SENTENCE)
    await embedder.close()


@pytest.mark.parametrize(
    "address", ["localhost:11434/v1", "ftp://x/v1", "http://", "http://x:port/v1"]
)
async def test_an_invalid_url_is_refused_at_the_start(address: str) -> None:
    with pytest.raises(CannotStart, match="embedding server's address"):
        OpenAIEmbedder(address, KEY, "tiny", DIMENSIONS)


async def test_neither_key_nor_content_is_logged(
    server: Server,
    make_remote: Make,
    caplog: pytest.LogCaptureFixture,
    capsys: pytest.CaptureFixture[str],
) -> None:
    caplog.set_level(logging.DEBUG)
    server.replies = [error_reply(500), error_reply(401)]
    with pytest.raises(Unavailable) as caught:
        await make_remote().embed([SENTENCE])
    printed = capsys.readouterr()
    log_records = [str(vars(record)) for record in caplog.records]
    for text in (*log_records, printed.out, printed.err, str(caught.value)):
        assert KEY not in text
        assert SENTENCE not in text


async def test_other_models_are_released_and_loaded_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(MODELS, SECOND, ROTATED)
    embedder = LocalEmbedder(model=FIRST)
    other = embedder.open_model(SECOND)
    assert other and other is embedder.open_model(SECOND)
    before = await other.embed_query("The kettle is warm.")
    embedder.release_others()
    assert other._network is None
    [again] = await other.embed(["The kettle is warm."])
    assert np.allclose(before, again)
    await embedder.close()


async def test_work_in_the_background_never_delays_a_short_text() -> None:
    """However short its texts are, they are not embedded on the thread of notes."""
    embedder = LocalEmbedder(model=FIRST)
    running, waiting = threading.Event(), threading.Event()
    embedder._short_lane.submit(lambda: (running.set(), waiting.wait()))
    assert running.wait(60)
    vectors = await embedder.in_background().embed(["A short text."])
    waiting.set()
    assert np.allclose(vectors, await embedder.embed(["A short text."]))
    await embedder.close()


async def test_a_batch_uses_every_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    embedder = LocalEmbedder(model=FIRST, threads=2)
    both_run = threading.Barrier(2, timeout=60)

    class Meeting:
        def embed(self, text: str) -> Vector:
            both_run.wait()
            return np.zeros(1, dtype=np.float32)

    monkeypatch.setattr(embedder, "_get_network", Meeting)
    texts = ["A long text. " * 400] * 4
    assert len(await embedder.embed_in_batches(texts)) == len(texts)
    await embedder.close()
