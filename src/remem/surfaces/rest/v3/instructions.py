"""Standing instructions: sentences that a person pins for their assistants.

Only people change them, on the web page and with `remem instructions`: an assistant that could pin
a sentence would instruct all others."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, Request, Response
from pydantic import BaseModel, Field

from remem.core.errors import Forbidden
from remem.core.instructions import manage
from remem.core.instructions.model import (
    INSTRUCTION_LIMIT,
    INSTRUCTIONS_LIMIT,
    StandingInstruction,
)
from remem.core.scope import Scope
from remem.surfaces.rest.deps import PortsDep, Reader, Writer
from remem.surfaces.rest.fields import Described, InProject
from remem.surfaces.rest.guard import Guarded
from remem.surfaces.rest.listing import UnreadableItems, show
from remem.surfaces.rest.shapes import Body, Moment, Reply

router = APIRouter(prefix="/v3", tags=["instructions"], route_class=Guarded)

Sentence = Annotated[str, Described(minLength=1, maxLength=INSTRUCTION_LIMIT)]


class InstructionIn(Body):
    content: Sentence
    project: str | None = Field(
        default=None, description="A slug, path or name; everywhere if absent."
    )
    project_id: UUID | None = None


class InstructionChange(Body):
    content: Sentence


class InstructionOut(Reply):
    id: UUID
    content: str
    project: str | None = Field(description="null if it applies everywhere.")
    project_id: UUID | None
    created_at: Moment
    updated_at: Moment


class InstructionList(BaseModel):
    instructions: list[InstructionOut]
    limit: int = Field(description="How many can apply at once.")
    unreadable: UnreadableItems


async def get_person(request: Request, caller: Writer) -> Scope:
    """Refuse calls by MCP, whose tokens are refused elsewhere."""
    if hasattr(request.state, "trusted_caller"):
        raise Forbidden(
            "Only people change standing instructions: on the web page, or with"
            " `remem instructions`.",
            code="people_only",
        )
    return caller


Person = Annotated[Scope, Depends(get_person)]


@router.get("/instructions", response_model=InstructionList)
async def list_all(ports: PortsDep, caller: Reader, project: InProject = None) -> InstructionList:
    """List your standing instructions; with a project, those that apply in it."""
    found = await manage.list_instructions(ports, caller, project)
    instructions, unreadable = show(found, instruction_out)
    return InstructionList(
        instructions=instructions, limit=INSTRUCTIONS_LIMIT, unreadable=unreadable
    )


@router.post(
    "/instructions",
    status_code=201,
    response_model=InstructionOut,
    responses={200: {"model": InstructionOut, "description": "It is pinned there already."}},
)
async def pin(
    body: InstructionIn, ports: PortsDep, caller: Person, response: Response
) -> InstructionOut:
    """Pin a sentence: your assistants get it at the start of every session."""
    pinned, is_new = await manage.pin(ports, caller, body.content, body.project_id or body.project)
    response.status_code = 201 if is_new else 200
    return instruction_out(pinned)


@router.patch("/instructions/{id}", response_model=InstructionOut)
async def change(
    id: UUID, body: InstructionChange, ports: PortsDep, caller: Person
) -> InstructionOut:
    """Change the sentence."""
    return instruction_out(await manage.change(ports, caller, id, body.content))


@router.delete("/instructions/{id}", status_code=204)
async def unpin(id: UUID, ports: PortsDep, caller: Person) -> None:
    """Remove a standing instruction."""
    await manage.unpin(ports, caller, id)


def instruction_out(instruction: StandingInstruction) -> InstructionOut:
    return InstructionOut.of(instruction, project=instruction.project_ref)
