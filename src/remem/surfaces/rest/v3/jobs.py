"""The latest jobs, and retries of failed documents."""

from typing import Annotated, Literal
from uuid import UUID

from fastapi import APIRouter, Query
from pydantic import BaseModel

from remem.core.documents.retry import retry_document
from remem.core.jobs.read import list_jobs
from remem.surfaces.rest.deps import PortsDep, Reader, Writer
from remem.surfaces.rest.fields import PageLimit
from remem.surfaces.rest.guard import Guarded
from remem.surfaces.rest.listing import UnreadableItems, show
from remem.surfaces.rest.shapes import Moment, Reply

router = APIRouter(prefix="/v3", tags=["documents"], route_class=Guarded)


class JobLine(Reply):
    id: UUID
    name: str
    subject_id: UUID
    status: str
    attempts: int
    error: str | None
    created_at: Moment
    finished_at: Moment | None


class JobList(BaseModel):
    jobs: list[JobLine]
    unreadable: UnreadableItems


class RetryOut(BaseModel):
    id: UUID
    status: str
    job_id: UUID | None


@router.get("/jobs", response_model=JobList)
async def latest(
    ports: PortsDep,
    caller: Reader,
    status: Annotated[
        Literal["pending", "processing", "completed", "failed"] | None, Query()
    ] = None,
    limit: PageLimit = 20,
) -> JobList:
    """List jobs, newest first."""
    job_states = await list_jobs(ports, caller, status, limit)
    jobs, unreadable = show(job_states, JobLine.of)
    return JobList(jobs=jobs, unreadable=unreadable)


@router.post("/documents/{id}/retry", status_code=202, response_model=RetryOut)
async def retry(id: UUID, ports: PortsDep, caller: Writer) -> RetryOut:
    """Retry a document that failed or is stuck, from the stage where it stopped."""
    status, job_id = await retry_document(ports, caller, id)
    return RetryOut(id=id, status=status, job_id=job_id)
