"""The reader's network: load it, and run it on a pair of texts."""

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

# The length it was trained with; a longer text is truncated.
MAX_TOKENS = 224
FIRST_TOKENS = 96
# Later characters cannot be within the token limit; this limits the time of the tokenizer.
MAX_CHARS = 4_096
ANSWER_TOKENS = 30
ANSWERS_A_TEXT = 3
# Enough for several concurrent questions whose texts are ranked first and read afterwards.
CACHED_PAIRS = 256
OUTPUTS = ("relevance", "start", "end")
_CLS, _SEP = 101, 102

Floats = NDArray[np.float32]


class AnswerSpan(NamedTuple):
    """An answer in the second text, as character offsets. `confidence` compares it with the
    possibility that the text has no answer; `strength` does not."""

    start: int
    end: int
    confidence: float
    strength: float = 0.0


class Pair(NamedTuple):
    """The token ids of two texts, the input of the network."""

    ids: list[int]
    second: int
    offsets: list[tuple[int, int]]


class Outputs(NamedTuple):
    """The outputs of the network for a pair."""

    pair: Pair
    relevance: float
    start: Floats
    end: Floats


class Network:
    """The loaded tokenizer and sessions, all of them thread-safe. Reader and judge share the word
    vectors, and have layers of their own.

    Each pair runs alone. The int8 weights scale activations over the whole input, so that in a
    batch a pair's relevance would depend on the other pairs (by up to 0.95 with seven others), and
    on one thread a batch is no faster. Outputs are cached, because answers are looked for in texts
    that were just ranked for the same question."""

    def __init__(
        self,
        tokenizer: "Tokenizer",
        words: "InferenceSession",
        reader: "InferenceSession",
        judge: "InferenceSession",
    ) -> None:
        self._tokenizer, self._words = tokenizer, words
        self._reader, self._judge = reader, judge
        self._cached_outputs = lru_cache(CACHED_PAIRS)(self._outputs)

    def relevance(self, first: str, second: str) -> float:
        return self._cached_outputs(first[:MAX_CHARS], second[:MAX_CHARS]).relevance

    def verdict(self, first: str, second: str) -> Verdict:
        states, _ = self._embed(self._pair(first, second))
        (logits,) = self._judge.run(["relation"], {"states": states})
        return Verdict(*_softmax(np.asarray(logits)[0]).tolist())

    def answers(self, first: str, second: str) -> list[AnswerSpan]:
        outputs = self._cached_outputs(first[:MAX_CHARS], second[:MAX_CHARS])
        return _answers(outputs.pair, outputs.start, outputs.end)

    def _outputs(self, first: str, second: str) -> Outputs:
        pair = self._pair(first, second)
        states, kinds = self._embed(pair)
        outputs = self._reader.run(OUTPUTS, {"states": states, "token_type_ids": kinds})
        relevance, start, end = (np.asarray(output)[0] for output in outputs)
        return Outputs(pair, float(relevance), start, end)

    def _pair(self, first: str, second: str) -> Pair:
        question = self._encode(first).ids[:FIRST_TOKENS]
        text = self._encode(second)
        room = MAX_TOKENS - 3 - len(question)
        ids = [_CLS, *question, _SEP, *text.ids[:room], _SEP]
        return Pair(ids, len(question) + 2, text.offsets[:room])

    def _encode(self, text: str) -> "Encoding":
        readable = text[:MAX_CHARS].encode("utf-8", "replace").decode("utf-8")
        return self._tokenizer.encode(readable, add_special_tokens=False)

    def _embed(self, pair: Pair) -> tuple[Floats, NDArray[np.int64]]:
        """Compute the word vectors, and which of the two texts each word belongs to."""
        ids = np.array([pair.ids], dtype=np.int64)
        kinds = np.zeros_like(ids)
        kinds[:, pair.second :] = 1
        (states,) = self._words.run(["states"], {"input_ids": ids, "token_type_ids": kinds})
        return np.asarray(states), kinds


def _softmax(logits: Floats) -> Floats:
    weight = np.exp(logits - logits.max())
    return weight / weight.sum()


def _answers(pair: Pair, start: Floats, end: Floats) -> list[AnswerSpan]:
    """The most likely answers that do not overlap. Position 0 means no answer."""
    last = pair.second + len(pair.offsets)
    total = start[pair.second : last, None] + end[None, pair.second : last]
    positions = np.arange(len(pair.offsets))
    span_lengths = positions[None, :] - positions[:, None]
    total = np.where((span_lengths >= 0) & (span_lengths < ANSWER_TOKENS), total, -np.inf)
    places: list[AnswerSpan] = []
    while len(places) < ANSWERS_A_TEXT and total.size and np.isfinite(total.max()):
        first_token, last_token = np.unravel_index(int(total.argmax()), total.shape)
        strength = float(total[first_token, last_token])
        odds = strength - float(start[0] + end[0])
        confidence = float(1 / (1 + np.exp(-np.clip(odds, -30, 30))))
        places.append(
            AnswerSpan(
                pair.offsets[first_token][0], pair.offsets[last_token][1], confidence, strength
            )
        )
        total[: last_token + 1, first_token:] = -np.inf
    return places


def load(folder: Path | None = None) -> Network:
    """Load the network. Raises Unavailable if it is missing or damaged."""
    # Imported here because it is slow to load and not always needed.
    from onnxruntime import InferenceSession, SessionOptions
    from tokenizers import Tokenizer

    models = folder or Path(str(files("remem.models")))
    options = SessionOptions()
    # One thread for each pair: two pairs in parallel are faster than one pair on two threads.
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
    if missing := set(OUTPUTS) - {output.name for output in reader.get_outputs()}:
        raise Unavailable(f"The reader's model in {models} has no {', '.join(sorted(missing))}.")
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return Network(tokenizer, words, reader, judge)
