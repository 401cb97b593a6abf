"""Embeds by any server that speaks OpenAI's protocol: OpenAI itself, Ollama, vLLM and others."""

import asyncio
import time
from collections.abc import Iterator, Sequence
from typing import Any

import httpx2
import numpy as np

from remem.adapters.openai_api import Server, bearer
from remem.adapters.retries import Passing, attempts
from remem.core.errors import Unavailable
from remem.core.ports import Vector

TIMEOUT_S = 30.0
WAITS_S = (1.0, 2.0, 4.0)
FAILURE_COUNTS_S = 30.0
MAX_INPUTS = 100
# Servers take about 8,000 tokens a text and 300,000 a request; a CJK character may be a token.
MAX_CHARS = 8_000
MAX_REQUEST_CHARS = 200_000
# Only these models can be asked for shorter vectors; others refuse the field.
SHORTENABLE = "text-embedding-3"


class OpenAIEmbedder:
    """POST {base_url}/embeddings, tried again after 1, 2 and 4 seconds."""

    def __init__(
        self,
        base_url: str,
        api_key: str | None,
        model: str,
        dimensions: int,
        *,
        timeout_s: float = TIMEOUT_S,
        waits_s: Sequence[float] = WAITS_S,
    ) -> None:
        self._server = Server("embedding", model)
        self._url = self._server.endpoint(base_url, "/embeddings")
        self._dimensions = dimensions
        self._timeout_s = timeout_s
        self._waits_s = waits_s
        self._failure: Unavailable | None = None
        self._failed_at = 0.0
        self._client = httpx2.AsyncClient(headers=bearer(api_key), timeout=timeout_s)

    @property
    def model(self) -> str:
        return self._server.model

    @property
    def dimensions(self) -> int:
        return self._dimensions

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        try:
            vectors: list[Vector] = []
            for batch in _batches(texts):
                vectors += self._read(await self._ask_patiently(batch), len(batch))
        except Unavailable as error:
            self._failure, self._failed_at = error, time.monotonic()
            raise
        self._failure = None
        return vectors

    async def embed_query(self, text: str) -> Vector:
        [vector] = await self.embed([text])
        return vector

    async def check(self) -> None:
        """By what became of the last call: to ask the server only to see would be paid for. A
        failure is forgotten after a while, so that somebody tries again."""
        if self._failure and time.monotonic() - self._failed_at < FAILURE_COUNTS_S:
            raise self._failure

    async def close(self) -> None:
        await self._client.aclose()

    async def _ask_patiently(self, texts: Sequence[str]) -> Any:
        try:
            async for attempt in attempts(self._waits_s):
                with attempt:
                    return await self._ask(texts)
        except Passing as error:
            raise self._server.down(error) from error
        raise AssertionError("unreachable")

    async def _ask(self, texts: Sequence[str]) -> Any:
        body: dict[str, object] = {"model": self.model, "input": texts, "encoding_format": "float"}
        if self.model.startswith(SHORTENABLE):
            body["dimensions"] = self._dimensions
        try:
            # httpx2 bounds each read; this bounds a server that answers a byte at a time.
            async with asyncio.timeout(self._timeout_s):
                response = await self._client.post(self._url, json=body)
        except (httpx2.TimeoutException, TimeoutError):
            raise Passing(f"no answer in {self._timeout_s:g} s") from None
        except httpx2.RequestError as error:
            raise Passing(type(error).__name__) from None
        self._server.refuse_failure(response)
        return self._json(response)

    def _json(self, response: httpx2.Response) -> Any:
        try:
            return response.json()
        except ValueError as error:
            raise self._server.misread("something that is not JSON") from error

    def _read(self, answer: Any, count: int) -> list[Vector]:
        rows = self._rows(answer, count)
        if wrong := [row for row in rows if row.shape != (self._dimensions,)]:
            raise self._server.misread(
                f"vectors of {wrong[0].size} dimensions where {self._dimensions} are set; "
                "correct the model or the dimensions"
            )
        vectors = np.stack(rows)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        if not (np.isfinite(lengths).all() and lengths.all()):
            raise self._server.misread("a vector without a direction")
        return list(vectors / lengths)

    def _rows(self, answer: Any, count: int) -> list[Vector]:
        """The rows in the order of the texts; servers promise only the index, not the order."""
        try:
            by_index = {int(item["index"]): item["embedding"] for item in answer["data"]}
            if len(answer["data"]) != count or by_index.keys() != set(range(count)):
                raise self._server.misread(f"{len(answer['data'])} vectors for {count} texts")
            return [np.asarray(by_index[index], dtype=np.float32) for index in range(count)]
        except (KeyError, TypeError, ValueError) as error:
            raise self._server.misread("something that is not a list of vectors") from error


def _batches(texts: Sequence[str]) -> Iterator[list[str]]:
    batch: list[str] = []
    chars = 0
    for text in map(_sendable, texts):
        if batch and (len(batch) == MAX_INPUTS or chars + len(text) > MAX_REQUEST_CHARS):
            yield batch
            batch, chars = [], 0
        batch.append(text)
        chars += len(text)
    if batch:
        yield batch


def _sendable(text: str) -> str:
    """Cut to what servers take; OpenAI refuses an empty text but not a blank one."""
    return text[:MAX_CHARS].encode("utf-8", "replace").decode("utf-8") or " "
