"""mcp-memory-service through its storage class on sqlite-vec, with a database for each talk."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

import numpy as np
from mcp_memory_service.models.memory import Memory
from mcp_memory_service.storage.mixins import embeddings
from mcp_memory_service.storage.shared import _embedding_cache_clear
from mcp_memory_service.storage.sqlite_vec import SqliteVecMemoryStorage
from mcp_memory_service.utils.hashing import generate_content_hash
from numpy.typing import NDArray

from peers.embedder import Embedder
from peers.model import TOP, PeerQuestion, Text

MODEL = "all-MiniLM-L6-v2"
VECTORS, HYBRID = "vectors", "hybrid"


class Embedding:
    embedding_dimension = 384

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    def encode(self, texts: Sequence[str], **options: object) -> NDArray[np.float32]:
        return np.array([self._embedder.embed(text) for text in texts])


class Peer:
    ways: ClassVar[Sequence[str]] = (VECTORS, HYBRID)

    def __init__(self, folder: Path, embedder: Embedder) -> None:
        # Its cache of loaded models: it finds this model there instead of loading its own.
        embeddings._MODEL_CACHE[f"onnx_{MODEL}"] = Embedding(embedder)
        self._folder = folder
        self._loop = asyncio.Runner()
        self._talks: dict[str, SqliteVecMemoryStorage] = {}
        self._way = VECTORS

    def save(self, text: Text) -> None:
        self._loop.run(self._save(text))

    async def _save(self, text: Text) -> None:
        # By default it refuses texts similar to a memory of the last day, as half of a talk is.
        talk = await self._talk(text.talk)
        is_stored, reason = await talk.store(_memory(text), skip_semantic_dedup=True)
        if not is_stored:
            raise RuntimeError(f"{text.id} was refused: {reason}")

    def save_many(self, texts: Sequence[Text]) -> None:
        self._loop.run(self._save_many(texts))

    async def _save_many(self, texts: Sequence[Text]) -> None:
        talk = await self._talk(texts[0].talk)
        refused = [
            reason
            for is_stored, reason in await talk.store_batch([_memory(text) for text in texts])
            if not is_stored
        ]
        if refused:
            raise RuntimeError(f"{len(refused)} were refused: {refused[0]}")

    def ask(self, asked: PeerQuestion, way: str) -> list[str]:
        if way != self._way:
            # Each kind of search embeds the questions again.
            _embedding_cache_clear()
            self._way = way
        return self._loop.run(self._ask(asked, way))

    async def _ask(self, asked: PeerQuestion, way: str) -> list[str]:
        talk = await self._talk(asked.talk)
        search = talk.retrieve_hybrid if way == HYBRID else talk.retrieve
        return [
            result.memory.metadata["turn"] for result in await search(asked.text, n_results=TOP)
        ]

    async def _talk(self, name: str) -> SqliteVecMemoryStorage:
        if name not in self._talks:
            storage = SqliteVecMemoryStorage(str(self._folder / f"{name}.db"), MODEL)
            await storage.initialize()
            self._talks[name] = storage
        return self._talks[name]


def _memory(text: Text) -> Memory:
    return Memory(
        content=text.text,
        content_hash=generate_content_hash(text.text),
        tags=[text.session],
        metadata={"turn": text.id, "speaker": text.speaker},
        created_at_iso=text.at,
    )
