"""What remem learned and does automatically: jobs, arena, policy, signals, and undo."""

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
    policy_out,
    signal_out,
    trial_out,
)
from remem.surfaces.rest.cursors import read_cursor, write_cursor
from remem.surfaces.rest.deps import PortsDep, Reader, Writer
from remem.surfaces.rest.fields import InProject, PageLimit
from remem.surfaces.rest.guard import Guarded

router = APIRouter(prefix="/api/evolve", tags=["agents: evolution"], route_class=Guarded)

Cursor = Annotated[str | None, Query(description="The `next_cursor` of the previous page.")]


@router.get("/jobs", response_model=EvolutionJobList)
async def jobs(
    ports: PortsDep,
    caller: Reader,
    type: Annotated[JobType | None, Query(description="Only jobs of this type.")] = None,
    status: JobStatus | None = None,
    limit: PageLimit = 20,
    cursor: Cursor = None,
) -> EvolutionJobList:
    """List what remem did and will do automatically, newest first."""
    page, next = await list_evolution_jobs(ports, caller, type, status, _before(cursor), limit)
    return EvolutionJobList(
        jobs=[EvolutionJobOut.of(job) for job in page], next_cursor=_cursor(page, next)
    )


@router.post("/jobs", status_code=201, response_model=EvolutionJobOut)
async def request(body: EvolutionJobIn, ports: PortsDep, caller: Writer) -> EvolutionJobOut:
    """Queue a job. If one of its kind is open already, that one is returned."""
    job_type: JobType = "learning_propagation" if body.job_type == "learning" else body.job_type
    return EvolutionJobOut.of(await request_job(ports, caller, job_type, body.project))


@router.get("/run", response_model=UpcomingOut)
async def upcoming(ports: PortsDep, caller: Reader) -> UpcomingOut:
    """Return what a run would do now, and when the next scheduled run is."""
    work = await upcoming_work(ports, caller)
    due = [
        EvolutionDueOut(job_type=type, project_id=id, priority=rank) for type, id, rank in work.due
    ]
    return UpcomingOut.of(work, due=due)


@router.post("/run", response_model=EvolutionRunOut)
async def run(ports: PortsDep, caller: Writer) -> EvolutionRunOut:
    """Queue what is due and run at most five jobs within 25 seconds, most urgent first."""
    done = await run_evolution(ports, caller, BUDGET_S)
    return EvolutionRunOut(
        scheduled=[EvolutionJobOut.of(job) for job in done.scheduled],
        jobs=[EvolutionJobOut.of(job) for job in done.done],
        took_ms=round(done.took_ms, 1),
        left=done.has_more,
    )


@router.get("/arena", response_model=ArenaOut)
async def arena(ports: PortsDep, caller: Reader, project: InProject = None) -> ArenaOut:
    """How each search policy performed in the sessions of a project, or of all; best first."""
    return arena_out(await arena_report(ports, caller, project))


@router.post("/arena", response_model=CampaignOut)
async def campaign(body: CampaignIn, ports: PortsDep, caller: Writer) -> CampaignOut:
    """Evaluate the arms now on sessions and signals, and decide the policies again."""
    budget_s = body.time_budget_ms / 1_000
    trials = await arena_campaign(ports, caller, body.project, body.max_projects, budget_s)
    return CampaignOut(projects=[trial_out(trial) for trial in trials])


@router.get("/policy", response_model=PolicyOut)
async def policy(ports: PortsDep, caller: Reader, project: InProject = None) -> PolicyOut:
    """Get the active search policy: the project's, else the tenant's, else the global one."""
    return policy_out(await policy_in_force(ports, caller, project))


@router.post("/policy", response_model=PolicyOut)
async def pin(body: PolicyIn, ports: PortsDep, caller: Writer) -> PolicyOut:
    """Pin a search policy, or let the arena decide again; returns the active policy."""
    return policy_out(await pin_policy(ports, caller, body.project, body.arm))


@router.get("/signals", response_model=SignalList)
async def signals(
    ports: PortsDep,
    caller: Reader,
    project: InProject = None,
    limit: PageLimit = 20,
    cursor: Cursor = None,
) -> SignalList:
    """List what was used in answers or rated as helpful or not, newest first."""
    page, next = await list_signals(ports, caller, project, _before(cursor), limit)
    return SignalList(
        signals=[signal_out(signal) for signal in page], next_cursor=_cursor(page, next)
    )


@router.post("/signals", status_code=201, response_model=SignalOut)
async def signal(body: SignalIn, ports: PortsDep, caller: Writer) -> SignalOut:
    """Report what helped with a query and what did not. With a `query`, it counts as an episode."""
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
    """List what was merged, decayed, promoted and derived, newest first."""
    page, next = await list_consolidations(ports, caller, action, project, _before(cursor), limit)
    return ActionList(
        actions=[action_out(consolidation) for consolidation in page],
        next_cursor=_cursor(page, next),
    )


@router.post("/actions/{id}/undo", response_model=ActionOut)
async def undo(id: UUID, ports: PortsDep, caller: Writer) -> ActionOut:
    """Restore everything to the state before the action."""
    return action_out(await undo_consolidation(ports, caller, id))


def _before(cursor: str | None) -> UUID | None:
    position = read_cursor(cursor)
    return position[1] if position else None


def _cursor(page: Sequence[Any], next: UUID | None) -> str | None:
    return write_cursor((page[-1].created_at, next)) if next else None
