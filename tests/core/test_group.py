"""One answer a document: the best chunk ranks it, its chunks stand in reading order."""

from datetime import UTC, datetime
from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from remem.core.search.group import group
from remem.core.search.model import Candidate, Hit, Parts
from remem.core.time import new_id

DOCUMENTS = sorted(new_id() for _ in range(4))


def hit(document: UUID, index: int, score: float) -> Hit:
    candidate = Candidate(
        chunk_id=new_id(),
        document_id=document,
        content=f"chunk {index}",
        chunk_index=index,
        start_offset=0,
        end_offset=7,
        page=None,
        at_s=None,
        heading_path=[],
        title="Title",
        summary=None,
        source_url=None,
        content_type="text",
        tags=[],
        project_id=document,
        created_at=datetime(2026, 1, 1, tzinfo=UTC),
    )
    return Hit(candidate, score, Parts(text=score))


hits = st.lists(
    st.builds(hit, st.sampled_from(DOCUMENTS), st.integers(0, 20), st.floats(0, 1.1)), max_size=30
)


def test_the_best_chunk_ranks_the_document() -> None:
    a, b, *_ = DOCUMENTS
    found = group([hit(a, 0, 0.9), hit(b, 0, 0.8), hit(b, 1, 0.8), hit(a, 1, 0.1)])
    assert [(one.document.document_id, one.score) for one in found] == [(a, 0.9), (b, 0.8)]


def test_chunks_stand_in_reading_order() -> None:
    found = group([hit(DOCUMENTS[0], index, index / 10) for index in (7, 2, 9, 0)])
    assert [one.candidate.chunk_index for one in found[0].hits] == [0, 2, 7, 9]


def test_equal_scores_have_one_order() -> None:
    one_way = group([hit(document, 0, 0.5) for document in DOCUMENTS])
    other_way = group([hit(document, 0, 0.5) for document in reversed(DOCUMENTS)])
    ids = [found.document.document_id for found in one_way]
    assert ids == [found.document.document_id for found in other_way] == DOCUMENTS


def test_nothing_is_grouped_to_nothing() -> None:
    assert group([]) == []


@given(hits)
def test_every_hit_is_in_exactly_one_document(given_hits: list[Hit]) -> None:
    found = group(given_hits)
    kept = [one.candidate.chunk_id for document in found for one in document.hits]
    assert sorted(kept) == sorted(one.candidate.chunk_id for one in given_hits)
    for document in found:
        assert {one.candidate.document_id for one in document.hits} == {
            document.document.document_id
        }


@given(hits)
def test_documents_come_best_first(given_hits: list[Hit]) -> None:
    scores = [one.score for one in group(given_hits)]
    assert scores == sorted(scores, reverse=True)
    assert all(one.score == max(hit.score for hit in one.hits) for one in group(given_hits))
