"""One answer a document: the best chunk ranks it, its chunks stand in reading order."""

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


def ranked(chunks: list[Chunk]) -> list[tuple[Ranked, Hit]]:
    order = []
    for document, index, score in sorted(chunks, key=lambda chunk: -chunk[2]):
        one = Ranked(new_id(), document, score, ScoreParts(text=score))
        chunk = candidate(one.id, document, f"chunk {index}", index=index)
        order.append((one, Hit(score, one.parts, CHUNK, chunk=chunk)))
    return order


def grouped(chunks: list[Chunk]) -> list[RecallResult]:
    return group(ranked(chunks))


chunks = st.lists(
    st.tuples(st.sampled_from(DOCUMENTS), st.integers(0, 20), st.floats(0, 1.1)), max_size=30
)


def test_the_best_chunk_ranks_the_document() -> None:
    a, b, *_ = DOCUMENTS
    found = grouped([(a, 0, 0.9), (b, 0, 0.8), (b, 1, 0.8), (a, 1, 0.1)])
    assert [(one.document.document_id, one.score) for one in found] == [(a, 0.9), (b, 0.8)]


def test_chunks_stand_in_reading_order() -> None:
    (found,) = grouped([(DOCUMENTS[0], index, index / 10) for index in (7, 2, 9, 0)])
    assert [one.chunk.chunk_index for one in found.hits] == [0, 2, 7, 9]


def test_nothing_is_grouped_to_nothing() -> None:
    assert grouped([]) == []


@given(chunks)
def test_every_hit_is_in_exactly_one_document(given_chunks: list[Chunk]) -> None:
    order = ranked(given_chunks)
    found = group(order)
    kept = [one.chunk.chunk_id for document in found for one in document.hits]
    assert sorted(kept) == sorted(one.id for one, _ in order)
    for document in found:
        assert {one.chunk.document_id for one in document.hits} == {document.document.document_id}


@given(chunks)
def test_documents_come_best_first(given_chunks: list[Chunk]) -> None:
    found = grouped(given_chunks)
    scores = [one.score for one in found]
    assert scores == sorted(scores, reverse=True)
    assert all(one.score == max(hit.score for hit in one.hits) for one in found)


@given(chunks, st.integers(1, 4))
def test_the_best_documents_keep_their_best_chunks(given_chunks: list[Chunk], limit: int) -> None:
    order = [one for one, _ in ranked(given_chunks)]
    kept = best(order, limit)
    chosen = list(dict.fromkeys(one.group_id for one in order))[:limit]
    for document in chosen:
        mine = [one for one in order if one.group_id == document]
        near = [
            one for one in order[: POLICY.group_chunks_a_result * limit] if one.group_id == document
        ]
        shown = [one for one in kept if one.group_id == document]
        assert shown == (near or mine[:1])[: POLICY.group_chunks]
    assert {one.group_id for one in kept} == set(chosen)
