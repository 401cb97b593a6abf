"""Export and import of snapshot files."""

import asyncio
import tempfile
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Query, Request
from fastapi.responses import StreamingResponse
from pydantic import Field

from remem.core.errors import Invalid
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.time import now
from remem.core.transfer.export import export
from remem.core.transfer.export_limits import ExportLimiter
from remem.core.transfer.model import ExportRequest, ImportSource
from remem.core.transfer.preview import preview_import
from remem.core.transfer.run_import import begin_import
from remem.surfaces.rest.deps import Admin, PortsDep, Reader
from remem.surfaces.rest.guard import Guarded
from remem.surfaces.rest.shapes import Reply

router = APIRouter(prefix="/v3", tags=["transfer"], route_class=Guarded)

NDJSON = "application/x-ndjson"
# Small lines are sent together, because a message for each would cost more than the lines.
BLOCK_BYTES = 64_000
Origin = Annotated[
    str | None,
    Query(alias="from", description="The product that wrote the file, if it is not detected."),
]
_FORM = "multipart/form-data"
_UNDERWAY = ExportLimiter()
_LINES = {"type": "string", "contentMediaType": NDJSON}
_BODY: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            NDJSON: {"schema": _LINES},
            "application/octet-stream": {"schema": {"type": "string", "format": "binary"}},
        },
    }
}


class ImportOut(Reply):
    id: UUID
    job_id: UUID
    status: str = "queued"
    total: int = Field(description="The number of lines; 0 until the file has been read.")


class ExampleOut(Reply):
    kind: str
    label: str


class LeftOutOut(Reply):
    kind: str
    reference: str = Field(description="Its id in the other product.")
    reason: str


class PreviewOut(Reply):
    origin: str = Field(description="`remem`, or the product that wrote the file.")
    counts: dict[str, int] = Field(description="The number of items of each kind.")
    examples: list[ExampleOut]
    left_out: list[LeftOutOut] = Field(
        description="The first hundred items that would be left out."
    )
    more: bool = Field(description="Whether the file has more items than were examined.")


@router.get(
    "/export",
    response_class=StreamingResponse,
    responses={
        200: {
            "content": {NDJSON: {"schema": _LINES}},
            "description": "Every row as a line of JSON.",
        }
    },
)
async def give_out(
    ports: PortsDep,
    caller: Reader,
    originals: Annotated[bool, Query(description="Whether to include original files.")] = True,
    vectors: Annotated[
        bool, Query(description="Whether to include the vectors of the model in use.")
    ] = False,
) -> StreamingResponse:
    """Export everything in this credential's space, as one snapshot."""
    lines = _blocks(ports, caller, ExportRequest(originals=originals, vectors=vectors))
    # Get the first block before the reply begins, so that an error has a status of its own.
    first = await anext(lines)
    name = f"remem-{now():%Y-%m-%d-%H%M%S}.ndjson"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return ClosingResponse(first, lines, media_type=NDJSON, headers=headers)


class ClosingResponse(StreamingResponse):
    """A streaming response that closes its source when the reply ends in any way, and not when it
    is garbage collected."""

    def __init__(self, first: bytes, rest: AsyncGenerator[bytes], **options: Any) -> None:
        super().__init__(_chain(first, rest), **options)
        self._rest = rest

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        async with aclosing(self._rest):
            await super().__call__(scope, receive, send)


async def _blocks(ports: Ports, caller: Scope, options: ExportRequest) -> AsyncGenerator[bytes]:
    """Yield the header alone, then blocks of lines."""
    with _UNDERWAY.slot(caller.user_id):
        async with aclosing(export(ports, caller, options)) as lines:
            yield await anext(lines)
            block = bytearray()
            async for line in lines:
                block += line
                if len(block) >= BLOCK_BYTES:
                    yield bytes(block)
                    block.clear()
            yield bytes(block)


async def _chain(first: bytes, rest: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    yield first
    async for block in rest:
        yield block


@router.post("/import", status_code=202, response_model=ImportOut, openapi_extra=_BODY)
async def bring_in(
    request: Request,
    ports: PortsDep,
    caller: Admin,
    origin: Origin = None,
    project: Annotated[str | None, Query(description="The project to import into.")] = None,
    fetch: Annotated[bool, Query(description="Whether to fetch the pages of bookmarks.")] = False,
) -> ImportOut:
    """Import an export of remem or of another product. The reply is sent when the file is uploaded;
    the job shows the progress."""
    async with _body_on_disk(request) as path:
        source = ImportSource(origin or None, project or None, fetch)
        import_run = await begin_import(ports, caller, path, source)
    return ImportOut.of(import_run, total=import_run.lines)


@router.post("/import/preview", response_model=PreviewOut, openapi_extra=_BODY)
async def preview(
    request: Request,
    ports: PortsDep,
    caller: Admin,
    origin: Origin = None,
) -> PreviewOut:
    """Show what a file contains: its format, and the number of items of each kind. Nothing is
    saved."""
    async with _body_on_disk(request) as path:
        summary = await preview_import(ports, path, origin or None)
    return PreviewOut.of(summary)


@asynccontextmanager
async def _body_on_disk(request: Request) -> AsyncIterator[Path]:
    """Stream the body to disk, so that it is never in memory as a whole."""
    if request.headers.get("content-type", "").lower().startswith(_FORM):
        raise Invalid("body", "is a form; send the file itself as the body (curl --data-binary)")
    with tempfile.TemporaryDirectory(prefix="remem-") as folder:
        path = Path(folder) / "lines"
        with path.open("wb") as file:
            async with aclosing(request.stream()) as stream:
                async for part in stream:
                    await asyncio.to_thread(file.write, part)
        yield path
