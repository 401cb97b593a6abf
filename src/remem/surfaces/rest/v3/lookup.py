"""Read a chunk, and resolve a short id."""

from typing import Annotated, Literal
from uuid import UUID

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field

from remem.core.search.ids import read_chunk, resolve_id
from remem.surfaces.rest.deps import PortsDep, Reader
from remem.surfaces.rest.guard import Guarded
from remem.surfaces.rest.shapes import Moment, address_of
from remem.surfaces.rest.v3.chunk_fields import chunk_fields

router = APIRouter(prefix="/v3", tags=["documents"], route_class=Guarded)

Kind = Literal["document", "memory", "chunk"]


class ChunkPage(BaseModel):
    id: UUID
    document_id: UUID
    document_url: str = Field(description="Where its document can be read.")
    title: str
    content: str
    chunk_index: int
    start_offset: int
    end_offset: int
    page: int | None
    at_s: float | None
    heading_path: list[str]
    speaker: str | None
    said_at: Moment | None
    project_id: UUID
    created_at: Moment


class NamedOut(BaseModel):
    id: UUID
    kind: Kind
    url: str = Field(description="Where it can be read.")


@router.get("/chunks/{id}", response_model=ChunkPage)
async def read(id: UUID, ports: PortsDep, caller: Reader) -> ChunkPage:
    """Get one chunk of a search result."""
    chunk = await read_chunk(ports, caller, id)
    return ChunkPage(
        id=chunk.chunk_id,
        document_id=chunk.document_id,
        document_url=address_of("document", chunk.document_id),
        title=chunk.title,
        **chunk_fields(chunk),
        speaker=chunk.speaker,
        said_at=chunk.said_at,
        project_id=chunk.project_id,
        created_at=chunk.created_at,
    )


@router.get("/ids/{short}", response_model=NamedOut)
async def resolve(
    short: str,
    ports: PortsDep,
    caller: Reader,
    kind: Annotated[list[Kind] | None, Query(description="Only these kinds.")] = None,
) -> NamedOut:
    """Find the item whose id begins or ends with these digits, at least 8; 409 if several match."""
    kinds = tuple(kind) if kind else ("document", "memory", "chunk")
    match = await resolve_id(ports, caller, short, kinds)
    return NamedOut.model_validate(
        {"id": match.id, "kind": match.kind, "url": address_of(match.kind, match.id)}
    )
