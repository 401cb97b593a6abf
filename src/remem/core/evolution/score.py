"""How well a search served an episode, as one number from 0 to 1. Pure."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from uuid import UUID

RECALL, PRECISION, DOCUMENT_RECALL, LATENCY, DIVERSITY = 0.55, 0.15, 0.20, 0.07, 0.03
# A search of this length counts half.
HALF_MS = 100.0


@dataclass(frozen=True, slots=True)
class Result:
    """One hit: every id it is known by, the document it is of, and what it is grouped by."""

    ids: frozenset[UUID]
    document_id: UUID | None
    origin: UUID


@dataclass(frozen=True, slots=True)
class Wanted:
    """What was used in the answer, the documents it is from, and what was found not helpful."""

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


def score(wanted: Wanted, results: Sequence[Result], took_ms: float) -> Score:
    """Where nothing of a document was used, its recall is that of everything."""
    recall = _share_found(wanted.ids, [one.ids for one in results])
    documents = [frozenset({one.document_id} if one.document_id else ()) for one in results]
    document_recall = _share_found(wanted.documents, documents) if wanted.documents else recall
    return Score(
        recall=recall,
        precision=_precision(wanted, results),
        document_recall=document_recall,
        latency=HALF_MS / (HALF_MS + max(took_ms, 0.0)),
        diversity=len({one.origin for one in results}) / len(results) if results else 0.0,
    )


def _share_found(wanted: Collection[UUID], found: Sequence[frozenset[UUID]]) -> float:
    seen = frozenset().union(*found) if found else frozenset()
    return sum(id in seen for id in wanted) / len(wanted) if wanted else 0.0


def _precision(wanted: Wanted, results: Sequence[Result]) -> float:
    """The share of the results that was used; what was found not helpful counts against it."""
    right = sum(bool(one.ids & wanted.ids) for one in results)
    wrong = sum(bool(one.ids & wanted.rejected) for one in results)
    return max(right - wrong, 0) / len(results) if results else 0.0
