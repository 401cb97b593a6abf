"""Embed on this machine, with the weights that are part of our wheel."""

import asyncio
import threading
from collections import OrderedDict
from collections.abc import Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from remem.adapters.embedding.batches import split_batches
from remem.adapters.embedding.local_models import folder_of, has_files, known_model
from remem.adapters.embedding.networks import (
    DEFAULT_MODEL,
    DIMENSIONS,
    MAX_CHARS,
    MODELS,
    Network,
    check_files,
    load_network,
)
from remem.adapters.model_threads import default_threads, lower_thread_priority
from remem.core.errors import CannotStart
from remem.core.ports import Vector

# About 1,024 tokens: the size of a call after which another caller can use the thread.
SLICE_CHARS = 4_096
SLICE_TEXTS = 64
# A statement or a short note.
SHORT_CHARS = 1_500
CACHED_QUERIES = 1_024
CACHED_NOTES = 64


class LocalEmbedder:
    """A model of this machine. Queries have a thread, short texts have another one, and
    batches have one for each CPU. So neither a search nor the save of a note waits for an import,
    and the event loop waits for none of them."""

    dimensions = DIMENSIONS

    def __init__(
        self,
        *,
        model: str | None = None,
        threads: int | None = None,
        folder: Path | None = None,
    ) -> None:
        self.model = model or DEFAULT_MODEL
        self._kind = known_model(self.model)
        self._folder = folder or folder_of(self._kind)
        self._loading = threading.Lock()
        self._network: Network | None = None
        self._load_error: CannotStart | None = None
        self._lane_count = threads or default_threads()
        self._batch_lanes = ThreadPoolExecutor(
            self._lane_count, "embed-batch", lower_thread_priority
        )
        self._short_lane = ThreadPoolExecutor(1, "embed-short")
        self._query_lane = ThreadPoolExecutor(1, "embed-query")
        self._queries: OrderedDict[str, Vector] = OrderedDict()
        self._notes: OrderedDict[str, Vector] = OrderedDict()
        self._threads = threads
        self._others: dict[str, LocalEmbedder] = {}

    @property
    def local_models(self) -> Collection[str]:
        return MODELS.keys()

    def languages_of(self, model: str) -> Collection[str] | None:
        return MODELS[model].languages if model in MODELS else None

    def open_model(self, model: str) -> "LocalEmbedder | None":
        """Another model of this machine; the first call of its embedder loads it."""
        if model == self.model:
            return self
        if model not in self._others:
            if model not in MODELS or not has_files(model):
                return None
            self._others[model] = LocalEmbedder(model=model, threads=self._threads)
        return self._others[model]

    def stand_in(self, model: str) -> "StandIn":
        return StandIn(self, model)

    def in_background(self) -> "InBackground":
        return InBackground(self)

    def release_others(self) -> None:
        for other in self._others.values():
            with other._loading:
                other._network = None

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        if sum(map(len, texts)) <= SHORT_CHARS:
            return await self._embed_short(texts)
        return await self.embed_in_batches(texts)

    async def embed_in_batches(self, texts: Sequence[str]) -> list[Vector]:
        """On the threads of low priority, whatever the length of the texts."""
        free_lanes = asyncio.Semaphore(self._lane_count)

        async def embed_slice(part: list[str]) -> list[Vector]:
            # All slices at once would make those of other callers wait.
            async with free_lanes:
                return await self._run_on(self._batch_lanes, part)

        slices = split_batches(texts, SLICE_TEXTS, SLICE_CHARS)
        embedded = await asyncio.gather(*map(embed_slice, slices))
        return [vector for vectors in embedded for vector in vectors]

    async def embed_query(self, text: str) -> Vector:
        text = text[:MAX_CHARS]
        vector = self._queries.pop(text, None)
        if vector is None:
            [vector] = await self._run_on(self._query_lane, [text])
        self._queries[text] = vector
        if len(self._queries) > CACHED_QUERIES:
            self._queries.popitem(last=False)
        return vector

    async def warm(self) -> None:
        """Load the model now. Raises CannotStart if it is missing."""
        await self._run_on(self._query_lane, [""])

    async def check(self) -> None:
        """Raise CannotStart if the model is missing or failed to load. A loaded model is not tried,
        because that would wait for queries."""
        if self._load_error:
            raise self._load_error
        if self._network is None:
            check_files(self._kind, self._folder)

    async def close(self) -> None:
        """Shut down the threads. Running calls finish, waiting ones are cancelled."""
        for lane in (self._batch_lanes, self._short_lane, self._query_lane):
            lane.shutdown(wait=False, cancel_futures=True)
        for other in self._others.values():
            await other.close()

    async def _embed_short(self, texts: Sequence[str]) -> list[Vector]:
        """A note of one statement is embedded as a document and then as a memory, which removes the
        vector from the cache. The cache is small, because timing reveals what is in it."""
        known = {text: self._notes.pop(text) for text in texts if text in self._notes}
        if new := [text for text in dict.fromkeys(texts) if text not in known]:
            computed = dict(zip(new, await self._run_on(self._short_lane, new), strict=True))
            known |= computed
            self._notes |= computed
        while len(self._notes) > CACHED_NOTES:
            self._notes.popitem(last=False)
        return [known[text] for text in texts]

    async def _run_on(self, lane: ThreadPoolExecutor, texts: Sequence[str]) -> list[Vector]:
        return await asyncio.get_running_loop().run_in_executor(lane, self._embed_all, texts)

    def _embed_all(self, texts: Sequence[str]) -> list[Vector]:
        network = self._get_network()
        return [network.embed(text) for text in texts]

    def _get_network(self) -> Network:
        with self._loading:
            if self._network is None:
                self._network = self._load()
            return self._network

    def _load(self) -> Network:
        try:
            network = load_network(self._kind, self._folder)
        except CannotStart as error:
            self._load_error = error
            raise
        self._load_error = None
        return network


class StandIn:
    """Embeds under the name of a model whose files are missing, with another of the same space."""

    def __init__(self, embedder: "LocalEmbedder | InBackground", model: str) -> None:
        self.model, self.dimensions = model, embedder.dimensions
        self.embed, self.embed_query = embedder.embed, embedder.embed_query
        self.check, self.close = embedder.check, embedder.close


class InBackground:
    """A local embedder for work that nobody waits for."""

    def __init__(self, embedder: LocalEmbedder) -> None:
        self.model, self.dimensions = embedder.model, embedder.dimensions
        self.embed, self.embed_query = embedder.embed_in_batches, embedder.embed_query
        self.check, self.close = embedder.check, embedder.close
        self._embedder = embedder

    @property
    def local_models(self) -> Collection[str]:
        return self._embedder.local_models

    def languages_of(self, model: str) -> Collection[str] | None:
        return self._embedder.languages_of(model)

    def open_model(self, model: str) -> "InBackground | None":
        other = self._embedder.open_model(model)
        return other.in_background() if other else None

    def stand_in(self, model: str) -> "StandIn":
        return StandIn(self, model)

    def in_background(self) -> "InBackground":
        return self

    def release_others(self) -> None:
        self._embedder.release_others()
