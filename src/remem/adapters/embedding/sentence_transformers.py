"""Embed on this machine with any sentence-transformers model (an optional extra)."""

import asyncio
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from remem.core.errors import CannotStart
from remem.core.ports import Vector

MAX_CHARS = 32_000


class SentenceTransformersEmbedder:
    """The first use loads the model, from a folder or by name from the cache of Hugging Face.
    Queries have their own thread, so that they do not wait for an import."""

    def __init__(self, model: str, dimensions: int) -> None:
        self.model, self.dimensions = model, dimensions
        self._loading = threading.Lock()
        self._loaded: Any = None
        self._batches = ThreadPoolExecutor(1, "embed-batch")
        self._queries = ThreadPoolExecutor(1, "embed-query")

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        return await self._run_on(self._batches, texts) if texts else []

    async def embed_query(self, text: str) -> Vector:
        [vector] = await self._run_on(self._queries, [text])
        return vector

    async def check(self) -> None:
        """Nothing to check: errors of the local model show when it is loaded."""

    async def close(self) -> None:
        for lane in (self._batches, self._queries):
            lane.shutdown(wait=False, cancel_futures=True)

    async def _run_on(self, lane: ThreadPoolExecutor, texts: Sequence[str]) -> list[Vector]:
        return await asyncio.get_running_loop().run_in_executor(lane, self._encode, list(texts))

    def _encode(self, texts: list[str]) -> list[Vector]:
        sanitized = [text[:MAX_CHARS].encode("utf-8", "replace").decode() or " " for text in texts]
        encoded = self._network().encode(
            sanitized, normalize_embeddings=True, show_progress_bar=False
        )
        vectors = np.asarray(encoded, dtype=np.float32)
        if vectors.shape != (len(texts), self.dimensions):
            raise CannotStart(
                f"The model {self.model} makes vectors of {vectors.shape[-1]} dimensions where "
                f"{self.dimensions} are set; correct REMEM_EMBEDDING_DIMENSIONS."
            )
        return list(vectors)

    def _network(self) -> Any:
        with self._loading:
            if self._loaded is None:
                self._loaded = _load(self.model)
            return self._loaded


def _load(model: str) -> Any:
    from sentence_transformers import SentenceTransformer

    try:
        return SentenceTransformer(model, device="cpu")
    except Exception as error:  # It raises errors of torch and the hub.
        raise CannotStart(
            f"The embedding model {model} cannot be loaded ({type(error).__name__}); download it, "
            "or name its folder in REMEM_EMBEDDING_MODEL."
        ) from error
