"""What helps with a prompt to an assistant, for hooks that add it."""

from uuid import UUID

from fastapi import APIRouter
from pydantic import Field

from remem.core.language.person import is_user
from remem.core.search.prompt_statements import PromptStatement, statements_for
from remem.core.search.prompt_switch import switch_in_prompts
from remem.surfaces.recalled_text import neutralise
from remem.surfaces.rest.agent.shapes import Camel, CamelBody
from remem.surfaces.rest.deps import PortsDep, Reader, Writer
from remem.surfaces.rest.guard import Guarded
from remem.surfaces.rest.shapes import Moment, address_of

router = APIRouter(prefix="/api", tags=["agents: prompts"], route_class=Guarded)

PROMPT_LIMIT, GIVEN_LIMIT = 100_000, 500


class PromptIn(CamelBody):
    prompt: str = Field(max_length=PROMPT_LIMIT)
    project: str | None = Field(
        default=None,
        description="An id, slug, path or name; the default project is searched as well.",
    )
    given: list[UUID] = Field(
        default=[], max_length=GIVEN_LIMIT, description="What the assistant has already."
    )


class PromptStatementOut(Camel):
    id: UUID
    kind: str = Field(description="`memory` or `document`.")
    url: str = Field(description="Where it can be read.")
    content: str
    line: str = Field(description="The content with its speaker, day and project, on one line.")
    speaker: str | None
    said_at: Moment
    project: str
    title: str
    relevance: float = Field(description="How likely it helps, from 0 to 1.")
    words: list[str] = Field(description="The words that it shares with the prompt.")


class PromptOut(Camel):
    statements: list[PromptStatementOut]


class SwitchIn(CamelBody):
    on: bool = Field(description="False: add it to no prompt any more.")


class SwitchOut(Camel):
    id: UUID
    kind: str = Field(description="`memory` or `document`.")
    on: bool


@router.post("/prompt", response_model=PromptOut)
async def help_with_prompt(body: PromptIn, ports: PortsDep, caller: Reader) -> PromptOut:
    """Find up to three short statements that help with a prompt to an assistant. Usually none do:
    the limit is far stricter than that of a search."""
    found = await statements_for(ports, caller, body.prompt, body.project, set(body.given))
    return PromptOut(statements=[_out(item) for item in found])


@router.put("/prompt/{id}", response_model=SwitchOut)
async def switch(id: UUID, body: SwitchIn, ports: PortsDep, caller: Writer) -> SwitchOut:
    """Add a memory or document to no prompt any more, or again. Searches still find it."""
    named = await switch_in_prompts(ports, caller, id, on=body.on)
    return SwitchOut.of(named, on=body.on)


def _out(item: PromptStatement) -> PromptStatementOut:
    return PromptStatementOut.of(
        item,
        url=address_of(item.kind, item.id),
        line=_line(item),
        relevance=round(item.relevance, 3),
    )


def _line(item: PromptStatement) -> str:
    """In which no spelling closes the tag of recalled text."""
    text = " ".join(item.content.split())
    speaker = "" if is_user(item.speaker) else f"{item.speaker}: "
    return neutralise(f"{speaker}{text} ({item.said_at:%Y-%m-%d}, project {item.project})")
