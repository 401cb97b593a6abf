"""One result per document: its best chunk ranks it, and its chunks are in reading order."""

from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from remem.core.index.kinds import CHUNK
from remem.core.search.group import best, group
from remem.core.search.model import Hit, Ranked, RecallResult, ScoreParts
from remem.core.search.policy import POLICY
from remem.core.time import new_id
from tests.core.pools import candidate

DOCUMENTS = sorted(new_id() for _ in range(4))
Chunk = tuple[UUID, int, float]


def rank_chunks(chunks: list[Chunk]) -> list[tuple[Ranked, Hit]]:
    order = []
    for document, index, score in sorted(chunks, key=lambda chunk: -chunk[2]):
        entry = Ranked(new_id(), document, score, ScoreParts(text=score))
        chunk = candidate(entry.id, document, f"chunk {index}", index=index)
        order.append((entry, Hit(score, entry.parts, CHUNK, chunk=chunk)))
    return order


def group_chunks(chunks: list[Chunk]) -> list[RecallResult]:
    return group(rank_chunks(chunks))


chunks = st.lists(
    st.tuples(st.sampled_from(DOCUMENTS), st.integers(0, 20), st.floats(0, 1.1)), max_size=30
)


def test_the_best_chunk_ranks_the_document() -> None:
    a, b, *_ = DOCUMENTS
    results = group_chunks([(a, 0, 0.9), (b, 0, 0.8), (b, 1, 0.8), (a, 1, 0.1)])
    assert [(result.document.document_id, result.score) for result in results] == [
        (a, 0.9),
        (b, 0.8),
    ]


def test_chunks_are_in_reading_order() -> None:
    (result,) = group_chunks([(DOCUMENTS[0], index, index / 10) for index in (7, 2, 9, 0)])
    assert [hit.chunk.chunk_index for hit in result.hits] == [0, 2, 7, 9]


def test_no_chunks_give_no_results() -> None:
    assert group_chunks([]) == []


@given(chunks)
def test_every_hit_is_in_exactly_one_document(given_chunks: list[Chunk]) -> None:
    order = rank_chunks(given_chunks)
    results = group(order)
    kept = [hit.chunk.chunk_id for result in results for hit in result.hits]
    assert sorted(kept) == sorted(ranked.id for ranked, _ in order)
    for result in results:
        assert {hit.chunk.document_id for hit in result.hits} == {result.document.document_id}


@given(chunks)
def test_documents_come_best_first(given_chunks: list[Chunk]) -> None:
    results = group_chunks(given_chunks)
    scores = [result.score for result in results]
    assert scores == sorted(scores, reverse=True)
    assert all(result.score == max(hit.score for hit in result.hits) for result in results)


@given(chunks, st.integers(1, 4))
def test_the_best_documents_keep_their_best_chunks(given_chunks: list[Chunk], limit: int) -> None:
    order = [ranked for ranked, _ in rank_chunks(given_chunks)]
    kept = best(order, limit)
    chosen = list(dict.fromkeys(ranked.group_id for ranked in order))[:limit]
    for document in chosen:
        of_document = [ranked for ranked in order if ranked.group_id == document]
        near_the_top = [
            ranked
            for ranked in order[: POLICY.group_chunks_a_result * limit]
            if ranked.group_id == document
        ]
        shown = [ranked for ranked in kept if ranked.group_id == document]
        assert shown == (near_the_top or of_document[:1])[: POLICY.group_chunks]
    assert {ranked.group_id for ranked in kept} == set(chosen)
