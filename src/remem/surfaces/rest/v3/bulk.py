"""Restore a deleted document, and change many documents in one call."""

from typing import Literal
from uuid import UUID

from fastapi import APIRouter, Response
from pydantic import BaseModel, Field

from remem.core.documents.bulk import BULK_LIMIT, Action, Outcome, change_many
from remem.core.documents.deleted.restore import restore_document
from remem.core.documents.model import SavedDocument
from remem.core.flags import Flag
from remem.surfaces.rest.deps import PortsDep, Writer
from remem.surfaces.rest.fields import Tags
from remem.surfaces.rest.guard import Guarded
from remem.surfaces.rest.shapes import Body
from remem.surfaces.rest.v3.memory import MemoryOut, answer

router = APIRouter(prefix="/v3", tags=["documents"], route_class=Guarded)


class BulkIn(Body):
    ids: list[UUID] = Field(min_length=1, max_length=BULK_LIMIT)
    action: Literal["delete", "restore", "move", "tag", "untag", "flag", "unflag"]
    project: str | None = Field(
        default=None, description="With `move`: an id, slug, path or name of the project."
    )
    tags: Tags = Field(default_factory=list, description="With `tag` and `untag`.")
    flags: list[Flag] = Field(default_factory=list, description="With `flag` and `unflag`.")
    undo: bool = Field(
        default=True,
        description="With `delete`: whether it goes to the trash, so that `restore` undoes it.",
    )


class OutcomeOut(BaseModel):
    id: UUID
    ok: bool
    code: str | None = Field(description="The code of the error, as in the body of an error.")
    error: str | None


class BulkOut(BaseModel):
    done: int
    failed: int
    results: list[OutcomeOut] = Field(description="In the order of the ids.")


@router.post("/documents/bulk", response_model=BulkOut)
async def change(body: BulkIn, ports: PortsDep, caller: Writer) -> BulkOut:
    """Move, tag, flag, delete or restore many documents. Each succeeds or fails on its own."""
    action = Action(body.action, body.project, tuple(body.tags), body.undo, tuple(body.flags))
    outcomes = await change_many(ports, caller, body.ids, action)
    done = sum(outcome.error is None for outcome in outcomes)
    return BulkOut(
        done=done, failed=len(outcomes) - done, results=[_outcome(outcome) for outcome in outcomes]
    )


def _outcome(outcome: Outcome) -> OutcomeOut:
    problem = outcome.error
    return OutcomeOut(
        id=outcome.id,
        ok=problem is None,
        code=problem.code if problem else None,
        error=problem.message if problem else None,
    )


@router.post("/documents/{id}/restore", response_model=MemoryOut)
async def restore(id: UUID, ports: PortsDep, caller: Writer, response: Response) -> MemoryOut:
    """Restore a document from the trash."""
    return answer(SavedDocument(await restore_document(ports, caller, id)), response)
