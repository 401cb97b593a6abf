"""Sample data: check whether it is installed, add it, remove it."""

from uuid import UUID

from fastapi import APIRouter
from pydantic import Field

from remem.core.samples import manage
from remem.surfaces.rest.deps import PortsDep, Reader, Writer
from remem.surfaces.rest.guard import Guarded
from remem.surfaces.rest.shapes import Reply

router = APIRouter(prefix="/v3", tags=["samples"], route_class=Guarded)


class SamplesOut(Reply):
    present: bool
    project_id: UUID | None = Field(description="The project of the sample data.")
    documents: int
    memories: int


@router.get("/samples", response_model=SamplesOut)
async def read(ports: PortsDep, caller: Reader) -> SamplesOut:
    """Whether the sample data is installed."""
    return _out(await manage.find_samples(ports, caller))


@router.post("/samples", status_code=201, response_model=SamplesOut)
async def add(ports: PortsDep, caller: Writer) -> SamplesOut:
    """Add sample documents and memories to try remem with, in a separate project."""
    return _out(await manage.add_samples(ports, caller))


@router.delete("/samples", status_code=204)
async def remove(ports: PortsDep, caller: Writer) -> None:
    """Remove the sample data and everything derived from it."""
    await manage.remove_samples(ports, caller)


def _out(samples: manage.Samples) -> SamplesOut:
    return SamplesOut.of(
        samples,
        present=samples.project is not None,
        project_id=samples.project.id if samples.project else None,
    )
