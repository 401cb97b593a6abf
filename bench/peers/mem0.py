"""mem0 with infer=False on its embedded Qdrant, with a user for each talk and no language model."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

import fastembed
from fastembed import SparseTextEmbedding
from mem0 import Memory
from mem0.embeddings.base import EmbeddingBase
from mem0.utils.factory import EmbedderFactory

from peers.embedder import Embedder
from peers.model import TOP, PeerQuestion, Text

VECTORS, HYBRID = "vectors", "hybrid"
# Only names mem0 knows pass its check.
PROVIDER = "huggingface"


class Embedding(EmbeddingBase):
    """mem0 creates embedders by class name; this one uses the embedder in its class attribute."""

    embedder: ClassVar[Embedder]

    def embed(self, text: str, memory_action: str | None = None) -> list[float]:
        return Embedding.embedder.embed(text).tolist()


class Peer:
    ways: ClassVar[Sequence[str]] = (VECTORS, HYBRID)

    def __init__(self, folder: Path, embedder: Embedder) -> None:
        Embedding.embedder = embedder
        EmbedderFactory.provider_to_class[PROVIDER] = f"{__name__}.Embedding"
        _count_words_without_the_hub(folder)
        self._memory = Memory.from_config(_config(folder))
        self._encoder = self._memory.vector_store._get_bm25_encoder()
        if self._encoder is None:
            raise RuntimeError("mem0 could not load its BM25 encoder.")

    def save(self, text: Text) -> None:
        metadata = {
            "turn": text.id, "session": text.session, "speaker": text.speaker, "date": text.at,
        }  # fmt: skip
        self._memory.add(text.text, user_id=text.talk, metadata=metadata, infer=False)

    def save_many(self, texts: Sequence[Text]) -> None:
        # Many messages can be added at once, but only with one metadata for all of them.
        raise NotImplementedError

    def ask(self, asked: PeerQuestion, way: str) -> list[str]:
        # False means to mem0 that fastembed is missing; it then searches by vectors alone.
        self._memory.vector_store._bm25_encoder = self._encoder if way == HYBRID else False
        reply = self._memory.search(asked.text, filters={"user_id": asked.talk}, top_k=TOP)
        return [result["metadata"]["turn"] for result in reply["results"]]


def _config(folder: Path) -> dict[str, Any]:
    store = {
        "collection_name": "talks",
        "path": str(folder / "qdrant"),
        "on_disk": True,
        "embedding_model_dims": 384,
    }
    return {
        "embedder": {"provider": PROVIDER, "config": {"embedding_dims": 384}},
        "vector_store": {"provider": "qdrant", "config": store},
        "llm": {"provider": "openai", "config": {"api_key": "never called"}},
        "history_db_path": str(folder / "history.db"),
    }


def _count_words_without_the_hub(folder: Path) -> None:
    """Give fastembed the local stop words; it would download its BM25, which is such a list, from a
    hub."""

    class Encoder(SparseTextEmbedding):
        def __init__(self, model_name: str) -> None:
            super().__init__(model_name, specific_model_path=str(folder.parent / "stopwords"))

    fastembed.SparseTextEmbedding = Encoder
