"""The reader's weights and vocabulary, and what one pair of texts gives."""

from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from remem.adapters.reader.weights import SHA256
from remem.core.errors import Unavailable
from remem.core.readings import Verdict

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Encoding, Tokenizer

# What it was trained with; a longer text is cut.
MAX_TOKENS = 224
FIRST_TOKENS = 96
# No token that could still be read begins behind these; it bounds tokenizing.
MAX_CHARS = 4_096
ANSWER_TOKENS = 30
ANSWERS_A_TEXT = 3
# Those of several questions at once, each ranked and then read.
RECENT_PAIRS = 256
OUTPUTS = ("relevance", "start", "end")
_CLS, _SEP = 101, 102

Floats = NDArray[np.float32]


class Place(NamedTuple):
    """An answer in the second text, in characters. `confidence` sets it against no answer in this
    text; `strength` does not."""

    start: int
    end: int
    confidence: float
    strength: float = 0.0


class Pair(NamedTuple):
    """Two texts as the network takes them."""

    ids: list[int]
    second: int
    offsets: list[tuple[int, int]]


class Outputs(NamedTuple):
    """What one run of the network says of a pair."""

    pair: Pair
    relevance: float
    start: Floats
    end: Floats


class Network:
    """The loaded tokenizer and sessions; all may be used from several threads at once. Reader and
    judge begin with the same vectors of words, each with layers of its own.

    Each pair runs alone. The int8 weights scale activations over everything in a run, so that in a
    batch a pair's relevance would shift with its company (by up to 0.95 beside seven others), and
    on one thread a batch is no faster. What a run gave is kept for a while: the answer to a
    question is looked for in texts that were just ranked for it."""

    def __init__(
        self,
        tokenizer: "Tokenizer",
        words: "InferenceSession",
        reader: "InferenceSession",
        judge: "InferenceSession",
    ) -> None:
        self._tokenizer, self._words = tokenizer, words
        self._reader, self._judge = reader, judge
        self._read = lru_cache(RECENT_PAIRS)(self._outputs)

    def relevance(self, first: str, second: str) -> float:
        return self._read(first[:MAX_CHARS], second[:MAX_CHARS]).relevance

    def verdict(self, first: str, second: str) -> Verdict:
        states, _ = self._embedded(self._pair(first, second))
        (logits,) = self._judge.run(["relation"], {"states": states})
        return Verdict(*_shares(np.asarray(logits)[0]).tolist())

    def answers(self, first: str, second: str) -> list[Place]:
        read = self._read(first[:MAX_CHARS], second[:MAX_CHARS])
        return _answers(read.pair, read.start, read.end)

    def _outputs(self, first: str, second: str) -> Outputs:
        pair = self._pair(first, second)
        states, kinds = self._embedded(pair)
        found = self._reader.run(OUTPUTS, {"states": states, "token_type_ids": kinds})
        relevance, start, end = (np.asarray(one)[0] for one in found)
        return Outputs(pair, float(relevance), start, end)

    def _pair(self, first: str, second: str) -> Pair:
        question = self._encoded(first).ids[:FIRST_TOKENS]
        text = self._encoded(second)
        room = MAX_TOKENS - 3 - len(question)
        ids = [_CLS, *question, _SEP, *text.ids[:room], _SEP]
        return Pair(ids, len(question) + 2, text.offsets[:room])

    def _encoded(self, text: str) -> "Encoding":
        readable = text[:MAX_CHARS].encode("utf-8", "replace").decode("utf-8")
        return self._tokenizer.encode(readable, add_special_tokens=False)

    def _embedded(self, pair: Pair) -> tuple[Floats, NDArray[np.int64]]:
        """The vectors of its words, and which text each of them is in."""
        ids = np.array([pair.ids], dtype=np.int64)
        kinds = np.zeros_like(ids)
        kinds[:, pair.second :] = 1
        (states,) = self._words.run(["states"], {"input_ids": ids, "token_type_ids": kinds})
        return np.asarray(states), kinds


def _shares(logits: Floats) -> Floats:
    weight = np.exp(logits - logits.max())
    return weight / weight.sum()


def _answers(pair: Pair, start: Floats, end: Floats) -> list[Place]:
    """The likeliest that do not overlap; position 0 stands for no answer."""
    last = pair.second + len(pair.offsets)
    total = start[pair.second : last, None] + end[None, pair.second : last]
    length = np.arange(len(pair.offsets))
    ahead = length[None, :] - length[:, None]
    total = np.where((ahead >= 0) & (ahead < ANSWER_TOKENS), total, -np.inf)
    found: list[Place] = []
    while len(found) < ANSWERS_A_TEXT and total.size and np.isfinite(total.max()):
        first, final = np.unravel_index(int(total.argmax()), total.shape)
        strength = float(total[first, final])
        odds = strength - float(start[0] + end[0])
        confidence = float(1 / (1 + np.exp(-np.clip(odds, -30, 30))))
        found.append(Place(pair.offsets[first][0], pair.offsets[final][1], confidence, strength))
        total[: final + 1, first:] = -np.inf
    return found


def load(folder: Path | None = None) -> Network:
    """Raises Unavailable when it is not there or damaged."""
    # Imported here because a process that reads nothing should not wait for it.
    from onnxruntime import InferenceSession, SessionOptions
    from tokenizers import Tokenizer

    models = folder or Path(str(files("remem.models")))
    options = SessionOptions()
    # One pair on one thread: two pairs side by side are done sooner than one on two.
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    try:
        tokenizer = Tokenizer.from_file(str(models / "minilm" / "tokenizer.json"))
        words, reader, judge = (
            InferenceSession(
                str(models / "reader" / name), options, providers=["CPUExecutionProvider"]
            )
            for name in SHA256
        )
    except Exception as error:  # Both libraries raise types of their own, and bare Exception.
        raise Unavailable(f"The reader's model in {models} is missing or damaged.") from error
    if missing := set(OUTPUTS) - {one.name for one in reader.get_outputs()}:
        raise Unavailable(f"The reader's model in {models} has no {', '.join(sorted(missing))}.")
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return Network(tokenizer, words, reader, judge)
