"""Recall: search documents and memories by meaning and by word."""

from fastapi import APIRouter, Response

from remem.core.documents.read import touch
from remem.core.memories.browse import touch_memories
from remem.core.search.recall import recall
from remem.surfaces.rest.deps import PortsDep, Reader
from remem.surfaces.rest.guard import Guarded
from remem.surfaces.rest.listing import show
from remem.surfaces.rest.v3.recall_shapes import (
    RecallIn,
    RecallOut,
    context_out,
    query_of,
    result_out,
)

router = APIRouter(prefix="/v3", tags=["memory"], route_class=Guarded)


@router.post("/recall", response_model=RecallOut, response_model_exclude_none=False)
async def find(
    body: RecallIn,
    ports: PortsDep,
    caller: Reader,
    response: Response,
) -> RecallOut:
    """Search by meaning and by word: 0.6 × vector + 0.4 × text + up to 0.1 for recent items."""
    answer = await recall(ports, caller, query_of(body))
    touch(ports, caller, [result.id for result in answer.results if result.document])
    hits = [hit for result in answer.results for hit in result.hits]
    touch_memories(ports, caller, [memory.id for hit in hits for memory in hit.memories])
    response.headers["X-Cache"] = "hit" if answer.cached else "miss"
    results, unreadable = show(answer.results, lambda result: result_out(result, body.explain))
    return RecallOut.of(
        answer,
        results=results,
        unreadable=unreadable,
        query_time_ms=round(answer.took_ms, 2),
        context=context_out(answer.results, body.max_tokens) if body.max_tokens else None,
    )
