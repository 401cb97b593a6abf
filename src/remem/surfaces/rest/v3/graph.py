"""The memory graph and statistics."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query, Response
from pydantic import BaseModel, Field

from remem.choices import languages_read
from remem.core.documents.related import LIMIT_MAX, RelatedDocument, related_documents
from remem.core.graph.model import NodeKind
from remem.core.graph.view import KINDS, NODES_LIMIT, view_graph
from remem.core.stats.count import count_all
from remem.core.stats.moving import find_move
from remem.surfaces.rest.deps import PortsDep, Reader, SettingsDep
from remem.surfaces.rest.guard import Guarded
from remem.surfaces.rest.listing import UnreadableItems, show
from remem.surfaces.rest.shapes import Moment, Reply

router = APIRouter(prefix="/v3", tags=["graph"], route_class=Guarded)


class GraphNode(BaseModel):
    id: UUID
    kind: NodeKind
    label: str
    type: str = Field(
        description="The type of an entity, a memory's category, a content type, or `tag`."
    )
    weight: int = Field(description="The number of connected items.")
    project_id: UUID | None = Field(description="Null for a tag of several projects.")
    created_at: Moment = Field(description="For a tag: of the first item that has it.")
    document_count: int = Field(
        description="Documents that mention an entity, have a tag, or share tags or entities with a"
        " document."
    )


class GraphEdge(BaseModel):
    source: UUID
    target: UUID
    relation: str
    weight: float


class GraphOut(BaseModel):
    nodes: list[GraphNode]
    edges: list[GraphEdge]
    truncated: bool


class NeighbourOut(Reply):
    id: UUID
    title: str
    summary: str | None
    content_type: str
    source_url: str | None
    project_id: UUID
    score: float = Field(description="The cosine similarity of the two most similar chunks.")
    created_at: Moment


class Neighbours(BaseModel):
    id: UUID
    related: list[NeighbourOut]
    unreadable: UnreadableItems


class VectorMoveOut(Reply):
    old_model: str = Field(description="Searches use it until the end.")
    new_model: str
    moved: int = Field(description="Chunks and memories with a vector of the new model.")
    total: int = Field(description="Chunks and memories with a vector.")


class StatsOut(Reply):
    total_documents: int
    total_memories: int
    total_projects: int
    documents_this_week: int
    memories_this_week: int
    storage_bytes: int
    embedding_coverage: float = Field(
        description="The share of chunks and memories, and of waiting documents, that can be found"
        " by meaning: 0 to 1."
    )
    documents_by_status: dict[str, int]
    jobs_by_status: dict[str, int] = Field(
        description="Jobs that are `pending`, `processing` or `failed`."
    )
    pictures_read: str = Field(description="The languages or scripts that are read in pictures.")
    speech_read: str = Field(description="The languages that are understood in sound and video.")
    vector_move: VectorMoveOut | None = Field(
        description="How far the vectors have moved to another local model; null if they do not."
    )


@router.get("/memory-graph", response_model=GraphOut)
async def memory_graph(
    ports: PortsDep,
    caller: Reader,
    project_id: UUID | None = None,
    project: Annotated[str | None, Query(description="A slug, path (`a.*`) or name.")] = None,
    kinds: Annotated[
        list[NodeKind] | None, Query(description="Only these kinds; all if absent.")
    ] = None,
    limit: Annotated[int, Query(ge=1, le=NODES_LIMIT)] = 200,
) -> Response:
    """The most connected entities, memories, documents and tags, and the edges between them."""
    view = await view_graph(ports, caller, project_id or project, limit, kinds or KINDS)
    # Serialized directly: validating thousands of edges again takes longer than finding them.
    json = GraphOut.model_validate(view, from_attributes=True).model_dump_json()
    return Response(json, media_type="application/json")


@router.get("/documents/{id}/related", response_model=Neighbours)
async def related(
    id: UUID,
    ports: PortsDep,
    caller: Reader,
    limit: Annotated[int, Query(ge=1, le=LIMIT_MAX)] = 10,
) -> Neighbours:
    """List similar documents, most similar first."""
    neighbours = await related_documents(ports, caller, id, limit)
    shown, unreadable = show(neighbours, _neighbour, lambda neighbour: neighbour.document.id)
    return Neighbours(id=id, related=shown, unreadable=unreadable)


@router.get("/stats", response_model=StatsOut)
async def stats(ports: PortsDep, settings: SettingsDep, caller: Reader) -> StatsOut:
    """Totals, counts of the last seven days, storage, and queued jobs."""
    counts = await count_all(ports, caller)
    move = await find_move(ports, caller)
    return StatsOut.of(
        counts,
        total_documents=counts.documents,
        total_memories=counts.memories,
        total_projects=counts.projects,
        embedding_coverage=round(counts.embedding_coverage, 6),
        pictures_read=languages_read(settings, "ocr"),
        speech_read=languages_read(settings, "asr"),
        vector_move=move and VectorMoveOut.of(move),
    )


def _neighbour(neighbour: RelatedDocument) -> NeighbourOut:
    return NeighbourOut.of(neighbour.document, score=round(neighbour.score, 6))
