"""How well an encoder finds texts: invented people held out of training, XQuAD and HotpotQA."""

import collections
import json
import lzma
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from mixture import read_lines

# The languages of XQuAD whose mean is reported.
_XQUAD = "de es ru tr zh ar hi".split()

Encode = Callable[[Sequence[str]], np.ndarray]


def people_found(encode: Encode, people: list[dict[str, Any]]) -> dict[str, float]:
    """The share of questions whose note is first, and among three, of the person's notes."""
    ranks: dict[str, list[int]] = collections.defaultdict(list)
    for person in people:
        ids = list(person["notes"])
        notes = encode([person["notes"][id] for id in ids])
        scores = encode([text for text, _, _ in person["q"]]) @ notes.T
        for row, (_, note, _) in zip(scores, person["q"], strict=True):
            kind = "English" if person["who"].startswith("en") else "others"
            ranks[kind].append(int((row > row[ids.index(note)]).sum()))
    return {
        f"{kind} {name}": round(100 * float(np.mean([rank < limit for rank in found])), 1)
        for kind, found in ranks.items()
        for name, limit in (("first", 1), ("among three", 3))
    }


def xquad_found(encode: Encode, path: Path) -> dict[str, float]:
    """The share of questions whose paragraph is first, in one language."""
    rows = [line.split("\t") for line in read_lines(path)]
    found = {}
    for language in sorted({row[0] for row in rows if len(row) == 3}):
        asked = [(row[1], row[2]) for row in rows if row[0] == language]
        paragraphs = list(dict.fromkeys(text for _, text in asked))
        scores = encode([question for question, _ in asked]) @ encode(paragraphs).T
        right = np.array([paragraphs.index(text) for _, text in asked])
        found[language] = round(100 * float((scores.argmax(1) == right).mean()), 1)
    chosen = [found[language] for language in _XQUAD if language in found]
    return found | {"mean": round(float(np.mean(chosen)), 1)}


def hotpot_found(encode: Encode, path: Path) -> float:
    """The share of right articles among the first ten."""
    with lzma.open(path, "rt") as file:
        data = json.load(file)
    passages = encode([f"{text['title']}. {text['text']}" for text in data["passages"]])
    titles = [text["title"] for text in data["passages"]]
    scores = encode([question["question"] for question in data["questions"]]) @ passages.T
    shares = []
    for row, question in zip(scores, data["questions"], strict=True):
        first = {titles[number] for number in np.argsort(-row)[:10]}
        shares.append(len(first.intersection(question["gold"])) / len(question["gold"]))
    return round(100 * float(np.mean(shares)), 1)
