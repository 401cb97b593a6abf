"""What a run would do now, and when the next run is."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from remem.core.evolution.clock import clock_store
from remem.core.evolution.clock.slots import DAILY, next_slot
from remem.core.evolution.jobs.schedule import due
from remem.core.evolution.model import PRIORITIES, JobType
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.time import now


@dataclass(frozen=True, slots=True)
class Upcoming:
    """`due` has the type, project and priority of each due job, most urgent first."""

    due: list[tuple[JobType, UUID | None, int]]
    next_run_at: datetime
    last_run_at: datetime | None


async def upcoming_work(ports: Ports, scope: Scope) -> Upcoming:
    moment = now()
    async with ports.db.transaction(scope) as tx:
        due_jobs = await due(ports, tx, moment)
        last = await clock_store.last_run(tx.system, DAILY.name)
    jobs = [(type, id, PRIORITIES[type]) for type, id in due_jobs]
    jobs.sort(key=lambda job: -job[2])
    return Upcoming(jobs, next_slot(DAILY, moment), last)
