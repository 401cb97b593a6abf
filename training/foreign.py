"""Public questions in other languages than English, with windows of their passages."""

import collections
import json
import lzma
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from groups import NO_ANSWER, RELEVANT, UNKNOWN, Group, Texts

# Wide scripts say as much in fewer letters.
_WINDOW_CHARS = {"ja": 170, "zh": 150, "ko": 220}
_USUAL_WINDOW = 420
_MOST_OF_LANGUAGE = 16_000
_ELSEWHERE, _DEV_SHARE = 4, 0.02
# The share of questions that are repeated with a window that does not answer them.
_UNANSWERED_SHARE = 0.35
_SENTENCE = re.compile(r".+?(?:[.!?؟।](?=\s|$)|[。！？\n]|$)\s*", re.S)


def groups(texts: Texts, path: Path, seed: int) -> Iterator[Group]:
    rng = random.Random(seed)
    rows: dict[str, list[dict[str, Any]]] = collections.defaultdict(list)
    with lzma.open(path, "rt", encoding="utf8") as file:
        for line in file:
            row = json.loads(line)
            if row["s"] >= 0:
                rows[row["lang"]].append(row)
    for language, asked in rows.items():
        rng.shuffle(asked)
        known: list[int] = []
        for row in asked[:_MOST_OF_LANGUAGE]:
            yield from _groups(texts, row, language, known, rng)


def _groups(
    texts: Texts, row: dict[str, Any], language: str, known: list[int], rng: random.Random
) -> Iterator[Group]:
    passage, answer = row["p"], row["p"][row["s"] : row["e"]]
    places = windows(passage, _WINDOW_CHARS.get(language, _USUAL_WINDOW))
    right = next((n for n, (a, b) in enumerate(places) if a <= row["s"] and row["e"] <= b), None)
    if right is None:
        return
    start = places[right][0]
    own = texts.add(passage[start : places[right][1]])
    rest = [passage[a:b] for n, (a, b) in enumerate(places) if n != right]
    others = [texts.add(text) for text in rest if answer not in text]
    elsewhere = rng.sample(known, min(_ELSEWHERE, len(known)))
    span, dev = (row["s"] - start, row["e"] - start), rng.random() < _DEV_SHARE
    source, around = f"asked-{language}", [*others, *elsewhere]
    yield Group(source, row["q"], [own], around, *span, RELEVANT, dev)
    if others and rng.random() < _UNANSWERED_SHARE:
        near, *further = rng.sample(others, len(others))
        none = (NO_ANSWER, NO_ANSWER)
        yield Group(f"un{source}", row["q"], [near], [*further, *elsewhere], *none, UNKNOWN, dev)
    known.append(own)


def windows(text: str, size: int) -> list[tuple[int, int]]:
    """Whole sentences in a row, about as many letters as asked for."""
    places, start, end = [], 0, 0
    for match in _SENTENCE.finditer(text):
        if match.end() - start > size and end > start:
            places.append((start, end))
            start = end
        end = match.end()
    return [*places, (start, end)] if end > start else places
