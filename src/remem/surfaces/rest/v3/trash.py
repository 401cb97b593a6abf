"""The trash: what was deleted and can be restored."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field

from remem.core.documents.deleted.list_deleted import list_deleted_documents
from remem.core.memories.list_deleted import list_deleted_memories
from remem.surfaces.rest.deps import PortsDep, Reader
from remem.surfaces.rest.guard import Guarded
from remem.surfaces.rest.listing import UnreadableItems, show
from remem.surfaces.rest.shapes import Moment, Reply

router = APIRouter(prefix="/v3", tags=["documents"], route_class=Guarded)


class DeletedDocumentOut(Reply):
    id: UUID
    title: str
    deleted_at: Moment
    restorable_until: Moment


class DeletedMemoryOut(Reply):
    id: UUID
    content: str
    deleted_at: Moment | None


class TrashOut(BaseModel):
    documents: list[DeletedDocumentOut] = Field(
        description="`POST /v3/documents/{id}/restore` restores one; `DELETE` erases it at once."
    )
    memories: list[DeletedMemoryOut] = Field(
        description="`POST /api/memories/{id}/restore` restores one; they stay until erased."
    )
    unreadable: UnreadableItems


@router.get("/trash", response_model=TrashOut)
async def trash(
    ports: PortsDep, caller: Reader, limit: Annotated[int, Query(ge=1, le=1_000)] = 200
) -> TrashOut:
    """List the deleted documents and forgotten memories that can be restored, latest first."""
    documents, bad = show(await list_deleted_documents(ports, caller, limit), DeletedDocumentOut.of)
    memories, more_bad = show(
        await list_deleted_memories(ports, caller, limit), DeletedMemoryOut.of
    )
    return TrashOut(documents=documents, memories=memories, unreadable=bad + more_bad)
