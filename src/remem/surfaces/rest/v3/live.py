"""Server-sent events: job progress and changes."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import StreamingResponse

from remem.core.errors import RememError
from remem.core.identity.suspension import require_active
from remem.core.ports import Ports
from remem.core.scope import Right
from remem.core.stats.live import JobProgress, LiveChange, LiveUpdate, Seen, read_updates
from remem.settings import Settings
from remem.surfaces.rest.auth import recognise
from remem.surfaces.rest.deps import PortsDep, Reader, SettingsDep
from remem.surfaces.rest.guard import Guarded
from remem.surfaces.rest.live import Inbox, LiveFeeds

router = APIRouter(prefix="/v3", tags=["live"], route_class=Guarded)

SECONDS_LIMIT = 3_600
# How often a silent stream gets a keep-alive, and its credential is checked again.
BEAT_S = 5.0
_ACCESS = frozenset({"api_key", "member", "session", "grant", "tenant"})
_ENDS = frozenset({"revoke", "delete", "update", "reuse"})
_HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
_STREAM = {"text/event-stream": {"schema": {"type": "string"}}}


@router.get("/live", response_class=StreamingResponse, responses={200: {"content": _STREAM}})
async def live(
    ports: PortsDep,
    settings: SettingsDep,
    caller: Reader,
    request: Request,
    seconds: Annotated[
        int,
        Query(
            ge=0, le=SECONDS_LIMIT, description="How long to stream; 0 only lists the running jobs."
        ),
    ] = 0,
) -> Response:
    """Server-sent events: `job` when a job started, progressed or ended, `change` when an item was
    saved, changed or deleted, `reset` when there were too many events."""
    news, seen = await read_updates(ports, caller, Seen())
    first = _render(news)
    if seconds == 0:
        return Response(first, media_type="text/event-stream", headers=_HEADERS)
    feeds: LiveFeeds = request.app.state.live
    credential = _Credential(ports, settings, request)
    stream = _stream(feeds.reading(caller, seen), first, seconds, credential)
    # Get the first part here, so that a refusal becomes a status and not a broken stream.
    first_parts = [await anext(stream)]
    return StreamingResponse(
        _chain(first_parts, stream), media_type="text/event-stream", headers=_HEADERS
    )


@router.head("/live", include_in_schema=False)
async def head(caller: Reader, seconds: int = 0) -> Response:
    """Return only the headers: reading a stream to its end for them would take too long."""
    return Response(media_type="text/event-stream", headers=_HEADERS)


class _Credential:
    """The credential with which a stream was opened; the stream ends with it."""

    def __init__(self, ports: Ports, settings: Settings, request: Request) -> None:
        self._ports, self._settings, self._request = ports, settings, request

    async def is_valid(self) -> bool:
        # The cached access data may be older than the change.
        self._ports.access_version.expire()
        try:
            caller = await recognise(self._ports, self._settings, self._request)
            await require_active(self._ports, caller)
            caller.require(Right.READ)
        except RememError:
            return False
        return True


async def _chain(first: list[str], rest: AsyncIterator[str]) -> AsyncIterator[str]:
    for part in first:
        yield part
    async for part in rest:
        yield part


async def _stream(
    reading: AbstractAsyncContextManager[Inbox], first: str, seconds: int, credential: _Credential
) -> AsyncIterator[str]:
    loop = asyncio.get_running_loop()
    deadline = loop.time() + seconds
    async with reading as inbox:
        yield f"retry: 3000\n\n{first}"
        next_check = loop.time() + BEAT_S
        while (remaining_s := deadline - loop.time()) > 0:
            news = await _next_news(inbox, min(next_check - loop.time(), remaining_s))
            if news is None:
                return
            # Check by the clock as well: with many events, waiting never times out.
            is_due = loop.time() >= next_check
            if (is_due or _concerns_access(news)) and not await credential.is_valid():
                yield _event("end", {"reason": "signed_out"})
                return
            next_check = loop.time() + BEAT_S if is_due else next_check
            yield _render(news) or ": still here\n\n"


async def _next_news(inbox: Inbox, seconds: float) -> LiveUpdate | None:
    """Return the next news, empty news after a timeout, or None at the end of the stream."""
    try:
        return await asyncio.wait_for(inbox.get(), max(0.0, seconds))
    except TimeoutError:
        return LiveUpdate([], [])


def _concerns_access(news: LiveUpdate) -> bool:
    """Whether a key was revoked, someone signed out or left, or the tenant was suspended, which may
    affect this reader."""
    return any(change.kind in _ACCESS and change.type in _ENDS for change in news.changes)


def _render(news: LiveUpdate) -> str:
    parts = [_event("reset", {})] if news.overflowed else []
    parts += [_event("change", _change(change)) for change in news.changes]
    parts += [_event("job", _job(job)) for job in news.jobs]
    return "".join(parts)


def _event(name: str, data: dict[str, Any]) -> str:
    return f"event: {name}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n"


def _change(change: LiveChange) -> dict[str, Any]:
    return {"kind": change.kind, "id": str(change.subject_id), "type": change.type}


def _job(job: JobProgress) -> dict[str, Any]:
    return {
        "id": str(job.id),
        "name": job.name,
        "status": job.status,
        "document_id": str(job.document_id) if job.document_id else None,
        "title": job.title,
        "stage": job.stage,
        "progress": job.progress,
        "error": job.error,
    }
