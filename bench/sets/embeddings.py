"""An embedder that caches every vector in a file, so that a second run is fast."""

import hashlib
import sqlite3
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from remem.core.ports import Embedder, Vector

CACHE = Path(__file__).parents[2] / ".bench" / "embeddings.sqlite"


class CachedEmbedder:
    """The vectors of `embedder`, cached in `file`."""

    def __init__(self, embedder: Embedder, file: Path = CACHE) -> None:
        file.parent.mkdir(exist_ok=True)
        self._embedder = embedder
        self._rows = sqlite3.connect(file, timeout=60, isolation_level=None)
        self._rows.execute("PRAGMA journal_mode = WAL")
        self._rows.execute("CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, vector BLOB)")

    @property
    def model(self) -> str:
        return self._embedder.model

    @property
    def dimensions(self) -> int:
        return self._embedder.dimensions

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        keys = [self._key("text", text) for text in texts]
        known = {key: vector for key in keys if (vector := self._read(key)) is not None}
        missing = [n for n, key in enumerate(keys) if key not in known]
        vectors = await self._embedder.embed([texts[n] for n in missing]) if missing else []
        for n, vector in zip(missing, vectors, strict=True):
            known[keys[n]] = self._write(keys[n], vector)
        return [known[key] for key in keys]

    async def embed_query(self, text: str) -> Vector:
        key = self._key("query", text)
        known = self._read(key)
        return self._write(key, await self._embedder.embed_query(text)) if known is None else known

    async def check(self) -> None:
        await self._embedder.check()

    async def close(self) -> None:
        self._rows.close()
        await self._embedder.close()

    def _key(self, kind: str, text: str) -> bytes:
        return hashlib.sha256(f"{self.model}\n{kind}\n{text}".encode()).digest()

    def _read(self, key: bytes) -> Vector | None:
        row = self._rows.execute("SELECT vector FROM vectors WHERE key = ?", (key,)).fetchone()
        return np.frombuffer(row[0], dtype=np.float32) if row else None

    def _write(self, key: bytes, vector: Vector) -> Vector:
        array = np.asarray(vector, dtype=np.float32)
        self._rows.execute("INSERT OR REPLACE INTO vectors VALUES (?, ?)", (key, array.tobytes()))
        return array
