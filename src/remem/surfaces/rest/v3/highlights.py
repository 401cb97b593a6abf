"""Highlights: passages of documents that a person marked, and their notes."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query, Response
from pydantic import BaseModel, Field

from remem.core.documents.highlight import (
    ListedHighlight,
    PassageToMark,
    change_note,
    document_highlights,
    highlight,
    list_highlights,
    remove_highlight,
)
from remem.core.memories.highlights.model import NOTE_LIMIT, Highlight
from remem.core.memories.model import CONTENT_LIMIT
from remem.surfaces.rest.cursors import read_cursor, write_cursor
from remem.surfaces.rest.deps import PortsDep, Reader, Writer
from remem.surfaces.rest.fields import InProject, PageLimit
from remem.surfaces.rest.guard import Guarded
from remem.surfaces.rest.listing import UnreadableItems, show, show_one
from remem.surfaces.rest.shapes import Body, Moment, Reply, address_of

router = APIRouter(prefix="/v3", tags=["documents"], route_class=Guarded)


class HighlightIn(Body):
    quote: str = Field(
        default="",
        max_length=CONTENT_LIMIT,
        description="The words as they are shown; markup and white space need not be the same.",
    )
    before: str = Field(
        default="",
        max_length=1_000,
        description="The words before it, in case the text has the same words twice.",
    )
    after: str = Field(default="", max_length=1_000, description="The words after it.")
    start: int | None = Field(
        default=None, ge=0, description="Instead of `quote`: offsets in characters of the text."
    )
    end: int | None = Field(default=None, ge=0)
    note: str | None = Field(default=None, max_length=NOTE_LIMIT)
    keep: bool = Field(
        default=False, description="Mark the quote even if the text does not have it."
    )


class NoteIn(Body):
    note: str | None = Field(max_length=NOTE_LIMIT, description="null removes it.")


class HighlightOut(Reply):
    id: UUID = Field(description="The id of the memory that it is.")
    url: str = Field(description="Where the memory can be read.")
    document_id: UUID
    quote: str
    note: str | None
    start: int | None = Field(
        description="Offset in characters; null if the latest text does not have the words."
    )
    end: int | None
    before: str = Field(description="The text before it.")
    after: str
    tags: list[str]
    created_at: Moment
    updated_at: Moment


class HighlightsOut(BaseModel):
    highlights: list[HighlightOut]
    unreadable: UnreadableItems


class HighlightLine(HighlightOut):
    document_title: str


class HighlightPage(BaseModel):
    highlights: list[HighlightLine]
    next_cursor: str | None
    unreadable: UnreadableItems


@router.post(
    "/documents/{id}/highlights",
    status_code=201,
    response_model=HighlightOut,
    responses={200: {"model": HighlightOut, "description": "It was marked before."}},
)
async def add(
    id: UUID, body: HighlightIn, ports: PortsDep, caller: Writer, response: Response
) -> HighlightOut:
    """Mark a passage of a document, with or without a note. The passage becomes a memory."""
    marked, is_new = await highlight(ports, caller, id, PassageToMark(**body.model_dump()))
    if not is_new:
        response.status_code = 200
    return show_one(marked, _out)


@router.get("/documents/{id}/highlights", response_model=HighlightsOut)
async def of_document(id: UUID, ports: PortsDep, caller: Reader) -> HighlightsOut:
    """List the highlights of a document in the order of its text."""
    shown, unreadable = show(await document_highlights(ports, caller, id), _out)
    return HighlightsOut(highlights=shown, unreadable=unreadable)


@router.patch("/documents/{id}/highlights/{highlight_id}", response_model=HighlightOut)
async def change(
    id: UUID, highlight_id: UUID, body: NoteIn, ports: PortsDep, caller: Writer
) -> HighlightOut:
    """Change or remove the note of a highlight."""
    return show_one(await change_note(ports, caller, id, highlight_id, body.note), _out)


@router.delete("/documents/{id}/highlights/{highlight_id}", status_code=204)
async def remove(id: UUID, highlight_id: UUID, ports: PortsDep, caller: Writer) -> None:
    """Remove a highlight. `POST /api/memories/{highlight_id}/restore` brings it back."""
    await remove_highlight(ports, caller, id, highlight_id)


@router.get("/highlights", response_model=HighlightPage)
async def page(
    ports: PortsDep,
    caller: Reader,
    project: InProject = None,
    tags: Annotated[
        list[str] | None, Query(description="All of these, of the highlight or its document.")
    ] = None,
    limit: PageLimit = 20,
    cursor: str | None = None,
) -> HighlightPage:
    """List the highlights of all documents, newest first."""
    rows = await list_highlights(ports, caller, project, tags or [], read_cursor(cursor), limit + 1)
    shown, unreadable = show(rows[:limit], _line)
    last = rows[limit - 1].highlight if len(rows) > limit else None
    return HighlightPage(
        highlights=shown,
        next_cursor=write_cursor((last.created_at, last.id) if last else None),
        unreadable=unreadable,
    )


def _out(item: Highlight) -> HighlightOut:
    return HighlightOut.of(item, url=address_of("memory", item.id))


def _line(row: ListedHighlight) -> HighlightLine:
    return HighlightLine(**_out(row.highlight).model_dump(), document_title=row.document_title)
