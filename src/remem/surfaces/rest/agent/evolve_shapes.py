"""The bodies and replies of evolution."""

from typing import Any, Literal
from uuid import UUID

from pydantic import Field

from remem.core.evolution.arena.report import ArenaReport, Trial
from remem.core.evolution.model import (
    ArmRecord,
    PolicyInForce,
    Signal,
    SignalType,
)
from remem.core.evolution.signals.send import IDS_LIMIT
from remem.core.memories.consolidation.model import ActionName, Consolidation
from remem.core.search.arms import Arm, ArmName
from remem.core.search.model import QUERY_LIMIT
from remem.core.text import shorten
from remem.surfaces.rest.agent.shapes import Camel, CamelBody
from remem.surfaces.rest.shapes import Moment

CONTENT = 300
# `learning_propagation` is the full name; the short form is accepted as well.
AskedType = Literal[
    "arena", "embedding", "derivation", "consolidation", "graph", "learning_propagation", "learning"
]  # fmt: skip


class ArmOut(Camel):
    """A search policy. `documents`: search documents too; `vector`: search by meaning too."""

    id: str
    mode: str
    documents: bool
    vector: bool


class PolicyOut(ArmOut):
    """The active search policy, where it comes from and why."""

    source: Literal["project", "tenant", "global", "built_in"]
    pinned: bool
    reason: dict[str, Any] = Field(description="The decision, and the scores behind it.")
    decided_at: Moment | None


class EvolutionJobOut(Camel):
    id: UUID
    job_type: str
    project_id: UUID | None
    status: str
    priority: int
    attempts: int
    result: dict[str, Any]
    error: str | None
    created_at: Moment
    started_at: Moment | None
    finished_at: Moment | None


class EvolutionJobList(Camel):
    jobs: list[EvolutionJobOut]
    next_cursor: str | None = Field(alias="next_cursor")


class EvolutionJobIn(CamelBody):
    job_type: AskedType
    project: str | None = Field(
        default=None, description="For `arena` and `consolidation`; the default project if absent."
    )


class EvolutionRunOut(Camel):
    """What was queued, what was done, and whether more work is due."""

    scheduled: list[EvolutionJobOut]
    jobs: list[EvolutionJobOut]
    took_ms: float
    left: bool


class EvolutionDueOut(Camel):
    job_type: str
    project_id: UUID | None
    priority: int


class UpcomingOut(Camel):
    """What is due now, and when the next nightly run is."""

    due: list[EvolutionDueOut]
    next_run_at: Moment
    last_run_at: Moment | None


class ArmScore(ArmOut):
    """`score` is the mean reward, `error` its standard error, `ucb` the bound that decides which
    arm is tried next."""

    pulls: int
    score: float
    error: float | None
    ucb: float | None
    recall: float
    precision: float
    document_recall: float
    latency: float
    diversity: float
    took_ms: float


class ArenaOut(Camel):
    project_id: UUID | None
    project: str | None
    episodes: int
    arms: list[ArmScore]
    policy: PolicyOut


class CampaignIn(CamelBody):
    project: str | None = Field(default=None, description="One project; all if absent.")
    max_projects: int = Field(default=10, ge=1, le=100)
    time_budget_ms: int = Field(default=25_000, ge=100, le=600_000)


class TrialOut(Camel):
    project_id: UUID
    project: str
    episodes: int
    pulls: int
    arm: str | None = Field(description="The active arm; null while too little is known.")


class CampaignOut(Camel):
    projects: list[TrialOut]


class PolicyIn(CamelBody):
    project: str | None = Field(default=None, description="The tenant's policy if absent.")
    arm: ArmName | None = Field(description="An arm to pin; null lets the arena decide again.")


class SignalIn(CamelBody):
    type: SignalType
    ids: list[UUID] = Field(
        min_length=1, max_length=IDS_LIMIT, description="Memories, chunks or documents."
    )
    query: str | None = Field(
        default=None, min_length=1, max_length=QUERY_LIMIT, description="What was asked."
    )
    project: str | None = None
    session_id: UUID | None = None


class SignalOut(Camel):
    """`source`: sent as a signal, used in the answer of a turn, or feedback on a memory."""

    id: UUID
    type: SignalType
    ids: list[UUID]
    project_id: UUID
    session_id: UUID | None
    query: str | None
    source: str
    created_at: Moment


class SignalList(Camel):
    signals: list[SignalOut]
    next_cursor: str | None = Field(alias="next_cursor")


class ActionOut(Camel):
    """An action that merged, decayed, promoted or derived a memory. `before` and `after` are its
    confidence or quality; for a derived memory, `after` is its number of parts, or `insight`."""

    id: UUID
    action: ActionName
    memory_id: UUID
    content: str
    into_id: UUID | None
    into_content: str | None
    project_id: UUID
    project: str
    similarity: float | None
    before: float | str | None
    after: float | str | None
    created_at: Moment
    undone_at: Moment | None


class ActionList(Camel):
    actions: list[ActionOut]
    next_cursor: str | None = Field(alias="next_cursor")


def _arm_fields(arm: Arm) -> dict[str, Any]:
    return {"id": arm.id, "mode": arm.mode, "documents": arm.documents, "vector": arm.vectors}


def policy_out(policy: PolicyInForce) -> PolicyOut:
    return PolicyOut.of(policy, **_arm_fields(policy.arm), pinned=policy.is_pinned)


def arena_out(report: ArenaReport) -> ArenaOut:
    return ArenaOut.of(
        report,
        project=report.project_ref,
        arms=[_arm_score(record) for record in report.arms],
        policy=policy_out(report.policy),
    )


def _arm_score(record: ArmRecord) -> ArmScore:
    return ArmScore(
        **_arm_fields(record.arm),
        pulls=record.tally.pulls,
        score=round(record.tally.mean, 4),
        error=round(record.tally.error, 4) if record.tally.pulls > 1 else None,
        ucb=round(record.ucb, 4) if record.ucb is not None else None,
        recall=round(record.recall, 4),
        precision=round(record.precision, 4),
        document_recall=round(record.document_recall, 4),
        latency=round(record.latency, 4),
        diversity=round(record.diversity, 4),
        took_ms=round(record.took_ms, 2),
    )


def trial_out(trial: Trial) -> TrialOut:
    return TrialOut.of(trial, project=trial.project_ref)


def signal_out(signal: Signal) -> SignalOut:
    return SignalOut.of(signal, ids=signal.subject_ids)


def action_out(action: Consolidation) -> ActionOut:
    name = {"decay": "confidence", "promote": "quality"}.get(action.action)
    after = {
        "decay": action.before.get("after"),
        "promote": "good",
        "derive": "insight"
        if "insight_of" in action.before
        else len(action.before.get("parts", ())),
    }.get(action.action)
    return ActionOut.of(
        action,
        content=shorten(action.content, CONTENT),
        into_content=shorten(action.into_content, CONTENT) if action.into_content else None,
        project=action.project_ref,
        similarity=round(action.cosine, 4) if action.cosine is not None else None,
        before=action.before.get(name) if name else None,
        after=after,
    )
