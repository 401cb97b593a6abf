"""Self-contained copies of saved pages."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, File, Response, UploadFile
from fastapi.responses import StreamingResponse

from remem.core.documents.model import SavedDocument
from remem.core.documents.page_copy import MEDIA_TYPE, keep_page_copy, open_page_copy
from remem.surfaces.rest.deps import PortsDep, Reader, Writer
from remem.surfaces.rest.guard import Guarded
from remem.surfaces.rest.uploads import temporary_copy
from remem.surfaces.rest.v3.memory import MemoryOut, answer

router = APIRouter(prefix="/v3", tags=["documents"], route_class=Guarded)

# Without scripts, forms and links to other windows, and without a request to any address: pictures
# and styles are inside the file.
_POLICY = (
    "sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'; font-src data:;"
    " base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
)
_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "Content-Disposition": "inline",
    "Cache-Control": "private, max-age=3600",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


@router.post("/documents/{id}/copy", response_model=MemoryOut)
async def keep(
    id: UUID,
    file: Annotated[UploadFile, File(description="One HTML file, up to 15 MB.")],
    ports: PortsDep,
    caller: Writer,
    response: Response,
) -> MemoryOut:
    """Keep a self-contained copy of the page that a document was saved from."""
    async with temporary_copy(file) as page:
        document = await keep_page_copy(ports, caller, id, page)
    return answer(SavedDocument(document), response)


@router.get(
    "/documents/{id}/copy",
    response_class=StreamingResponse,
    responses={200: {"content": {MEDIA_TYPE: {"schema": {"type": "string"}}}}},
)
async def show(id: UUID, ports: PortsDep, caller: Reader) -> StreamingResponse:
    """Show the copy of the page. It runs nothing, and loads nothing from anywhere."""
    blob, stream = await open_page_copy(ports, caller, id)
    headers = {**_HEADERS, "Content-Length": str(blob.size)}
    return StreamingResponse(stream, media_type=f"{MEDIA_TYPE}; charset=utf-8", headers=headers)
