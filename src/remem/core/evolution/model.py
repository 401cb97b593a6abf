"""The values of evolution."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, TypeAlias, get_args
from uuid import UUID

from remem.core.evolution.bandit import Tally
from remem.core.search.arms import Arm

JobType: TypeAlias = Literal[
    "arena", "embedding", "derivation", "consolidation", "graph", "learning_propagation"
]
JobStatus: TypeAlias = Literal["pending", "running", "completed", "failed"]
JOB_TYPES: tuple[JobType, ...] = get_args(JobType)
PRIORITIES: dict[JobType, int] = {
    "arena": 10,
    "embedding": 8,
    "derivation": 6,
    "consolidation": 4,
    "graph": 2,
    "learning_propagation": 1,
}
# Jobs of a project; the others are jobs of the tenant.
PROJECT_JOBS: frozenset[JobType] = frozenset({"arena", "consolidation"})
PolicySource: TypeAlias = Literal["project", "tenant", "global", "built_in"]
SignalType: TypeAlias = Literal["used", "helpful", "not_helpful"]


@dataclass(frozen=True, slots=True)
class EvolutionJob:
    id: UUID
    job_type: JobType
    project_id: UUID | None
    status: JobStatus
    priority: int
    attempts: int
    result: dict[str, Any]
    error: str | None
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None


@dataclass(frozen=True, slots=True)
class Work:
    """What a step did. `has_more` says that there is more work for the next run."""

    result: dict[str, Any] = field(default_factory=dict)
    has_more: bool = False


@dataclass(frozen=True, slots=True)
class Run:
    """What one run scheduled and did; `has_more` says that another run would have work."""

    scheduled: list[EvolutionJob]
    done: list[EvolutionJob]
    took_ms: float
    has_more: bool


@dataclass(frozen=True, slots=True)
class PolicyInForce:
    """The arm that searches use, the source of that policy, and why; `reason` has only figures."""

    arm: Arm
    source: PolicySource
    is_pinned: bool = False
    reason: dict[str, Any] = field(default_factory=dict)
    decided_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class ArmRecord:
    """The results of an arm: its tally, the means of its reward's components, and its UCB."""

    arm: Arm
    tally: Tally
    ucb: float | None
    recall: float = 0.0
    precision: float = 0.0
    document_recall: float = 0.0
    latency: float = 0.0
    diversity: float = 0.0
    took_ms: float = 0.0


@dataclass(frozen=True, slots=True)
class Signal:
    """Feedback on the results of a query."""

    id: UUID
    type: SignalType
    subject_ids: list[UUID]
    project_id: UUID
    session_id: UUID | None
    query: str | None
    source: Literal["signal", "turn", "feedback"]
    created_at: datetime
