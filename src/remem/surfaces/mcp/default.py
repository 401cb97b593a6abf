"""The toolset `default`: five tools to save, recall, ask, open and forget anything."""

from typing import Annotated, Any

from mcp_types import CallToolResult
from pydantic import Field

from remem.core.errors import Invalid
from remem.surfaces.mcp import assistant, platform
from remem.surfaces.mcp.calls import NOTE, client, json_result, text_result
from remem.surfaces.mcp.pages import metadata_notes, read_page
from remem.surfaces.mcp.recording import record_use
from remem.surfaces.mcp.tool_definition import ADDITIVE, DESTRUCTIVE, READ_ONLY, define_tool
from remem.surfaces.mcp.views import profile

PROFILE = "profile"
OPEN_TOKENS = 2_000

Project = Annotated[str | None, Field(description="All projects if absent")]
Tags = Annotated[list[str] | None, Field(description="All of these")]
Lines = Annotated[str | None, Field(description="Such as 10-40")]
Section = Annotated[str | None, Field(description="A heading")]
Tokens = Annotated[int, Field(ge=50, le=25_000, description="Budget")]


async def save(
    content: str,
    title: str | None = None,
    project: Annotated[str | None, Field(description="Created on first use")] = None,
    tags: list[str] | None = None,
) -> CallToolResult:
    return await assistant.save(content, title, project, tags)


async def recall(
    query: Annotated[str, Field(description="In any words and language")],
    project: Project = None,
    limit: Annotated[int, Field(ge=1, le=100)] = 5,
    tags: Tags = None,
    since: Annotated[str | None, Field(description="Saved since, ISO 8601")] = None,
    until: str | None = None,
) -> CallToolResult:
    return await assistant.recall(query, project, limit, tags, since, until)


async def ask(question: str, project: Project = None) -> CallToolResult:
    return await platform.ask(question, project)


async def open_item(
    id: Annotated[str, Field(description="From recall, ask or save; or `profile`")],
    lines: Lines = None,
    section: Section = None,
    max_tokens: Tokens = OPEN_TOKENS,
) -> CallToolResult:
    if id.strip() == PROFILE:
        return text_result(await profile(), {"id": PROFILE})
    page = await read_page(id)
    await record_use([page["id"].rpartition("/")[2]])
    return part_result(dict(page), lines, section, max_tokens)


async def forget(id: Annotated[str, Field(description="From recall or save")]) -> CallToolResult:
    page = await read_page(id)
    kind, _, bare = page["id"].partition("/")
    if kind == "chunk":
        document = page["metadata"]["document_id"]
        raise Invalid("id", f"is a part of a document; forget document/{document} as a whole")
    path = f"/v3/documents/{bare}?undo=true" if kind == "document" else f"/api/memories/{bare}"
    await client().request("DELETE", path)
    return json_result({"id": page["id"], "status": "forgotten"}, note=False)


def part_result(
    page: dict[str, Any], lines: str | None, section: str | None, max_tokens: int
) -> CallToolResult:
    """A part of a page, which says how to get the rest."""
    from remem.surfaces.mcp.parts import part_of

    part = part_of(page["text"], lines, section, max_tokens)
    head = f"# {page['title']} ({page['id']}, lines {part.first}-{part.last} of {part.total})"
    notes = metadata_notes(page["metadata"])
    if part.last < part.total:
        notes.append(f"(There is more: lines {part.last + 1}-{part.total})")
    if part.sections and not part.is_whole:
        notes.append(f"(Sections: {'; '.join(part.sections)})")
    found = {"id": page["id"], "title": page["title"], "text": part.text, "url": page["url"]}
    place = {"first_line": part.first, "last_line": part.last, "lines": part.total}
    text = "\n\n".join([NOTE, head, part.text, *notes])
    return text_result(text, {**found, **place, "metadata": page["metadata"]})


TOOLS = (
    define_tool(
        save,
        "save",
        "Save what the user asks to remember, and lasting facts, preferences and decisions: one"
        " clear statement, or a whole text. Repetitions and changes are detected.",
        ADDITIVE,
        None,
    ),
    define_tool(
        recall,
        "recall",
        "Search what is saved. Use it before a task or an answer that earlier notes, decisions or"
        " preferences may change.",
        READ_ONLY,
        None,
    ),
    define_tool(
        ask,
        "ask",
        "Answer one question from what is saved, with citations, or say that it is unknown.",
        READ_ONLY,
        None,
    ),
    define_tool(
        open_item,
        "open",
        "Read one item in full or in part. `profile`: what is known about the user.",
        READ_ONLY,
        None,
    ),
    define_tool(
        forget,
        "forget",
        "Forget one document or memory, if the user asks for it or it is wrong.",
        DESTRUCTIVE,
        None,
    ),
)
