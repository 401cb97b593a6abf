"""What remem learned and does by itself: jobs, arena, policy, signals, and undoing."""

from collections.abc import Sequence
from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Query

from remem.core.evolution.arena.policy import pin_policy, policy_in_force
from remem.core.evolution.arena.report import arena_campaign, arena_report
from remem.core.evolution.jobs.run import BUDGET_S, run_evolution
from remem.core.evolution.jobs.schedule import list_evolution_jobs, request_job
from remem.core.evolution.jobs.upcoming import upcoming_work
from remem.core.evolution.model import JobStatus, JobType
from remem.core.evolution.signals.send import list_signals, send_signal
from remem.core.memories.consolidation.model import ActionName
from remem.core.memories.consolidation.undo import list_consolidations, undo_consolidation
from remem.surfaces.rest.agent.evolve_shapes import (
    ActionList,
    ActionOut,
    ArenaOut,
    CampaignIn,
    CampaignOut,
    EvolutionDueOut,
    EvolutionJobIn,
    EvolutionJobList,
    EvolutionJobOut,
    EvolutionRunOut,
    PolicyIn,
    PolicyOut,
    SignalIn,
    SignalList,
    SignalOut,
    UpcomingOut,
    action_out,
    arena_out,
    job_out,
    policy_out,
    signal_out,
    trial_out,
)
from remem.surfaces.rest.cursors import read_cursor, write_cursor
from remem.surfaces.rest.deps import PortsDep, Reader, Writer
from remem.surfaces.rest.fields import InProject, PageLimit
from remem.surfaces.rest.guard import Guarded

router = APIRouter(prefix="/api/evolve", tags=["agents: evolution"], route_class=Guarded)

Cursor = Annotated[str | None, Query(description="`next_cursor` of the page before.")]


@router.get("/jobs", response_model=EvolutionJobList)
async def jobs(
    ports: PortsDep,
    caller: Reader,
    type: Annotated[JobType | None, Query(description="Of this type.")] = None,
    status: JobStatus | None = None,
    limit: PageLimit = 20,
    cursor: Cursor = None,
) -> EvolutionJobList:
    """What remem did by itself and is to do, the newest first."""
    found, next = await list_evolution_jobs(ports, caller, type, status, _before(cursor), limit)
    return EvolutionJobList(jobs=[job_out(one) for one in found], next_cursor=_cursor(found, next))


@router.post("/jobs", status_code=201, response_model=EvolutionJobOut)
async def request(body: EvolutionJobIn, ports: PortsDep, caller: Writer) -> EvolutionJobOut:
    """Queue a job. Where one of its kind is open already, that one is answered."""
    job_type: JobType = "learning_propagation" if body.job_type == "learning" else body.job_type
    return job_out(await request_job(ports, caller, job_type, body.project))


@router.get("/run", response_model=UpcomingOut)
async def upcoming(ports: PortsDep, caller: Reader) -> UpcomingOut:
    """What a run would do now, and when the next one is by the clock."""
    found = await upcoming_work(ports, caller)
    due = [
        EvolutionDueOut(job_type=type, project_id=id, priority=rank) for type, id, rank in found.due
    ]
    return UpcomingOut(due=due, next_run_at=found.next_run_at, last_run_at=found.last_run_at)


@router.post("/run", response_model=EvolutionRunOut)
async def run(ports: PortsDep, caller: Writer) -> EvolutionRunOut:
    """Queue what is due and do at most five jobs within 25 seconds, the most urgent first."""
    done = await run_evolution(ports, caller, BUDGET_S)
    return EvolutionRunOut(
        scheduled=[job_out(job) for job in done.scheduled],
        jobs=[job_out(job) for job in done.done],
        took_ms=round(done.took_ms, 1),
        left=done.left,
    )


@router.get("/arena", response_model=ArenaOut)
async def arena(ports: PortsDep, caller: Reader, project: InProject = None) -> ArenaOut:
    """How each way of searching did in the sessions of a project, or of all; the best first."""
    return arena_out(await arena_report(ports, caller, project))


@router.post("/arena", response_model=CampaignOut)
async def campaign(body: CampaignIn, ports: PortsDep, caller: Writer) -> CampaignOut:
    """Try the arms now on what sessions and signals tell, and decide the policies anew."""
    budget_s = body.time_budget_ms / 1_000
    done = await arena_campaign(ports, caller, body.project, body.max_projects, budget_s)
    return CampaignOut(projects=[trial_out(one) for one in done])


@router.get("/policy", response_model=PolicyOut)
async def policy(ports: PortsDep, caller: Reader, project: InProject = None) -> PolicyOut:
    """The way of searching in force: the project's, else the tenant's, else what all learned."""
    return policy_out(await policy_in_force(ports, caller, project))


@router.post("/policy", response_model=PolicyOut)
async def pin(body: PolicyIn, ports: PortsDep, caller: Writer) -> PolicyOut:
    """Pin a way of searching, or leave it to the arena again; says what is in force then."""
    return policy_out(await pin_policy(ports, caller, body.project, body.arm))


@router.get("/signals", response_model=SignalList)
async def signals(
    ports: PortsDep,
    caller: Reader,
    project: InProject = None,
    limit: PageLimit = 20,
    cursor: Cursor = None,
) -> SignalList:
    """What was used in answers, found helpful or not; the newest first."""
    found, next = await list_signals(ports, caller, project, _before(cursor), limit)
    return SignalList(signals=[signal_out(one) for one in found], next_cursor=_cursor(found, next))


@router.post("/signals", status_code=201, response_model=SignalOut)
async def signal(body: SignalIn, ports: PortsDep, caller: Writer) -> SignalOut:
    """Say what served a query and what did not. With a `query` it is an episode of its own."""
    sent = await send_signal(
        ports, caller, body.type, body.ids, body.query, body.project, body.session_id
    )
    return signal_out(sent)


@router.get("/actions", response_model=ActionList)
async def actions(
    ports: PortsDep,
    caller: Reader,
    action: ActionName | None = None,
    project: InProject = None,
    limit: PageLimit = 20,
    cursor: Cursor = None,
) -> ActionList:
    """What was merged, decayed, promoted and derived, the newest first."""
    found, next = await list_consolidations(ports, caller, action, project, _before(cursor), limit)
    return ActionList(actions=[action_out(one) for one in found], next_cursor=_cursor(found, next))


@router.post("/actions/{id}/undo", response_model=ActionOut)
async def undo(id: UUID, ports: PortsDep, caller: Writer) -> ActionOut:
    """Put everything back as it was before the action."""
    return action_out(await undo_consolidation(ports, caller, id))


def _before(cursor: str | None) -> UUID | None:
    place = read_cursor(cursor)
    return place[1] if place else None


def _cursor(found: Sequence[Any], next: UUID | None) -> str | None:
    return write_cursor((found[-1].created_at, next)) if next else None
