"""Pairs of neighbouring statements that do not change each other; deterministic by seed.

Most memories that a new note is compared with are about something else. So the pairs are a line and
the most similar lines before it, sentences of one article, and turns of one talk."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import changes
import numpy as np
import written

from remem.core.language.claims.news import announces_change, announces_news
from remem.core.language.words import words

# The most similar earlier lines taken for each line of notes, and the share of turns of talks.
NEAREST_LINES, TURN_SHARE = 3, 0.06
MIN_WORDS, MAX_WORDS = 4, 45

Pair = tuple[str, str, bool]


@dataclass(frozen=True, slots=True)
class Similarity:
    """The cosine similarity of texts, by the embeddings that search uses."""

    vectors: Mapping[str, np.ndarray]

    def __call__(self, first: str, second: str) -> float:
        return float(self.vectors[first] @ self.vectors[second])

    def with_each(self, text: str, others: Sequence[str]) -> np.ndarray:
        return np.stack([self.vectors[other] for other in others]) @ self.vectors[text]


def block_pairs(
    blocks: Sequence[written.Block], similarity: Similarity, seed: int
) -> Iterator[Pair]:
    """Yield (earlier line, later line, whether the pair is held out)."""
    rng = random.Random(seed)
    for number, block in enumerate(blocks):
        lines = list(block.lines.values())
        for at, line in enumerate(lines):
            if block.kind != "notes" and rng.random() >= TURN_SHARE:
                continue
            before = [
                earlier
                for earlier in lines[:at]
                if _fits(earlier) and _has_speaker_of(block, earlier, line)
            ]
            before.sort(key=lambda earlier: -similarity(earlier, line))
            if _fits(line) and not _tells_change(line):
                yield from ((earlier, line, number % 25 == 0) for earlier in before[:NEAREST_LINES])


def article_pairs(groups: Sequence[Sequence[str]], seed: int) -> Iterator[Pair]:
    """Yield pairs of encyclopedia sentences that belong to the same question."""
    rng = random.Random(seed)
    for texts in groups:
        fitting = [text for text in texts if _fits(text)]
        if len(fitting) > 1:
            first, second = rng.sample(fitting, 2)
            yield first, second, rng.random() < 0.02


def labelled(pairs: Iterator[Pair], seed: int) -> Iterator[tuple[str, str, int, bool]]:
    rng = random.Random(seed)
    for old, new, dev in pairs:
        yield *changes.styled(rng, old, new, changes.UNRELATED), dev


def _fits(text: str) -> bool:
    return MIN_WORDS <= len(text.split()) <= MAX_WORDS


def _has_speaker_of(block: written.Block, first: str, second: str) -> bool:
    return block.kind == "notes" or first.split(": ")[0] == second.split(": ")[0]


def _tells_change(line: str) -> bool:
    """Whether a line may change an earlier one; such lines are not used."""
    line_words = words(line)
    return announces_news(line_words) or announces_change(line_words, frozenset()) or "→" in line
