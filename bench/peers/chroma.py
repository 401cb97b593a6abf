"""Chroma in process, on disk: a collection for each talk."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

import chromadb
from chromadb import Documents, EmbeddingFunction, Embeddings
from chromadb.config import Settings

from peers.embedder import Embedder
from peers.model import TOP, PeerQuestion, Text


class Embedding(EmbeddingFunction[Documents]):
    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    def __call__(self, input: Documents) -> Embeddings:
        return [self._embedder.embed(text) for text in input]

    @staticmethod
    def name() -> str:
        return "minilm-int8"

    def get_config(self) -> dict[str, Any]:
        return {}


class Peer:
    ways: ClassVar[Sequence[str]] = ("vectors",)

    def __init__(self, folder: Path, embedder: Embedder) -> None:
        settings = Settings(anonymized_telemetry=False)
        self._client = chromadb.PersistentClient(str(folder), settings)
        self._embedding = Embedding(embedder)
        self._talks: dict[str, chromadb.Collection] = {}

    def save(self, text: Text) -> None:
        self.save_many([text])

    def save_many(self, texts: Sequence[Text]) -> None:
        self._talk(texts[0].talk).add(
            ids=[text.id for text in texts],
            documents=[text.text for text in texts],
            metadatas=[
                {"session": text.session, "speaker": text.speaker, "date": text.at}
                for text in texts
            ],
        )

    def ask(self, asked: PeerQuestion, way: str) -> list[str]:
        return self._talk(asked.talk).query(query_texts=[asked.text], n_results=TOP)["ids"][0]

    def _talk(self, name: str) -> chromadb.Collection:
        if name not in self._talks:
            self._talks[name] = self._client.create_collection(
                name, embedding_function=self._embedding
            )
        return self._talks[name]
