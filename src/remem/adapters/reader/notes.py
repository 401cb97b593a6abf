"""Read the tags of a note's words, and what its lines are worth, from the network's logits."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from remem.core.readings import CATEGORIES, TAG_KINDS, NoteReading, Tag, WorthReading

Floats = NDArray[np.float32]
Place = tuple[int, int]


def read_note(
    text: str, offsets: Sequence[Place], tags: Floats, values: Floats, lines: Sequence[Place]
) -> NoteReading:
    """`tags` and `values` have a row for each token."""
    return NoteReading(
        tags=list(_tags(text, offsets, _probabilities(tags))),
        worth=[_worth(offsets, values, line) for line in lines],
    )


def _tags(text: str, offsets: Sequence[Place], shares: Floats) -> Iterator[Tag]:
    """The likeliest phrases; tag 0 is outside, then the first and a further word of each kind."""
    chosen = shares.argmax(1).tolist()
    start = 0
    while start < len(chosen):
        tag, end = chosen[start], start + 1
        if not tag:
            start += 1
            continue
        kind = (tag - 1) // 2
        while end < len(chosen) and chosen[end] == 2 + 2 * kind:
            end += 1
        both = shares[start:end, 1 + 2 * kind] + shares[start:end, 2 + 2 * kind]
        first, last = stripped(text, offsets[start][0], offsets[end - 1][1])
        if first < last:
            yield Tag(first, last, TAG_KINDS[kind], float(both.mean()))
        start = end


def stripped(text: str, start: int, end: int) -> Place:
    """Without the space that a token has before it."""
    phrase = text[start:end]
    return start + len(phrase) - len(phrase.lstrip()), start + len(phrase.rstrip())


def _worth(offsets: Sequence[Place], values: Floats, line: Place) -> WorthReading | None:
    start, end = line
    inside = [n for n, (first, last) in enumerate(offsets) if last > start and first < end]
    if not inside:
        return None
    keep, *kinds = values[inside[0] : inside[-1] + 1].mean(axis=0).tolist()
    return WorthReading(float(1 / (1 + np.exp(-keep))), CATEGORIES[int(np.argmax(kinds))])


def _probabilities(logits: Floats) -> Floats:
    weight = np.exp(logits - logits.max(axis=1, keepdims=True))
    return weight / weight.sum(axis=1, keepdims=True)
