"""Read a chunk, resolve a short id, and find lines by their exact text."""

from typing import Annotated, Literal
from uuid import UUID

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field

from remem.core.documents.pages.lines import find_lines
from remem.core.search.ids import read_chunk, resolve_id
from remem.surfaces.rest.deps import PortsDep, Reader
from remem.surfaces.rest.fields import InProject
from remem.surfaces.rest.guard import Guarded
from remem.surfaces.rest.shapes import Moment, Reply, address_of

router = APIRouter(prefix="/v3", tags=["documents"], route_class=Guarded)

Kind = Literal["document", "memory", "chunk"]


class ChunkPage(Reply):
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


class LineOut(Reply):
    document_id: UUID
    title: str
    project: str
    number: int = Field(description="Counted from 1.")
    text: str = Field(description="A long line is cut around the text.")


class LinesOut(Reply):
    lines: list[LineOut]
    is_complete: bool = Field(description="False if there may be more.")


@router.get("/lines", response_model=LinesOut)
async def lines(
    ports: PortsDep,
    caller: Reader,
    text: Annotated[str, Query(min_length=1, max_length=500, description="A part of a line.")],
    project: InProject = None,
    document_id: UUID | None = None,
    any_case: Annotated[bool, Query(description="Small letters match capitals.")] = False,
    limit: Annotated[int, Query(ge=1, le=500)] = 50,
) -> LinesOut:
    """Find the lines of documents that contain a text exactly, those of the newest first."""
    found = await find_lines(ports, caller, text, project, document_id, limit, any_case=any_case)
    return LinesOut.of(found)


@router.get("/chunks/{id}", response_model=ChunkPage)
async def read(id: UUID, ports: PortsDep, caller: Reader) -> ChunkPage:
    """Get one chunk of a search result."""
    chunk = await read_chunk(ports, caller, id)
    return ChunkPage.of(
        chunk, id=chunk.chunk_id, document_url=address_of("document", chunk.document_id)
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
