"""The server: since when it runs, what failed last, and when it was backed up."""

from importlib.metadata import version

from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict, Field

from remem.core.backup.status import backup_status
from remem.core.jobs.read import JobState, list_jobs
from remem.surfaces.rest.deps import PortsDep, Reader
from remem.surfaces.rest.guard import Guarded
from remem.surfaces.rest.listing import show
from remem.surfaces.rest.shapes import Moment

router = APIRouter(prefix="/v3", tags=["account"], route_class=Guarded)


class BackupsOut(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    is_on: bool = Field(description="Whether this server makes a backup every night.")
    last_at: Moment | None = Field(description="When the last one was made.")
    bytes: int | None = Field(description="Its size.")
    failed_at: Moment | None = Field(description="When the last attempt failed, if it did.")
    error: str | None = Field(description="Why it failed.")
    is_overdue: bool = Field(description="Whether none was made for three days.")


class LastFailureOut(BaseModel):
    job: str
    at: Moment | None
    error: str | None


class ServerOut(BaseModel):
    version: str
    started_at: Moment
    last_failure: LastFailureOut | None = Field(description="Your latest failed job.")
    backups: BackupsOut


@router.get("/server", response_model=ServerOut)
async def server(request: Request, ports: PortsDep, caller: Reader) -> ServerOut:
    """Since when the server runs, which of your jobs failed last, and when it was backed up."""
    failed, _ = show(await list_jobs(ports, caller, "failed", 1), _failure)
    return ServerOut(
        version=version("remem"),
        started_at=request.app.state.started_at,
        last_failure=failed[0] if failed else None,
        backups=BackupsOut.model_validate(await backup_status(ports)),
    )


def _failure(job: JobState) -> LastFailureOut:
    return LastFailureOut(job=job.name, at=job.finished_at, error=job.error)
