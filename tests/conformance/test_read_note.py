"""What the reader says of a note's words and lines, from the logits of its network."""

import numpy as np
import pytest

from remem.adapters.reader.network import NOTE_TOKENS, note_parts
from remem.adapters.reader.notes import read_note, stripped
from remem.core.readings import CATEGORIES, TAG_KINDS

TEXT = "call Mia Kuhn tue\nbuy oat milk"
TOKENS = ("call", " Mia", " Kuhn", " tue", "\nbuy", " oat", " milk")
FIRST, SECOND = (0, 17), (18, 30)


def offsets() -> list[tuple[int, int]]:
    ends = np.cumsum([len(token) for token in TOKENS]).tolist()
    return [(end - len(token), end) for token, end in zip(TOKENS, ends, strict=True)]


def logits(*chosen: int, width: int) -> np.ndarray:
    """A row for each token."""
    rows = np.zeros((len(chosen), width), np.float32)
    for place, number in enumerate(chosen):
        rows[place, number] = 8
    return rows


def tag(kind: str, further: bool = False) -> int:
    return 1 + 2 * TAG_KINDS.index(kind) + further


def test_words_of_one_kind_in_a_row_are_a_phrase() -> None:
    chosen = (
        0,
        tag("person"),
        tag("person", True),
        tag("time"),
        0,
        tag("thing"),
        tag("thing", True),
    )
    values = np.zeros((len(TOKENS), 1 + len(CATEGORIES)), np.float32)
    reading = read_note(TEXT, offsets(), logits(*chosen, width=13), values, [])
    assert [(TEXT[found.start : found.end], found.kind) for found in reading.tags] == [
        ("Mia Kuhn", "person"),
        ("tue", "time"),
        ("oat milk", "thing"),
    ]
    assert all(found.confidence > 0.9 for found in reading.tags)


def test_two_firsts_in_a_row_are_two_phrases() -> None:
    chosen = (0, tag("person"), tag("person"), 0, 0, 0, 0)
    values = np.zeros((len(TOKENS), 1 + len(CATEGORIES)), np.float32)
    reading = read_note(TEXT, offsets(), logits(*chosen, width=13), values, [])
    assert [TEXT[found.start : found.end] for found in reading.tags] == ["Mia", "Kuhn"]


def test_each_line_is_worth_what_its_own_words_say() -> None:
    values = np.zeros((len(TOKENS), 1 + len(CATEGORIES)), np.float32)
    values[:4, 0], values[4:, 0] = 4, -4
    values[:4, 1 + CATEGORIES.index("task")] = 3
    reading = read_note(
        TEXT, offsets(), logits(*[0] * 7, width=13), values, [FIRST, SECOND, (300, 310)]
    )
    first, second, unread = reading.worth
    assert first is not None and second is not None
    assert (first.category, unread) == ("task", None)
    assert first.probability == pytest.approx(0.98, abs=0.01)
    assert second.probability == pytest.approx(0.02, abs=0.01)


@pytest.mark.parametrize("count", [1, NOTE_TOKENS, NOTE_TOKENS + 1, 5 * NOTE_TOKENS])
def test_a_long_note_is_read_innote_parts_that_begin_with_a_line(count: int) -> None:
    places = [(at, at + 1) for at in range(count)]
    parts = [*note_parts(places, range(0, count, 50))]
    assert [at for start, end in parts for at in range(start, end)] == [*range(count)]
    assert all(end - start <= NOTE_TOKENS and start % 50 == 0 for start, end in parts)


def test_a_line_that_is_too_long_is_cut() -> None:
    places = [(at, at + 1) for at in range(2 * NOTE_TOKENS)]
    assert [*note_parts(places, [0])] == [(0, NOTE_TOKENS), (NOTE_TOKENS, 2 * NOTE_TOKENS)]


@pytest.mark.parametrize(("start", "end", "expected"), [(4, 8, (5, 8)), (0, 4, (0, 4))])
def test_a_phrase_has_no_space_around_it(start: int, end: int, expected: tuple[int, int]) -> None:
    assert stripped(TEXT, start, end) == expected
