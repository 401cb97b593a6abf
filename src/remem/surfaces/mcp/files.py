"""The toolset `files`: projects and documents as folders and files, to list, search and read."""

import re
from typing import Annotated, Any
from uuid import UUID

from mcp_types import CallToolResult
from pydantic import Field
from typing_extensions import TypedDict

from remem.core.errors import Invalid
from remem.surfaces.mcp.calls import NOTE, client, get, text_result
from remem.surfaces.mcp.default import OPEN_TOKENS, Lines, Section, Tokens, part_result
from remem.surfaces.mcp.pages import Page, read_page
from remem.surfaces.mcp.recording import record_use
from remem.surfaces.mcp.tool_definition import READ_ONLY, define_tool

_NAME_CHARS, _PAGE = 60, 100
_NO_NAME = re.compile(r"[^\w.-]+")

Path = Annotated[str, Field(description="`/`, `/<project>` or `/<project>/<document>`")]


class Entry(TypedDict):
    path: str
    size: int
    changed: str


class Listing(TypedDict):
    entries: list[Entry]
    total: int


class Line(TypedDict):
    path: str
    line: int
    text: str


class FoundLines(TypedDict):
    lines: list[Line]
    is_complete: bool


async def ls(
    path: Path = "/",
    after: Annotated[str | None, Field(description="`next` of the listing before")] = None,
) -> CallToolResult:
    project, document = _split(path)
    if document:
        raise Invalid("path", "is a document; read it with cat")
    return await (_list_documents(project, after) if project else _list_projects())


async def grep(
    text: Annotated[str, Field(description="A part of one line, letter by letter")],
    path: Path = "/",
    ignore_case: bool = False,
    limit: Annotated[int, Field(ge=1, le=500)] = 50,
) -> CallToolResult:
    project, document = _split(path)
    found = await get(
        "/v3/lines",
        text=text,
        project=project,
        document_id=await _document_id(document) if document else None,
        any_case=ignore_case,
        limit=limit,
    )
    lines = [
        {
            "path": _path_of(line["project"], line["title"], line["document_id"]),
            "line": line["number"],
            "text": line["text"],
        }
        for line in found["lines"]
    ]
    shown = [f"{line['path']}:{line['line']}: {line['text']}" for line in lines]
    more = [] if found["is_complete"] else ["(There may be more; choose a path or a longer text.)"]
    body = {"lines": lines, "is_complete": found["is_complete"]}
    return text_result("\n".join([NOTE, *shown, *more]) if shown else "No lines found.", body)


async def cat(
    path: Path,
    lines: Lines = None,
    section: Section = None,
    max_tokens: Tokens = OPEN_TOKENS,
) -> CallToolResult:
    _, document = _split(path)
    if not document:
        raise Invalid("path", "is not a document; list the documents of a project with ls")
    page = await read_page(f"document/{await _document_id(document)}")
    await record_use([page["id"].rpartition("/")[2]])
    return part_result(dict(page), lines, section, max_tokens)


async def _list_projects() -> CallToolResult:
    projects = (await get("/v3/projects"))["projects"]
    entries = [
        {
            "path": f"/{project['slug']}",
            "size": project["document_count"],
            "changed": project["updated_at"][:10],
        }
        for project in projects
    ]
    lines = [f"{entry['path']}/  {entry['size']} documents" for entry in entries]
    return text_result("\n".join(lines), {"entries": entries, "total": len(entries)})


async def _list_documents(project: str, after: str | None) -> CallToolResult:
    page = await get("/v3/documents", project=project, limit=_PAGE, cursor=after)
    entries = [
        {
            "path": _path_of(project, document["title"], document["id"]),
            "size": document["size_bytes"] or 0,
            "changed": document["updated_at"][:10],
        }
        for document in page["documents"]
    ]
    lines = [f"{entry['path']}  {entry['size']} bytes  {entry['changed']}" for entry in entries]
    body: dict[str, Any] = {"entries": entries, "total": page["total"]}
    if cursor := page["next_cursor"]:
        body["next"] = cursor
        lines.append(f"({page['total']} in all; for the next, pass after={cursor})")
    return text_result("\n".join([NOTE, *lines]) if entries else "No documents.", body)


def _path_of(project: str, title: str, id: str) -> str:
    """The end of the id tells documents of one title apart."""
    name = _NO_NAME.sub("-", title).strip("-")[:_NAME_CHARS].strip("-") or "document"
    return f"/{project}/{name}~{id[-8:]}"


def _split(path: str) -> tuple[str | None, str | None]:
    project, _, document = path.strip().strip("/").partition("/")
    return project or None, document or None


async def _document_id(document: str) -> str:
    """The id of a document from the last part of its path, or from its id."""
    tail = document.rpartition("~")[2]
    try:
        return str(UUID(tail))
    except ValueError:
        return (await client().request("GET", f"/v3/ids/{tail}", params={"kind": "document"}))["id"]


TOOLS = (
    define_tool(
        ls,
        "ls",
        "List the projects as folders (`/`), or the documents of a project as files.",
        READ_ONLY,
        Listing,
    ),
    define_tool(
        grep,
        "grep",
        "Find the lines that contain a text exactly, in all documents or below a path.",
        READ_ONLY,
        FoundLines,
    ),
    define_tool(
        cat,
        "cat",
        "Read a document, or a range of its lines or a section, within a budget of tokens.",
        READ_ONLY,
        Page,
    ),
)
