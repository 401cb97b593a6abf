"""Ask a question; the answer is a JSON object, or a stream of server-sent events."""

import json
from collections.abc import AsyncIterator
from typing import Annotated, Any
from uuid import UUID

import structlog
from fastapi import APIRouter, Header
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, Field

from remem.core.answers.ask import Progress, prepare, stream_answer
from remem.core.answers.ask import ask as ask_question
from remem.core.answers.reply import (
    QUESTION_LIMIT,
    AskReply,
    AskRequest,
    Prepared,
    Quote,
    ReplyClaim,
)
from remem.core.errors import RememError
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.sessions.model import AGENT_LIMIT
from remem.surfaces.rest.agent.shapes import Camel, CamelBody
from remem.surfaces.rest.deps import PortsDep, Reader
from remem.surfaces.rest.guard import Guarded
from remem.surfaces.rest.shapes import Moment, ZonedMoment, address_of

router = APIRouter(prefix="/api", tags=["agents: ask"], route_class=Guarded)

STREAM = "text/event-stream"
_HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
_RESPONSES: dict[int | str, dict[str, Any]] = {
    200: {"content": {STREAM: {"schema": {"type": "string"}}}}
}

log = structlog.get_logger()


class AskIn(CamelBody):
    question: str = Field(min_length=1, max_length=QUESTION_LIMIT)
    session_id: UUID | None = Field(
        default=None, description="A conversation to continue, in which `and when?` is understood."
    )
    project: str | None = Field(
        default=None, description="Search this project only: an id, slug, path, name or `path.*`."
    )
    as_of: Moment | None = Field(
        default=None, description="Answer from what was valid at this time."
    )
    asked_at: ZonedMoment | None = Field(
        default=None, description="The time to which `last week` refers; now if absent."
    )
    record: bool = Field(default=True, description="Save the question and the answer as a session.")
    model: bool = Field(default=True, description="Use the language model, if one is configured.")
    agent: str | None = Field(default=None, min_length=1, max_length=AGENT_LIMIT)
    stream: bool = Field(
        default=False, description="Server-sent events, as with `Accept: text/event-stream`."
    )


class CitationOut(Camel):
    """A source sentence of a claim."""

    number: int
    kind: str = Field(description="`document` or `memory`: the text of `start` and `end`.")
    sentence: str
    mark: list[int] = Field(description="The offsets of the answer in the sentence.")
    start: int = Field(description="The offset of the sentence in the document or memory.")
    end: int
    url: str = Field(description="Where the source can be read.")
    document_id: UUID | None
    memory_id: UUID | None
    chunk_id: UUID | None
    title: str | None
    content_type: str | None = Field(default=None, description="The type of the document.")
    speaker: str | None
    said_at: Moment | None
    occurred_at: Moment | None = Field(
        default=None, description="When the event of the memory happened."
    )
    due_at: Moment | None = Field(default=None, description="When the memory is due.")


class ClaimOut(Camel):
    text: str
    citations: list[int] = Field(
        description="Numbers of the citations that support it; at least one."
    )


class AskOut(Camel):
    question: str = Field(description="The question as it was understood.")
    known: bool
    answer: str = Field(description="`I don't know.` when nothing supports an answer.")
    kind: str
    claims: list[ClaimOut]
    citations: list[CitationOut]
    nearest: list[CitationOut] = Field(description="If not known: the nearest sentences.")
    confidence: float
    method: str = Field(description="`reader`, `model`, or `quote`: exact sentences.")
    model: str | None = Field(description="The language model that answered.")
    session_id: UUID | None
    took_ms: float


@router.post("/agent/ask", response_model=AskOut, responses=_RESPONSES)
async def ask(
    body: AskIn,
    ports: PortsDep,
    caller: Reader,
    accept: Annotated[str, Header(include_in_schema=False)] = "",
) -> Any:
    """Answer a question from what is saved. Every claim cites its source sentences; without any,
    the answer is unknown."""
    request = AskRequest(
        text=body.question,
        session_id=body.session_id,
        project=body.project,
        as_of=body.as_of,
        asked_at=body.asked_at,
        record=body.record,
        use_model=body.model,
        agent=body.agent,
    )
    if not body.stream and STREAM not in accept:
        return reply_out(await ask_question(ports, caller, request))
    # An invalid request gets an error status; later failures are events.
    prepared = await prepare(ports, caller, request)
    return StreamingResponse(_events(ports, caller, prepared), media_type=STREAM, headers=_HEADERS)


async def _events(ports: Ports, caller: Scope, prepared: Prepared) -> AsyncIterator[str]:
    yield _event("question", {"question": prepared.question})
    try:
        async for step in stream_answer(ports, caller, prepared):
            yield _step(step)
    except RememError as error:
        yield _event("error", {"error": error.message, "code": error.code})
    except Exception as error:
        log.exception("ask_failed", error=type(error).__name__)
        yield _event("error", {"error": "An internal error; ask again.", "code": "internal"})


def _step(step: Progress | ReplyClaim | Quote | AskReply) -> str:
    match step:
        case Progress():
            return _event("sources", {"count": step.sources})
        case Quote():
            return _event("citation", _json(citation_out(step)))
        case ReplyClaim():
            return _event("claim", _json(_claim(step)))
        case AskReply():
            return _event("done", _json(reply_out(step)))


def _event(name: str, data: dict[str, Any]) -> str:
    return f"event: {name}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n"


def _json(value: BaseModel) -> dict[str, Any]:
    return value.model_dump(mode="json", by_alias=True)


def reply_out(reply: AskReply) -> AskOut:
    return AskOut.of(
        reply,
        known=reply.is_known,
        answer=reply.text,
        claims=[_claim(claim) for claim in reply.claims],
        citations=[citation_out(quote) for quote in reply.quotes],
        nearest=[citation_out(quote) for quote in reply.nearest],
        confidence=round(reply.confidence, 4),
        took_ms=round(reply.took_ms, 1),
    )


def _claim(claim: ReplyClaim) -> ClaimOut:
    return ClaimOut(text=claim.text, citations=list(claim.quotes))


def citation_out(quote: Quote) -> CitationOut:
    kind = "memory" if quote.memory_id else "chunk"
    return CitationOut.of(
        quote,
        url=address_of(kind, quote.source_id),
        chunk_id=None if quote.memory_id else quote.source_id,
    )
