"""Upload files, download originals, get a job."""

import re
from typing import Annotated, Any
from urllib.parse import quote
from uuid import UUID

from fastapi import APIRouter, File, Form, Query, Response, UploadFile
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, Field

from remem.core.documents.ingest import ingest
from remem.core.documents.model import Draft
from remem.core.documents.originals import get_original
from remem.core.documents.progress import DocumentProgress
from remem.core.text import TITLE_LIMIT
from remem.core.transfer.model import ImportRun
from remem.core.transfer.progress import get_progress
from remem.surfaces.rest.deps import PortsDep, Reader, Writer
from remem.surfaces.rest.fields import ContentType
from remem.surfaces.rest.guard import Guarded
from remem.surfaces.rest.listing import UnreadableItems, show, show_one
from remem.surfaces.rest.shapes import Moment, Reply
from remem.surfaces.rest.uploads import read_metadata, read_tags, temporary_copy
from remem.surfaces.rest.v3.memory import OTHERWISE, MemoryOut, SaveKey, answer

router = APIRouter(prefix="/v3", tags=["documents"], route_class=Guarded)

# Types that a browser shows without running anything: an SVG or a web page can contain scripts.
INLINE_TYPES = re.compile(
    r"image/(?:png|jpeg|gif|webp|avif|bmp)|application/pdf|(?:audio|video)/[\w.+-]+"
)
_BYTES = {"type": "string", "format": "binary"}


class ProblemOut(BaseModel):
    line: int = Field(
        description="The line, or the position of the item in another product's file."
    )
    kind: str
    id: str = Field(description="Its id, or its id in the other product.")
    problem: str


class JobOut(Reply):
    id: UUID
    name: str
    status: str
    stage: str = Field(description="The stage of its document or import.")
    progress: float = Field(description="From 0 to 1.")
    document_id: UUID | None
    attempts: int
    error: str | None
    created_at: Moment
    finished_at: Moment | None
    done: int | None = Field(
        default=None, description="For an import: lines or items done in this stage."
    )
    total: int | None = Field(default=None, description="For an import: lines or items in total.")
    counts: dict[str, dict[str, int]] | None = Field(
        default=None, description="For an import, by kind: imported, unchanged, left_out."
    )
    problems: list[ProblemOut] | None = Field(
        default=None, description="For an import: the first hundred items left out, and why."
    )
    unreadable: UnreadableItems


@router.post("/documents/upload", status_code=201, response_model=MemoryOut, responses=OTHERWISE)
async def upload(
    file: Annotated[UploadFile, File(description="A file of any supported type.")],
    ports: PortsDep,
    caller: Writer,
    response: Response,
    title: Annotated[str | None, Form(max_length=TITLE_LIMIT)] = None,
    project_id: Annotated[UUID | None, Form()] = None,
    project: Annotated[str | None, Form()] = None,
    content_type: Annotated[ContentType | None, Form()] = None,
    source_url: Annotated[str | None, Form()] = None,
    metadata: Annotated[str | None, Form(description="A JSON object.")] = None,
    tags: Annotated[list[str] | None, Form()] = None,
    updates_memory_id: Annotated[UUID | None, Form()] = None,
    forget_after: Annotated[Moment | None, Form()] = None,
    index_only: Annotated[bool, Form(description="Do not distil memories from it.")] = False,
    idempotency_key: SaveKey = None,
) -> MemoryOut:
    """Save a file. The original is kept; its text is extracted and can be found when the job is
    done."""
    async with temporary_copy(file, content_type) as original:
        draft = Draft(
            original=original,
            title=title,
            project=project_id or project,
            source_url=source_url,
            metadata=read_metadata(metadata),
            tags=read_tags(tags or []),
            updates_id=updates_memory_id,
            forget_after=forget_after,
            index_only=index_only,
            key=idempotency_key,
        )
        return answer(await ingest(ports, caller, draft), response)


@router.get(
    "/documents/{id}/original",
    response_class=StreamingResponse,
    responses={200: {"content": {"application/octet-stream": {"schema": _BYTES}}}},
)
async def original(
    id: UUID,
    ports: PortsDep,
    caller: Reader,
    inline: Annotated[
        bool, Query(description="For display in a page: pictures, sound, video and PDF only.")
    ] = False,
) -> StreamingResponse:
    """Download the original file."""
    blob, stream = await get_original(ports, caller, id)
    name = quote(blob.name or str(id))
    as_page = inline and INLINE_TYPES.fullmatch(blob.media_type) is not None
    # Anything else is always a download: a saved page must not run in our origin.
    headers = {
        "Content-Disposition": f"{'inline' if as_page else 'attachment'}; filename*=UTF-8''{name}",
        "Content-Length": str(blob.size),
        "Content-Security-Policy": _security_policy(blob.media_type) if as_page else "sandbox",
    }
    if as_page:
        headers["Cache-Control"] = "private, max-age=3600"
    return StreamingResponse(stream, media_type=blob.media_type, headers=headers)


def _security_policy(media_type: str) -> str:
    """Browsers display PDFs with a viewer of their own, which does not run in a sandbox."""
    if media_type == "application/pdf":
        return "frame-ancestors 'self'"
    return "default-src 'none'; img-src 'self'; media-src 'self'; sandbox; frame-ancestors 'self'"


@router.get("/jobs/{id}", response_model=JobOut)
async def job(id: UUID, ports: PortsDep, caller: Reader) -> JobOut:
    """Get a job with its progress."""
    progress, import_run = await get_progress(ports, caller, id)
    return show_one((progress, import_run), lambda pair: _job(*pair), lambda pair: id)


def _job(progress: DocumentProgress, import_run: ImportRun | None) -> JobOut:
    return JobOut.of(
        progress.job,
        stage=progress.stage,
        progress=progress.share,
        document_id=progress.document_id,
        error=progress.error,
        **_import_fields(import_run) if import_run else {},
    )


def _import_fields(import_run: ImportRun) -> dict[str, Any]:
    problems, unreadable = show(
        import_run.problems, lambda problem: ProblemOut(**problem), lambda problem: import_run.id
    )
    return {
        "done": import_run.done,
        "total": import_run.total,
        "counts": import_run.counts,
        "problems": problems,
        "unreadable": unreadable,
    }
