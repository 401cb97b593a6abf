"""Embeds on this machine, with the weights that came in our own wheel."""

import asyncio
import sys
import threading
from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from remem.adapters.embedding.batches import batches
from remem.adapters.processors import give_way, processors
from remem.core.errors import CannotStart
from remem.core.ports import Vector

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer

MAX_TOKENS = 512
# At 32 characters a token this cuts nothing that could still be read, and bounds tokenizing.
MAX_CHARS = 32 * MAX_TOKENS
# About 1,024 tokens: as long as one caller keeps a thread before another has a turn.
SLICE_CHARS = 4_096
SLICE_TEXTS = 64
# A statement or a short note in a request.
SHORT_CHARS = 1_500
CACHED_QUERIES = 1_024
CACHED_NOTES = 64
SWITCH_INTERVAL_S = 0.0005
HOW_TO_FIX = "run `make setup`, or reinstall the package"


@dataclass(frozen=True, slots=True)
class Network:
    """The loaded tokenizer and session; both may be used from several threads at once."""

    tokenizer: "Tokenizer"
    session: "InferenceSession"

    def embed(self, text: str) -> Vector:
        """Embed one text alone.

        The int8 weights scale activations over everything in a run, so that a text's vector
        would shift with its company (cosine 0.985 in a padded batch of 2,048 tokens). Alone it
        is the same every time, and on one thread about as fast."""
        ids = np.array([self.tokenizer.encode(_readable(text)).ids], dtype=np.int64)
        fed = {
            "input_ids": ids,
            "attention_mask": np.ones_like(ids),
            "token_type_ids": np.zeros_like(ids),
        }
        hidden = np.asarray(self.session.run(None, fed)[0], dtype=np.float32)
        # Without padding the attention mask is all ones, and pooling under it a plain mean.
        return _unit(hidden[0].mean(axis=0))


class LocalEmbedder:
    """all-MiniLM-L6-v2 as int8 ONNX. Batches have threads of their own, as many as there are
    processors; queries have one, and so have short texts. So neither a search nor the save of a
    note waits behind an import, and the event loop behind none of them."""

    model = "all-MiniLM-L6-v2-int8"
    dimensions = 384

    def __init__(self, *, threads: int | None = None, folder: Path | None = None) -> None:
        self._folder = folder or Path(str(files("remem.models"))) / "minilm"
        self._loading = threading.Lock()
        self._network: Network | None = None
        self._broken: CannotStart | None = None
        self._batch_lanes = ThreadPoolExecutor(threads or processors(), "embed-batch", give_way)
        self._short_lane = ThreadPoolExecutor(1, "embed-short")
        self._query_lane = ThreadPoolExecutor(1, "embed-query")
        self._queries: OrderedDict[str, Vector] = OrderedDict()
        self._notes: OrderedDict[str, Vector] = OrderedDict()

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        if sum(map(len, texts)) <= SHORT_CHARS:
            return await self._embed_short(texts)
        vectors: list[Vector] = []
        for part in batches(texts, SLICE_TEXTS, SLICE_CHARS):
            vectors += await self._on(self._batch_lanes, part)
        return vectors

    async def embed_query(self, text: str) -> Vector:
        text = text[:MAX_CHARS]
        vector = self._queries.pop(text, None)
        if vector is None:
            [vector] = await self._on(self._query_lane, [text])
        self._queries[text] = vector
        if len(self._queries) > CACHED_QUERIES:
            self._queries.popitem(last=False)
        return vector

    async def warm(self) -> None:
        """Load now what the first use would load; raises CannotStart when it is not there."""
        await self._on(self._query_lane, [""])

    async def check(self) -> None:
        """A model that is loaded needs no proof, which would wait behind the queries of others;
        one that is not yet must be there, and not have failed to load."""
        if self._broken:
            raise self._broken
        if self._network is None:
            _files_of(self._folder)

    async def close(self) -> None:
        """Give the threads back. What is running finishes, what waits is dropped."""
        for lane in (self._batch_lanes, self._short_lane, self._query_lane):
            lane.shutdown(wait=False, cancel_futures=True)

    async def _embed_short(self, texts: Sequence[str]) -> list[Vector]:
        """A note of one statement is embedded as a document and right after it as a memory, which
        uses up its vector. Few are kept: how soon one is there says that somebody has saved it."""
        known = {text: self._notes.pop(text) for text in texts if text in self._notes}
        if new := [text for text in dict.fromkeys(texts) if text not in known]:
            made = dict(zip(new, await self._on(self._short_lane, new), strict=True))
            known |= made
            self._notes |= made
        while len(self._notes) > CACHED_NOTES:
            self._notes.popitem(last=False)
        return [known[text] for text in texts]

    async def _on(self, lane: ThreadPoolExecutor, texts: Sequence[str]) -> list[Vector]:
        return await asyncio.get_running_loop().run_in_executor(lane, self._embed_all, texts)

    def _embed_all(self, texts: Sequence[str]) -> list[Vector]:
        network = self._loaded()
        return [network.embed(text) for text in texts]

    def _loaded(self) -> Network:
        with self._loading:
            if self._network is None:
                self._network = self._load()
            return self._network

    def _load(self) -> Network:
        try:
            network = _load(self._folder)
        except CannotStart as error:
            self._broken = error
            raise
        self._broken = None
        return network


def _load(folder: Path) -> Network:
    # Imported here because a command that embeds nothing should not wait for it.
    from onnxruntime import InferenceSession, SessionOptions
    from tokenizers import Tokenizer

    # Beside threads that are busy in Python, each run of the model would wait for its turn.
    sys.setswitchinterval(SWITCH_INTERVAL_S)

    weights, vocabulary = _files_of(folder)
    options = SessionOptions()
    # One text on one thread: two texts side by side are done sooner than one on two.
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    # Waiting threads would otherwise burn the cores that PostgreSQL needs.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    try:
        tokenizer = Tokenizer.from_file(str(vocabulary))
        session = InferenceSession(str(weights), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # Both libraries raise types of their own, and bare Exception.
        raise CannotStart(f"The embedding model in {folder} is damaged; {HOW_TO_FIX}.") from error
    # The file sets 128 tokens, truncated and padded: a setting of its author, not of the model.
    tokenizer.no_padding()
    tokenizer.enable_truncation(MAX_TOKENS)
    return Network(tokenizer, session)


def _files_of(folder: Path) -> tuple[Path, Path]:
    """The weights and the vocabulary, which are both there."""
    weights, vocabulary = folder / "model_quantized.onnx", folder / "tokenizer.json"
    for path in (weights, vocabulary):
        if not path.is_file():
            raise CannotStart(f"The embedding model lacks {path}; {HOW_TO_FIX}.")
    return weights, vocabulary


def _readable(text: str) -> str:
    return text[:MAX_CHARS].encode("utf-8", "replace").decode("utf-8")


def _unit(vector: Vector) -> Vector:
    unit = (vector / np.linalg.norm(vector)).astype(np.float32)
    # Cached vectors are shared between callers.
    unit.setflags(write=False)
    return unit
