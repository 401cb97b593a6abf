"""Batches of token ids from the data of `prepare.py`."""

import argparse
import collections
import io
import lzma
import random
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).parent
CLS, SEP = 2, 3
MAX_TOKENS = 224
CONTEXT_TOKENS = 48
# The number of parts of a batch; each has texts of similar length.
PARTS = 5
# The sampling weights of the sources; 1 for others.
WEIGHTS = {
    "squad_sent": 1.3, "qamr": 0.45, "fairy": 1.2, "fairy_sec": 0.8, "selqa": 1.5, "friends": 2.5,
    "molweni": 1.2, "qmsum": 2.0, "nq": 2.0, "tweetqa": 1.2, "boolq": 0.8, "cosmos": 0.8,
    "chitchat": 1.6, "synth": 0.4, "adjacent": 3.0, "grammar": 0.6, "hotpot": 1.0, "2wiki": 0.5,
    "notes": 1.0, "swapped": 2.0, "talked": 2.5, "noted": 1.2, "untalked": 2.0, "unnoted": 3.0,
    "unsaid": 4.0, "written": 3.0, "unwritten": 4.0, "jotted": 3.0, "unjotted": 4.5,
    "asked": 1.5, "unasked": 2.0, "people": 10.0, "people_lines": 7.0, "unpeople": 25.0,
    "people_prompts": 12.0,
}  # fmt: skip
PAIR_WEIGHTS = {
    "synth": 0.6, "grammar": 1.0, "paws": 1.0, "snli": 0.35, "mnli": 1.0, "changes": 1.6,
    "matters": 1.6, "later": 6.0, "beside": 1.5, "people": 30.0, "people_beside": 6.0,
    "later_languages": 10.0,
}  # fmt: skip
CHATS = (
    "chitchat",
    "friends",
    "molweni",
    "qmsum",
    "adjacent",
    "swapped",
    "talked",
    "untalked",
    "written",
    "unwritten",
    "people_lines",
)
SWITCHED = "switched-"  # fmt: skip


# The token ids of a question with a text, the position of the text, and its labels.
Example = tuple[list[int], int, tuple[int, int, int, int]]
Batches = list[dict[str, np.ndarray]]


class Data:
    """The arrays of `data.npz.xz`, with access to single rows of ragged arrays."""

    def __init__(self) -> None:
        raw = lzma.decompress((HERE / "data.npz.xz").read_bytes())
        arrays = np.load(io.BytesIO(raw))
        self.all: dict[str, np.ndarray] = {name: arrays[name] for name in arrays.files}
        self.sources = [str(name) for name in self.all["sources"]]

    def row(self, name: str, number: int) -> np.ndarray:
        ends = self.all[f"{name}_end"]
        return self.all[f"{name}_flat"][ends[number - 1] if number else 0 : ends[number]]

    def chosen(self, kind: str, *, dev: bool) -> np.ndarray:
        return np.flatnonzero(self.all[f"{kind}_dev"] == dev)

    def drawn(
        self, kind: str, weights: dict[str, float], default: float
    ) -> tuple[np.ndarray, np.ndarray]:
        rows = self.chosen(kind, dev=False)
        # `switched-written` counts as `written`, `asked-ja` as `asked`.
        names = [name.removeprefix(SWITCHED).partition("-")[0] for name in self.sources]
        by_source = np.array([weights.get(name, default) for name in names])
        return rows, np.cumsum(by_source[self.all[f"{kind}_source"][rows]])


class Builder:
    """Builds batches of token ids; each process that feeds the GPU has one."""

    def __init__(self, data: Data, settings: argparse.Namespace, seed: int) -> None:
        self.data, self.settings, self.choose = data, settings, random.Random(seed)
        self.groups = data.drawn("group", WEIGHTS, 1.0)
        self.pairs = data.drawn("pair", PAIR_WEIGHTS, 0.5)
        self.text_count = len(data.all["text_end"])
        self.notes = data.chosen("note", dev=False).tolist()
        self.worth: dict[int, list[tuple[int, int, int]]] = collections.defaultdict(list)
        for note, *line in data.all["worth"].tolist():
            self.worth[note].append(tuple(line))

    def draw(self, kind: str, count: int) -> list[int]:
        rows, total = getattr(self, kind)
        return [
            int(rows[np.searchsorted(total, self.choose.random() * total[-1])])
            for _ in range(count)
        ]

    def batch(self) -> tuple[Batches, Batches, Batches]:
        groups, pairs, notes = Batches(), Batches(), Batches()
        if self.settings.only != "judging":
            groups = self.group_parts(self.draw("groups", self.settings.groups), PARTS)
        if self.settings.only != "reading":
            drawn = self.draw("pairs", self.settings.pairs)
            drawn.sort(key=lambda pair: len(self.data.row("old", pair)))
            half = len(drawn) // 2
            pairs = [self.pair_batch(part) for part in (drawn[:half], drawn[half:])]
            notes = [self.note_batch(self.choose.choices(self.notes, k=self.settings.notes))]
        return groups, pairs, notes

    def group_parts(self, groups: list[int], parts: int) -> list[dict[str, np.ndarray]]:
        """Split a batch into parts. `at` is the index of each text in the whole batch, which has
        the texts of one question after those of another."""
        examples = self.group_texts(groups, training=True)
        order = sorted(range(len(examples)), key=lambda at: len(examples[at][0]))
        size = -(-len(order) // parts)
        return [
            _batch_of([examples[at] for at in positions]) | {"at": np.array(positions, np.int64)}
            for positions in (order[start : start + size] for start in range(0, len(order), size))
        ]

    def group_batch(self, groups: list[int]) -> dict[str, np.ndarray]:
        return _batch_of(self.group_texts(groups, training=False))

    def group_texts(self, groups: list[int], *, training: bool) -> list[Example]:
        examples: list[Example] = []
        for group in groups:
            relevant = set(self.data.row("own", group).tolist())
            for own, text in enumerate(self.candidates(group, training=training)):
                sequence, second, span = self.sequence(group, text, own == 0, training=training)
                relevance = (
                    int(self.data.all["relevance"][group]) if own == 0 else int(text in relevant)
                )
                examples.append((sequence, second, (group, relevance, *span)))
        return examples

    def candidates(self, group: int, *, training: bool) -> list[int]:
        own, others = self.data.row("own", group).tolist(), self.data.row("other", group).tolist()
        if not training:
            return [own[0], *others[:10]]
        count, others = self.settings.candidates, others[: self.settings.others]
        self.choose.shuffle(others)
        texts = [*own[:2], *others][: count - 1]
        while len(texts) < count:
            texts.append(self.choose.randrange(self.text_count))
        return texts

    def sequence(
        self, group: int, text: int, first: bool, *, training: bool
    ) -> tuple[list[int], int, tuple[int, int]]:
        question = self.data.row("question", group).tolist()
        context_tokens = self.context_tokens(group, text, training=training)
        body = self.data.row("text", text).tolist()[
            : MAX_TOKENS - 3 - len(question) - len(context_tokens)
        ]
        start, end = self.data.all["span"][group].tolist() if first else (-1, -1)
        shift = len(question) + 2 + len(context_tokens)
        if start == -1:
            span = (0, 0)
        elif start < 0 or end >= len(body):
            span = (-2, -2)
        else:
            span = (start + shift, end + shift)
        return [CLS, *question, SEP, *context_tokens, *body, SEP], len(question) + 2, span

    def context_tokens(self, group: int, text: int, *, training: bool) -> list[int]:
        """The end of the previous turn, in six of ten training texts from talks."""
        if not training or self.choose.random() < 0.4:
            return []
        source = self.data.sources[self.data.all["group_source"][group]]
        context = int(self.data.all["before"][text])
        if source.removeprefix(SWITCHED) in CHATS and context >= 0:
            slash = self.data.all["slash"].tolist()
            return [*self.data.row("text", context).tolist()[-CONTEXT_TOKENS:], *slash]
        return []

    def pair_batch(self, pairs: list[int]) -> dict[str, np.ndarray]:
        sequences, kinds = [], []
        for pair in pairs:
            old = self.data.row("old", pair).tolist()
            sequences.append([CLS, *old, SEP, *self.data.row("new", pair).tolist(), SEP])
            kinds.append(len(old) + 2)
        return padded(sequences, kinds) | {
            "relation": self.data.all["relation"][pairs].astype(np.int64)
        }

    def note_batch(self, notes: list[int]) -> dict[str, np.ndarray]:
        """Notes with the tag of each token (-1: none is known), and the places of lines (row, first
        and last token, category or -1 if the line is worth nothing)."""
        sequences = [[CLS, *self.data.row("note", note).tolist(), SEP] for note in notes]
        batch = padded(sequences, [len(sequence) for sequence in sequences])
        tags = np.full(batch["ids"].shape, -1, np.int64)
        lines: list[tuple[int, ...]] = []
        for row, note in enumerate(notes):
            known = self.data.row("tag", note)
            tags[row, 1 : 1 + len(known)] = known
            lines += [(row, a + 1, b + 1, kind) for a, b, kind in self.worth.get(note, [])]
        return batch | {"tags": tags, "lines": np.array(lines, np.int64).reshape(-1, 4)}


def ragged(name: str, rows: list[list[int]], kind: type = np.int32) -> dict[str, np.ndarray]:
    ends = np.cumsum([len(row) for row in rows])
    flat = np.fromiter((value for row in rows for value in row), kind, int(ends[-1]))
    return {f"{name}_flat": flat, f"{name}_end": ends.astype(np.int32)}


def _batch_of(examples: list[Example]) -> dict[str, np.ndarray]:
    rows = np.array([row for _, _, row in examples], np.int64)
    return padded(
        [sequence for sequence, _, _ in examples], [second for _, second, _ in examples]
    ) | {"rows": rows}


def padded(sequences: list[list[int]], seconds: list[int]) -> dict[str, np.ndarray]:
    length = -(-max(map(len, sequences)) // 16) * 16
    ids, kinds, mask = (np.zeros((len(sequences), length), np.int32) for _ in range(3))
    for row, (sequence, second) in enumerate(zip(sequences, seconds, strict=True)):
        ids[row, : len(sequence)] = sequence
        kinds[row, second : len(sequence)] = 1
        mask[row, : len(sequence)] = 1
    return {"ids": ids, "kinds": kinds, "mask": mask}


def feed(queue: Any, data: Data, settings: argparse.Namespace, seed: int) -> None:
    builder = Builder(data, settings, seed)
    while True:
        queue.put(builder.batch())
