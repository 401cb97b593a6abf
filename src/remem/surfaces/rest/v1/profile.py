"""The profile, as JSON or as Markdown for a prompt."""

from typing import Annotated, Literal
from uuid import UUID

from fastapi import APIRouter, Query, Response
from fastapi.responses import PlainTextResponse
from pydantic import BaseModel, Field

from remem.core.profiles.build import (
    QUERY_LIMIT,
    as_markdown,
    build_personal_profile,
    build_profile,
)
from remem.core.profiles.model import Profile, ProfileEntry
from remem.surfaces.rest.deps import PortsDep, Reader
from remem.surfaces.rest.guard import Guarded
from remem.surfaces.rest.listing import UnreadableItems, show
from remem.surfaces.rest.shapes import DateOut, Moment, Reply
from remem.surfaces.rest.v3.instructions import InstructionOut, instruction_out

router = APIRouter(prefix="/v1", tags=["profile"], route_class=Guarded)


class ProfileItem(Reply):
    id: UUID = Field(description="The id of the memory.")
    content: str
    memory_type: str
    confidence: float
    speaker: str | None
    said_at: Moment | None
    dates: list[DateOut]
    occurred_at: Moment | None = Field(description="When it happened.")
    due_at: Moment | None = Field(description="When it is due.")
    created_at: Moment
    imported_from: str | None = Field(
        default=None, description="The product that it was imported from."
    )


class ProfileOut(BaseModel):
    container: str
    standing_instructions: list[InstructionOut] = Field(
        description="Sentences that the user pinned, everywhere or in this container."
    )
    static_facts: list[ProfileItem]
    recent_context: list[ProfileItem]
    relevant_memories: list[ProfileItem]
    unreadable: UnreadableItems


@router.get(
    "/profile",
    response_model=ProfileOut,
    responses={200: {"content": {"text/markdown": {"schema": {"type": "string"}}}}},
)
async def profile(
    ports: PortsDep,
    caller: Reader,
    container: Annotated[
        str | None, Query(description="The default container if absent; `*` for all.")
    ] = None,
    query: Annotated[str | None, Query(max_length=QUERY_LIMIT)] = None,
    personal: Annotated[
        bool,
        Query(
            description="Only what you say, and what others say with your name, of all containers;"
            " nothing that was due before now."
        ),
    ] = False,
    format: Literal["json", "markdown"] = "json",
) -> ProfileOut | Response:
    """Lasting facts, recent ones, and those relevant to `query`."""
    built = (
        await build_personal_profile(ports, caller)
        if personal
        else await build_profile(ports, caller, container, query)
    )
    if format == "markdown":
        return PlainTextResponse(as_markdown(built), media_type="text/markdown; charset=utf-8")
    return _out(built)


def _out(profile: Profile) -> ProfileOut:
    instructions, bad_instructions = show(profile.instructions, instruction_out)
    static, bad_static = show(profile.static, _item)
    recent, bad_recent = show(profile.recent, _item)
    relevant, bad_relevant = show(profile.relevant, _item)
    return ProfileOut(
        container=profile.project,
        standing_instructions=instructions,
        static_facts=static,
        recent_context=recent,
        relevant_memories=relevant,
        unreadable=[*bad_instructions, *bad_static, *bad_recent, *bad_relevant],
    )


def _item(entry: ProfileEntry) -> ProfileItem:
    return ProfileItem.of(entry, memory_type=entry.category, confidence=round(entry.confidence, 6))
