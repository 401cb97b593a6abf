"""Batches of token numbers out of what `prepare.py` gathered."""

import argparse
import io
import lzma
import random
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).parent
CLS, SEP, SLASH = 101, 102, 1013
LONGEST = 224
CONTEXT_TOKENS = 48
# How often a question of each source is drawn, beside 1.
WEIGHTS = {
    "squad_sent": 1.3, "qamr": 0.5, "fairy": 1.2, "fairy_sec": 0.8, "selqa": 1.5, "friends": 2.5,
    "molweni": 1.2, "qmsum": 2.0, "nq": 2.0, "tweetqa": 1.2, "boolq": 0.8, "cosmos": 0.8,
    "chitchat": 1.6, "synth": 0.5, "adjacent": 3.0, "grammar": 0.6, "hotpot": 1.0, "2wiki": 0.5,
}  # fmt: skip
PAIR_WEIGHTS = {"synth": 2.0, "grammar": 2.0, "paws": 1.0, "snli": 0.5, "mnli": 1.2}
CHATS = ("chitchat", "friends", "molweni", "qmsum", "adjacent")


class Data:
    """The arrays of `data.npz.xz`; a ragged one by its row."""

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
        by_source = np.array([weights.get(name, default) for name in self.sources])
        return rows, np.cumsum(by_source[self.all[f"{kind}_source"][rows]])


class Builder:
    """Makes batches of token numbers; one in each process that feeds the GPU."""

    def __init__(self, data: Data, settings: argparse.Namespace, seed: int) -> None:
        self.data, self.settings, self.choose = data, settings, random.Random(seed)
        self.groups = data.drawn("group", WEIGHTS, 1.0)
        self.pairs = data.drawn("pair", PAIR_WEIGHTS, 0.5)
        self.text_count = len(data.all["text_end"])

    def draw(self, kind: str, count: int) -> list[int]:
        rows, total = getattr(self, kind)
        return [
            int(rows[np.searchsorted(total, self.choose.random() * total[-1])])
            for _ in range(count)
        ]

    def batch(self) -> list[dict[str, np.ndarray]]:
        groups = self.draw("groups", self.settings.groups)
        groups.sort(
            key=lambda group: len(self.data.row("text", int(self.data.row("own", group)[0])))
        )
        half = len(groups) // 2
        parts = [self.group_batch(part) for part in (groups[:half], groups[half:]) if part]
        return [*parts, self.pair_batch(self.draw("pairs", self.settings.pairs))]

    def group_batch(self, groups: list[int], *, training: bool = True) -> dict[str, np.ndarray]:
        sequences, kinds, rows = [], [], []
        for group in groups:
            for own, text in enumerate(self.candidates(group, training=training)):
                sequence, second, span = self.sequence(group, text, own == 0, training=training)
                sequences.append(sequence)
                kinds.append(second)
                relevance = (
                    int(self.data.all["relevance"][group])
                    if own == 0
                    else int(text in self.data.row("own", group))
                )
                rows.append((group, relevance, *span))
        return padded(sequences, kinds) | {"rows": np.array(rows, np.int64)}

    def candidates(self, group: int, *, training: bool) -> list[int]:
        own, others = self.data.row("own", group).tolist(), self.data.row("other", group).tolist()
        if not training:
            return [own[0], *others[:10]]
        wanted = self.settings.candidates
        self.choose.shuffle(others)
        texts = [*own[:2], *others][: wanted - 1]
        while len(texts) < wanted:
            texts.append(self.choose.randrange(self.text_count))
        return texts

    def sequence(
        self, group: int, text: int, first: bool, *, training: bool
    ) -> tuple[list[int], int, tuple[int, int]]:
        question = self.data.row("question", group).tolist()
        before = self.before(group, text, training=training)
        body = self.data.row("text", text).tolist()[: LONGEST - 3 - len(question) - len(before)]
        start, end = self.data.all["span"][group].tolist() if first else (-1, -1)
        shift = len(question) + 2 + len(before)
        if start == -1:
            span = (0, 0)
        elif start < 0 or end >= len(body):
            span = (-2, -2)
        else:
            span = (start + shift, end + shift)
        return [CLS, *question, SEP, *before, *body, SEP], len(question) + 2, span

    def before(self, group: int, text: int, *, training: bool) -> list[int]:
        """In a talk, more often than not, what was said just before."""
        if not training or self.choose.random() < 0.4:
            return []
        source = self.data.sources[self.data.all["group_source"][group]]
        context = int(self.data.all["before"][text])
        if source in CHATS and context >= 0:
            return [*self.data.row("text", context).tolist()[-CONTEXT_TOKENS:], SLASH]
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
