"""The reader's network: load it, and run it on a pair of texts."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache
from importlib.resources import files
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from remem.adapters.reader.notes import Place, read_note, stripped
from remem.adapters.word_vectors import WordVectors, load_word_vectors
from remem.core.errors import Unavailable
from remem.core.readings import NoteReading, Verdict

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

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
NETWORKS = ("reader.onnx", "judge.onnx")
NOTE_TOKENS = MAX_TOKENS - 2

Floats = NDArray[np.float32]


class AnswerSpan(NamedTuple):
    """An answer in the second text, as character offsets. `confidence` compares it with the
    possibility that the text has no answer; `strength` does not."""

    start: int
    end: int
    confidence: float
    strength: float = 0.0


class Pair(NamedTuple):
    """The tokens of two texts, the input of the network."""

    ids: list[int]
    tokens: list[str]
    second: int
    offsets: list[tuple[int, int]]


class Outputs(NamedTuple):
    """The outputs of the network for a pair."""

    pair: Pair
    relevance: float
    start: Floats
    end: Floats


def _kinds(pair: Pair) -> NDArray[np.int64]:
    """1 for each token of the second text."""
    kinds = np.zeros((1, len(pair.ids)), dtype=np.int64)
    kinds[:, pair.second :] = 1
    return kinds


class Network:
    """The loaded tokenizer and sessions, all of them thread-safe. Reader and judge share the word
    vectors of the embedder, and have layers of their own.

    Each pair runs alone. The int8 weights scale activations over the whole input, so that in a
    batch a pair's relevance would depend on the other pairs (by up to 0.95 with seven others), and
    on one thread a batch is no faster. Outputs are cached, because answers are looked for in texts
    that were just ranked for the same question."""

    def __init__(
        self, words: WordVectors, reader: "InferenceSession", judge: "InferenceSession"
    ) -> None:
        self._words, self._reader, self._judge = words, reader, judge
        self._cached_outputs = lru_cache(CACHED_PAIRS)(self._outputs)

    def relevance(self, first: str, second: str) -> float:
        return self._cached_outputs(first[:MAX_CHARS], second[:MAX_CHARS]).relevance

    def verdict(self, first: str, second: str) -> Verdict:
        (logits,) = self._judge.run(["relation"], self._inputs(self._pair(first, second)))
        return Verdict(*_softmax(np.asarray(logits)[0]).tolist())

    def answers(self, first: str, second: str) -> list[AnswerSpan]:
        outputs = self._cached_outputs(first[:MAX_CHARS], second[:MAX_CHARS])
        return [
            span._replace(start=start, end=end)
            for span in _answers(outputs.pair, outputs.start, outputs.end)
            for start, end in [stripped(second, span.start, span.end)]
            if start < end
        ]

    def note(self, text: str, lines: Sequence[Place]) -> NoteReading:
        """The tagged phrases of a note, and what each of its lines (characters from, to) is worth,
        as far as the tokenizer reads. A long note is read in parts that begin with a line."""
        encoding = self._words.encode(text[:MAX_CHARS])
        offsets = encoding.offsets
        tags, values = [], []
        for start, end in note_parts(offsets, [first for first, _ in lines]):
            ids = [self._words.first, *encoding.ids[start:end], self._words.separator]
            tokens = ["", *encoding.tokens[start:end], ""]
            inputs = self._inputs(Pair(ids, tokens, len(ids), offsets[start:end]))
            part_tags, part_values = self._judge.run(["tags", "values"], inputs)
            tags.append(np.asarray(part_tags)[0, 1:-1])
            values.append(np.asarray(part_values)[0, 1:-1])
        if not tags:
            return NoteReading([], [None for _ in lines])
        return read_note(text, offsets, np.concatenate(tags), np.concatenate(values), lines)

    def _outputs(self, first: str, second: str) -> Outputs:
        pair = self._pair(first, second)
        outputs = self._reader.run(OUTPUTS, self._inputs(pair))
        relevance, start, end = (np.asarray(output)[0] for output in outputs)
        return Outputs(pair, float(relevance), start, end)

    def _inputs(self, pair: Pair) -> dict[str, NDArray[Any]]:
        vectors = self._words.vector_of_each(pair.ids, pair.tokens)
        return {"words": vectors[None], "second": _kinds(pair)}

    def _pair(self, first: str, second: str) -> Pair:
        question = self._words.encode(first[:MAX_CHARS])
        text = self._words.encode(second[:MAX_CHARS])
        asked = min(FIRST_TOKENS, len(question.ids))
        room = MAX_TOKENS - 3 - asked
        start, separator = self._words.first, self._words.separator
        ids = [start, *question.ids[:asked], separator, *text.ids[:room], separator]
        tokens = ["", *question.tokens[:asked], "", *text.tokens[:room], ""]
        return Pair(ids, tokens, asked + 2, text.offsets[:room])


def note_parts(offsets: Sequence[Place], line_starts: Sequence[int]) -> Iterator[Place]:
    """Ranges of tokens that fit in, which begin with a line where there is one."""
    starts = [bisect_right(offsets, start, key=itemgetter(1)) for start in line_starts]
    start = 0
    while start < len(offsets):
        end = start + NOTE_TOKENS
        if end < len(offsets):
            end = max((at for at in starts if start < at <= end), default=end)
        yield start, min(end, len(offsets))
        start = end


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
    models = folder or Path(str(files("remem.models")))
    try:
        words = load_word_vectors(models / "multilingual")
        reader, judge = (_session(models / "reader" / name) for name in NETWORKS)
    except Exception as error:  # Both libraries raise types of their own, and bare Exception.
        raise Unavailable(f"The reader's model in {models} is missing or damaged.") from error
    if missing := set(OUTPUTS) - {output.name for output in reader.get_outputs()}:
        raise Unavailable(f"The reader's model in {models} has no {', '.join(sorted(missing))}.")
    return Network(words, reader, judge)


def _session(path: Path) -> "InferenceSession":
    from onnxruntime import InferenceSession, SessionOptions

    options = SessionOptions()
    # One thread for each pair: two pairs in parallel are faster than one pair on two threads.
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
