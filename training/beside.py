"""Statements that stand beside each other and leave each other true; pure, by seed.

What a memory compares a new note with is mostly of another matter: the nearest of the lines that
were written before it, sentences of one article, turns of one talk."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import changes
import numpy as np
import written

from remem.core.language.claims.news import announces_change, announces_news
from remem.core.language.words import words

# So many of the nearest lines before each line of notes, and how many turns of talks are taken.
NEAREST, TURNS = 3, 0.06
SHORTEST, LONGEST = 4, 45

Pair = tuple[str, str, bool]


@dataclass(frozen=True, slots=True)
class Alike:
    """How close texts are by the vectors that search uses."""

    vectors: Mapping[str, np.ndarray]

    def __call__(self, one: str, other: str) -> float:
        return float(self.vectors[one] @ self.vectors[other])

    def of_each(self, text: str, others: Sequence[str]) -> np.ndarray:
        return np.stack([self.vectors[other] for other in others]) @ self.vectors[text]


def of_blocks(blocks: Sequence[written.Block], alike: Alike, seed: int) -> Iterator[Pair]:
    """(earlier, later, whether it is left out of training)"""
    choose = random.Random(seed)
    for number, block in enumerate(blocks):
        lines = list(block.lines.values())
        for at, line in enumerate(lines):
            if block.kind != "notes" and choose.random() >= TURNS:
                continue
            before = [one for one in lines[:at] if _fits(one) and _has_speaker_of(block, one, line)]
            before.sort(key=lambda one: -alike(one, line))
            if _fits(line) and not _tells_change(line):
                yield from ((one, line, number % 25 == 0) for one in before[:NEAREST])


def of_articles(groups: Sequence[Sequence[str]], seed: int) -> Iterator[Pair]:
    """Sentences on the same question of an encyclopedia."""
    choose = random.Random(seed)
    for texts in groups:
        fitting = [text for text in texts if _fits(text)]
        if len(fitting) > 1:
            first, second = choose.sample(fitting, 2)
            yield first, second, choose.random() < 0.02


def labelled(pairs: Iterator[Pair], seed: int) -> Iterator[tuple[str, str, int, bool]]:
    choose = random.Random(seed)
    for old, new, dev in pairs:
        yield *changes.styled(choose, old, new, changes.UNRELATED), dev


def _fits(text: str) -> bool:
    return SHORTEST <= len(text.split()) <= LONGEST


def _has_speaker_of(block: written.Block, one: str, other: str) -> bool:
    return block.kind == "notes" or one.split(": ")[0] == other.split(": ")[0]


def _tells_change(line: str) -> bool:
    """It may well change a line before it, so nothing is learned of it."""
    found = words(line)
    return announces_news(found) or announces_change(found, frozenset()) or "→" in line
