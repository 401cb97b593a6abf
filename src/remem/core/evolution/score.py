"""Score the results of a search in an episode, from 0 to 1. Pure."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from uuid import UUID

RECALL, PRECISION, DOCUMENT_RECALL, LATENCY, DIVERSITY = 0.55, 0.15, 0.20, 0.07, 0.03
# A search that takes this long gets half the latency score.
HALF_MS = 100.0


@dataclass(frozen=True, slots=True)
class Result:
    """One hit: all of its ids, its document, and the id it is grouped by."""

    ids: frozenset[UUID]
    document_id: UUID | None
    origin: UUID


@dataclass(frozen=True, slots=True)
class Wanted:
    """The ids that the answer used, their documents, and ids that were rated not helpful."""

    ids: frozenset[UUID]
    documents: frozenset[UUID] = frozenset()
    rejected: frozenset[UUID] = frozenset()


@dataclass(frozen=True, slots=True)
class Score:
    recall: float
    precision: float
    document_recall: float
    latency: float
    diversity: float

    @property
    def reward(self) -> float:
        return (
            RECALL * self.recall
            + PRECISION * self.precision
            + DOCUMENT_RECALL * self.document_recall
            + LATENCY * self.latency
            + DIVERSITY * self.diversity
        )


def score(expected: Wanted, results: Sequence[Result], took_ms: float) -> Score:
    """Score the results. If no documents were used, the document recall is the recall."""
    recall = _share_found(expected.ids, [result.ids for result in results])
    documents = [
        frozenset({result.document_id} if result.document_id else ()) for result in results
    ]
    document_recall = _share_found(expected.documents, documents) if expected.documents else recall
    return Score(
        recall=recall,
        precision=_precision(expected, results),
        document_recall=document_recall,
        latency=HALF_MS / (HALF_MS + max(took_ms, 0.0)),
        diversity=len({result.origin for result in results}) / len(results) if results else 0.0,
    )


def _share_found(expected: Collection[UUID], id_sets: Sequence[frozenset[UUID]]) -> float:
    seen = frozenset().union(*id_sets) if id_sets else frozenset()
    return sum(id in seen for id in expected) / len(expected) if expected else 0.0


def _precision(expected: Wanted, results: Sequence[Result]) -> float:
    """The share of the results that were used, minus those rated not helpful."""
    right = sum(bool(result.ids & expected.ids) for result in results)
    wrong = sum(bool(result.ids & expected.rejected) for result in results)
    return max(right - wrong, 0) / len(results) if results else 0.0
