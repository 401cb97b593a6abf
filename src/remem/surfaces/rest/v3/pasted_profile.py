"""What other assistants remember: the prompt that asks for it, and the statements of an answer."""

from fastapi import APIRouter
from pydantic import BaseModel, Field

from remem.core.intake.pasted_profile import PROMPT, TEXT_LIMIT, read_pasted
from remem.surfaces.rest.deps import Reader, Writer
from remem.surfaces.rest.guard import Guarded
from remem.surfaces.rest.shapes import Body, Moment, Reply

router = APIRouter(prefix="/v3", tags=["import and export"], route_class=Guarded)


class ProfilePromptOut(BaseModel):
    prompt: str = Field(description="To send to the other assistant.")


class PastedProfileIn(Body):
    text: str = Field(min_length=1, max_length=TEXT_LIMIT, description="Its whole answer.")


class PastedOut(Reply):
    content: str
    said_at: Moment | None = Field(description="When the other assistant learned it.")


class PastedProfileOut(BaseModel):
    statements: list[PastedOut]


@router.get("/pasted-profile", response_model=ProfilePromptOut)
async def prompt(caller: Reader) -> ProfilePromptOut:
    """Get the prompt that asks another assistant what it remembers about you."""
    return ProfilePromptOut(prompt=PROMPT)


@router.post("/pasted-profile", response_model=PastedProfileOut)
async def read(body: PastedProfileIn, caller: Writer) -> PastedProfileOut:
    """Read the statements of its answer. Nothing is saved: save those that are right with POST
    /api/memories."""
    statements = [PastedOut.of(statement) for statement in read_pasted(body.text)]
    return PastedProfileOut(statements=statements)
