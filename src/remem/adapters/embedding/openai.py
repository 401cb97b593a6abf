"""Embed with any server that speaks OpenAI's protocol: OpenAI, Ollama, vLLM and others."""

import asyncio
import contextlib
from collections.abc import Sequence
from typing import Any

import httpx2
import numpy as np

from remem.adapters.circuit import Circuit
from remem.adapters.embedding.batches import split_batches
from remem.adapters.openai_api import Server, bearer_headers
from remem.adapters.retries import TransientError, attempts
from remem.core.errors import TextRefused, Unavailable
from remem.core.ports import Vector
from remem.core.providers import ProviderState

TIMEOUT_S = 30.0
WAITS_S = (1.0, 2.0, 4.0)
# If embedding is slow, a search uses text matches only.
QUERY_TIMEOUT_S = 3.0
QUERY_WAITS_S = (0.0,)
MAX_INPUTS = 100
# Servers accept about 8,000 tokens a text and 300,000 a request; CJK characters may be one each.
MAX_CHARS = 8_000
MAX_REQUEST_CHARS = 200_000
# Only these models can be asked for shorter vectors; others refuse the field.
SHORTENABLE = "text-embedding-3"
# The server works, but rejects these texts.
REJECTED = (400, 413, 422)


class OpenAIEmbedder:
    """POST {base_url}/embeddings, retried after 1, 2 and 4 seconds; a query once, immediately.

    While the circuit is open, a query fails immediately. When a trial is due, the query starts one
    in the background."""

    def __init__(
        self,
        base_url: str,
        api_key: str | None,
        model: str,
        dimensions: int,
        *,
        timeout_s: float = TIMEOUT_S,
        query_timeout_s: float = QUERY_TIMEOUT_S,
        waits_s: Sequence[float] = WAITS_S,
    ) -> None:
        self._server = Server("embedding", model)
        self._url = self._server.endpoint(base_url, "/embeddings")
        self._dimensions = dimensions
        self._timeout_s, self._query_timeout_s = timeout_s, query_timeout_s
        self._waits_s = waits_s
        self._trial: asyncio.Task[None] | None = None
        self._client = httpx2.AsyncClient(headers=bearer_headers(api_key), timeout=timeout_s)
        self.circuit = Circuit("embedding")

    @property
    def model(self) -> str:
        return self._server.model

    @property
    def dimensions(self) -> int:
        return self._dimensions

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        vectors: list[Vector] = []
        for batch in split_batches(map(_sanitize, texts), MAX_INPUTS, MAX_REQUEST_CHARS):
            vectors += await self._embed_with_retries(batch, self._timeout_s, self._waits_s)
        return vectors

    async def embed_query(self, text: str) -> Vector:
        if self.circuit.is_trial_due:
            self._trial = asyncio.create_task(self._run_trial(text))
            # Let the trial begin, so that the next query does not start another one.
            await asyncio.sleep(0)
        timeout_s = min(self._query_timeout_s, self._timeout_s)
        waits_s = QUERY_WAITS_S[: len(self._waits_s)]
        [vector] = await self._embed_with_retries([_sanitize(text)], timeout_s, waits_s)
        return vector

    def state(self) -> ProviderState:
        return self.circuit.state()

    async def check(self) -> None:
        """Check the last calls only: a request to the server would cost money."""
        self.circuit.check()

    async def close(self) -> None:
        if self._trial:
            self._trial.cancel()
            await asyncio.wait([self._trial])
        await self._client.aclose()

    async def _run_trial(self, text: str) -> None:
        with contextlib.suppress(Unavailable):
            await self._embed_with_retries([_sanitize(text)], self._timeout_s, ())

    async def _embed_with_retries(
        self, texts: Sequence[str], timeout_s: float, waits_s: Sequence[float]
    ) -> list[Vector]:
        try:
            async for attempt in attempts(waits_s):
                with attempt, self.circuit.request():
                    return self._read(await self._request(texts, timeout_s), len(texts))
        except TransientError as error:
            raise self._server.unavailable_error(error) from error
        raise AssertionError("unreachable")

    async def _request(self, texts: Sequence[str], timeout_s: float) -> Any:
        body: dict[str, object] = {"model": self.model, "input": texts, "encoding_format": "float"}
        if self.model.startswith(SHORTENABLE):
            body["dimensions"] = self._dimensions
        try:
            # httpx2 limits each read; this also limits a server that sends one byte at a time.
            async with asyncio.timeout(timeout_s):
                response = await self._client.post(self._url, json=body)
        except (httpx2.TimeoutException, TimeoutError):
            raise TransientError(f"no answer in {timeout_s:g} s", timed_out=True) from None
        except httpx2.RequestError as error:
            raise TransientError(type(error).__name__) from None
        if response.status_code in REJECTED:
            raise self._text_refused(response.status_code)
        self._server.raise_for_response(response)
        return self._json(response)

    def _text_refused(self, status: int) -> TextRefused:
        try:
            self._server.raise_for_status(status)
        except Unavailable as error:
            return TextRefused(error.message)
        raise AssertionError("unreachable")

    def _json(self, response: httpx2.Response) -> Any:
        try:
            return response.json()
        except ValueError as error:
            raise self._server.misread_error("something that is not JSON") from error

    def _read(self, answer: Any, count: int) -> list[Vector]:
        rows = self._rows(answer, count)
        wrong_size = [row for row in rows if row.shape != (self._dimensions,)]
        if len(wrong_size) == len(rows):
            raise self._server.misread_error(
                f"vectors of {wrong_size[0].size} dimensions where {self._dimensions} are set; "
                "correct REMEM_EMBEDDING_MODEL or REMEM_EMBEDDING_DIMENSIONS"
            )
        if wrong_size:
            raise self._unusable_vectors("a vector of another length")
        vectors = np.stack(rows)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        if not (np.isfinite(lengths).all() and lengths.all()):
            raise self._unusable_vectors("a vector without a direction")
        return list(vectors / lengths)

    def _rows(self, answer: Any, count: int) -> list[Vector]:
        """The vectors in the order of the texts; servers guarantee only their index."""
        try:
            by_index = {int(item["index"]): item["embedding"] for item in answer["data"]}
            if len(answer["data"]) != count or by_index.keys() != set(range(count)):
                raise self._unusable_vectors(f"{len(answer['data'])} vectors for {count} texts")
            return [np.asarray(by_index[index], dtype=np.float32) for index in range(count)]
        except (KeyError, TypeError, ValueError) as error:
            raise self._server.misread_error("something that is not a list of vectors") from error

    def _unusable_vectors(self, received: str) -> TextRefused:
        """An error of one of the texts; the caller finds out which by sending smaller batches."""
        return TextRefused(self._server.misread_error(received).message, code="embedding_misread")


def _sanitize(text: str) -> str:
    """Truncate to the limit of servers; OpenAI rejects an empty text but not a blank one."""
    return text[:MAX_CHARS].encode("utf-8", "replace").decode("utf-8") or " "
