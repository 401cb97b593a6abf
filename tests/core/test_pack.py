"""Packing the best results into a budget of tokens."""

import time
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remem.core.chunking.split import estimate_tokens
from remem.core.index.kinds import CHUNK
from remem.core.search.model import Hit, RecallResult, ScoreParts
from remem.core.search.pack import pack
from remem.core.time import new_id
from tests.core.pools import candidate

TEXT = "".join(f"Sentence number {n} tells of boats. " for n in range(200))


def hit(
    document: UUID, start: int, end: int, score: float, text: str = TEXT, title: str = "Boats"
) -> Hit:
    chunk = candidate(new_id(), document, text[start:end], start, index=start, title=title)
    return Hit(score, ScoreParts(), CHUNK, chunk=chunk)


def result_of(*hits: Hit) -> RecallResult:
    """A result as recall returns it: chunks in reading order, with the best score of them."""
    ordered = sorted(hits, key=lambda hit: hit.chunk.chunk_index)
    return RecallResult(ordered[0].chunk, max(hit.score for hit in hits), tuple(ordered))


def text_below_heading(text: str) -> str:
    return text.partition("\n")[2]


def test_each_document_has_a_heading() -> None:
    a, b = new_id(), new_id()
    packed = pack(
        [result_of(hit(a, 0, 35, 0.9)), result_of(hit(b, 0, 35, 0.5, title="Cake"))], 1_000
    )
    assert packed.text == (
        f"[1] Boats (2026-11-15)\n{TEXT[:35]}\n\n[2] Cake (2026-11-15)\n{TEXT[:35]}"
    )
    assert packed.left_out == 0
    assert packed.tokens == estimate_tokens(packed.text)


def test_chunks_that_overlap_are_joined() -> None:
    a = new_id()
    packed = pack(
        [result_of(hit(a, 0, 300, 0.9), hit(a, 200, 500, 0.8), hit(a, 400, 450, 0.7))], 1_000
    )
    assert text_below_heading(packed.text) == TEXT[:500]


def test_adjacent_chunks_are_joined_and_a_gap_is_marked() -> None:
    a = new_id()
    touching = pack([result_of(hit(a, 0, 100, 0.9), hit(a, 101, 200, 0.8))], 1_000)
    assert text_below_heading(touching.text) == f"{TEXT[:100]}\n{TEXT[101:200]}"
    gap = pack([result_of(hit(a, 0, 100, 0.9), hit(a, 150, 200, 0.8))], 1_000)
    assert text_below_heading(gap.text) == f"{TEXT[:100]}\n…\n{TEXT[150:200]}"


def test_the_best_chunks_are_packed_in_reading_order() -> None:
    a, b = new_id(), new_id()
    first_result = result_of(hit(a, 0, 400, 0.2), hit(a, 1_000, 1_400, 0.9))
    second_result = result_of(hit(b, 0, 400, 0.8), hit(b, 500, 900, 0.7))
    packed = pack([first_result, second_result], 330)
    assert packed.left_out == 1
    assert TEXT[:400] + "\n…\n" not in packed.text.split("[2]")[0], "the worst chunk does not fit"
    first, second = packed.text.split("\n\n[2]")
    assert text_below_heading(first) == TEXT[1_000:1_400]
    assert text_below_heading(second) == f"{TEXT[:400]}\n…\n{TEXT[500:900]}"


def test_a_small_result_fits_where_a_big_one_does_not() -> None:
    a, b = new_id(), new_id()
    packed = pack([result_of(hit(a, 0, 4_000, 0.9)), result_of(hit(b, 0, 100, 0.5))], 100)
    assert packed.left_out == 1
    assert packed.text.startswith("[2] ")


def test_no_results_and_none_that_fit() -> None:
    assert pack([], 50) == pack([], 50)
    assert (pack([], 50).text, pack([], 50).tokens, pack([], 50).left_out) == ("", 0, 0)
    full = pack([result_of(hit(new_id(), 0, 4_000, 0.9))], 50)
    assert (full.text, full.tokens, full.left_out) == ("", 0, 1)


@given(
    st.lists(
        st.lists(
            st.tuples(st.integers(0, 900), st.integers(1, 300), st.floats(0, 1.1)),
            min_size=1,
            max_size=6,
            unique_by=lambda chunk: chunk[0],
        ),
        max_size=5,
    ),
    st.integers(1, 600),
    st.sampled_from([TEXT, "東京の港には船がある。" * 200, "é" * 2_000]),
)
def test_the_budget_is_never_exceeded(
    documents: list[list[tuple[int, int, float]]], budget: int, text: str
) -> None:
    ids = [new_id() for _ in documents]
    results = [
        result_of(*(hit(id, start, start + size, score, text) for start, size, score in chunks))
        for id, chunks in zip(ids, documents, strict=True)
    ]
    packed = pack(results, budget)
    assert estimate_tokens(packed.text) == packed.tokens <= budget
    assert 0 <= packed.left_out <= sum(map(len, documents))
    assert pack(results, 10**9).left_out == 0


@pytest.mark.parametrize("text", [TEXT * 20, "東京の港には船がある。" * 20_000])
def test_the_largest_possible_results_are_packed_quickly(text: str) -> None:
    results = [
        result_of(*(hit(id, n * 2_000, n * 2_000 + 1_900, 1 / (n + 1), text) for n in range(10)))
        for id in (new_id() for _ in range(100))
    ]
    started = time.process_time()
    packed = pack(results, 100_000)
    assert time.process_time() - started < 2
    assert 90_000 < packed.tokens <= 100_000
