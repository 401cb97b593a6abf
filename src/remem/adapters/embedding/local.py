"""Embed on this machine, with the weights that are part of our wheel."""

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

from remem.adapters.embedding.batches import split_batches
from remem.adapters.model_threads import default_threads, lower_thread_priority
from remem.core.errors import CannotStart
from remem.core.ports import Vector

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer

MAX_TOKENS = 512
# At up to 32 characters a token, the rest is beyond the token limit; this bounds tokenizing.
MAX_CHARS = 32 * MAX_TOKENS
# About 1,024 tokens: the size of a call after which another caller can use the thread.
SLICE_CHARS = 4_096
SLICE_TEXTS = 64
# A statement or a short note.
SHORT_CHARS = 1_500
CACHED_QUERIES = 1_024
CACHED_NOTES = 64
SWITCH_INTERVAL_S = 0.0005
HOW_TO_FIX = "run `make setup`, or reinstall the package"


@dataclass(frozen=True, slots=True)
class Network:
    """The loaded tokenizer and session, both of them thread-safe."""

    tokenizer: "Tokenizer"
    session: "InferenceSession"

    def embed(self, text: str) -> Vector:
        """Embed one text alone.

        The int8 weights scale activations over the whole input, so that in a batch a text's vector
        would depend on the other texts (cosine 0.985 in a padded batch of 2,048 tokens). Alone, it
        is always the same, and on one thread about as fast."""
        ids = np.array([self.tokenizer.encode(_sanitize(text)).ids], dtype=np.int64)
        inputs = {
            "input_ids": ids,
            "attention_mask": np.ones_like(ids),
            "token_type_ids": np.zeros_like(ids),
        }
        hidden = np.asarray(self.session.run(None, inputs)[0], dtype=np.float32)
        # Without padding the attention mask is all ones, so masked pooling is a plain mean.
        return _normalize(hidden[0].mean(axis=0))


class LocalEmbedder:
    """all-MiniLM-L6-v2 as int8 ONNX. Queries have a thread, short texts have another one, and
    batches have one for each CPU. So neither a search nor the save of a note waits for an import,
    and the event loop waits for none of them."""

    model = "all-MiniLM-L6-v2-int8"
    dimensions = 384

    def __init__(self, *, threads: int | None = None, folder: Path | None = None) -> None:
        self._folder = folder or Path(str(files("remem.models"))) / "minilm"
        self._loading = threading.Lock()
        self._network: Network | None = None
        self._load_error: CannotStart | None = None
        self._batch_lanes = ThreadPoolExecutor(
            threads or default_threads(), "embed-batch", lower_thread_priority
        )
        self._short_lane = ThreadPoolExecutor(1, "embed-short")
        self._query_lane = ThreadPoolExecutor(1, "embed-query")
        self._queries: OrderedDict[str, Vector] = OrderedDict()
        self._notes: OrderedDict[str, Vector] = OrderedDict()

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        if sum(map(len, texts)) <= SHORT_CHARS:
            return await self._embed_short(texts)
        vectors: list[Vector] = []
        for part in split_batches(texts, SLICE_TEXTS, SLICE_CHARS):
            vectors += await self._run_on(self._batch_lanes, part)
        return vectors

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
            _model_files(self._folder)

    async def close(self) -> None:
        """Shut down the threads. Running calls finish, waiting ones are cancelled."""
        for lane in (self._batch_lanes, self._short_lane, self._query_lane):
            lane.shutdown(wait=False, cancel_futures=True)

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
            network = _load(self._folder)
        except CannotStart as error:
            self._load_error = error
            raise
        self._load_error = None
        return network


def _load(folder: Path) -> Network:
    # Imported here because it is slow to load and many commands do not need it.
    from onnxruntime import InferenceSession, SessionOptions
    from tokenizers import Tokenizer

    # With the default interval, each run of the model would wait for busy Python threads.
    sys.setswitchinterval(SWITCH_INTERVAL_S)

    weights, vocabulary = _model_files(folder)
    options = SessionOptions()
    # One thread for each text: two texts in parallel are faster than one text on two threads.
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    # Waiting threads would otherwise spin and take CPU time from PostgreSQL.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    try:
        tokenizer = Tokenizer.from_file(str(vocabulary))
        session = InferenceSession(str(weights), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # Both libraries raise types of their own, and bare Exception.
        raise CannotStart(f"The embedding model in {folder} is damaged; {HOW_TO_FIX}.") from error
    # The file truncates and pads to 128 tokens, which is not a limit of the model.
    tokenizer.no_padding()
    tokenizer.enable_truncation(MAX_TOKENS)
    return Network(tokenizer, session)


def _model_files(folder: Path) -> tuple[Path, Path]:
    """The files of weights and vocabulary. Raises CannotStart if one is missing."""
    weights, vocabulary = folder / "model_quantized.onnx", folder / "tokenizer.json"
    for path in (weights, vocabulary):
        if not path.is_file():
            raise CannotStart(f"The embedding model lacks {path}; {HOW_TO_FIX}.")
    return weights, vocabulary


def _sanitize(text: str) -> str:
    return text[:MAX_CHARS].encode("utf-8", "replace").decode("utf-8")


def _normalize(vector: Vector) -> Vector:
    normalized = (vector / np.linalg.norm(vector)).astype(np.float32)
    # Cached vectors are shared between callers.
    normalized.setflags(write=False)
    return normalized
