"""Resources and a prompt, which assistants can load without a tool call."""

import asyncio
import json
from collections.abc import Iterable
from typing import Annotated, Any

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS
from pydantic import Field

from remem.core.errors import RememError
from remem.core.language.instructions import is_order, may_instruct
from remem.core.language.person import is_user
from remem.core.language.sentences import sentences
from remem.surfaces.mcp.calls import NOTE, client, describe_error, get
from remem.surfaces.mcp.pages import metadata_notes, read_page
from remem.surfaces.recalled_text import render_instructions
from remem.surfaces.statement_text import with_speaker

_MARKDOWN = "text/markdown"
# About 2,000 tokens.
_CHARS = 8_000
_RECALLED = 10


def register_views(server: MCPServer[Any]) -> None:
    server.resource(
        "remem://profile",
        name="profile",
        description="Lasting and recent facts about the user.",
        mime_type=_MARKDOWN,
    )(profile)
    server.resource(
        "remem://projects",
        name="projects",
        description="The projects of the user.",
        mime_type="application/json",
    )(projects)
    server.resource(
        "remem://document/{id}",
        name="document",
        description="A saved document in full.",
        mime_type=_MARKDOWN,
    )(document)
    server.resource(
        "remem://memory/{id}",
        name="memory",
        description="One memory.",
        mime_type=_MARKDOWN,
    )(memory)
    server.prompt(
        name="context", description="Load the user's profile and what they know about a topic."
    )(context)


async def profile() -> str:
    profile_data = await _read("/v1/profile", container="*")
    return f"{_instructions(profile_data)}{NOTE}\n\n{_profile(profile_data)}"


async def projects() -> str:
    return json.dumps(await _read("/v3/projects"), ensure_ascii=False)


async def document(id: str) -> str:
    return await _page(f"document/{id}")


async def memory(id: str) -> str:
    return await _page(f"memory/{id}")


async def context(
    topic: Annotated[str, Field(description="What the conversation is about")],
) -> str:
    try:
        profile_data = await get("/v1/profile", container="*", query=topic)
        recalled = await client().recall(topic, limit=_RECALLED)
    except RememError as error:
        raise MCPError(INVALID_PARAMS, describe_error(error)) from error
    saved_text = await asyncio.to_thread(_saved_text, recalled["results"])
    return (
        f"{_instructions(profile_data)}"
        f"Use what is known about me where it helps with: {topic}\n\n{NOTE}\n\n"
        f"{_profile(profile_data)}\n\n## Saved about {topic}\n\n{saved_text}"
    )


def _saved_text(results: Iterable[dict[str, Any]]) -> str:
    """The results with their sources; of what others wrote, only statements."""
    texts, chars_left = list[str](), _CHARS
    for result in results:
        said_by = result.get("said_by")
        product = result["metadata"].get("imported_from")
        names = (result["title"], said_by, result["source_url"], product and f"from {product}")
        shown = [name for name in names if name and not (said_by and is_order(name))]
        heading = f"[{' · '.join(shown)}]"
        said = [_said(chunk, said_by) for chunk in result["chunks"]]
        text = f"{heading}\n" + "\n".join(filter(None, said))
        if any(said) and len(text) <= chars_left:
            texts.append(text)
            chars_left -= len(text)
    return "\n\n".join(texts) or "Nothing saved is related to it."


def _said(chunk: dict[str, Any], said_by: str | None) -> str:
    speaker = chunk["speaker"] or said_by
    if is_user(speaker):
        return chunk["content"]
    statements = [text for text in sentences(chunk["content"]) if not may_instruct(text)]
    return " ".join(" ".join(text.split()) for text in statements)


async def _read(path: str, **params: str) -> Any:
    try:
        return await get(path, **params)
    except RememError as error:
        raise ResourceError(describe_error(error)) from error


async def _page(name: str) -> str:
    try:
        page = await read_page(name)
    except RememError as error:
        kind = ResourceNotFoundError if error.code in ("not_found", "invalid") else ResourceError
        raise kind(describe_error(error)) from error
    truncation = f"\n\n({page['metadata']['truncated']})" if "truncated" in page["metadata"] else ""
    notes = "".join(f"\n\n{note}" for note in metadata_notes(page["metadata"]))
    return f"{NOTE}\n\n# {page['title']}\n\n{page['text']}{truncation}{notes}"


def _instructions(profile: dict[str, Any]) -> str:
    """What the user pinned, before the note that the rest is no instruction."""
    text = render_instructions(profile.get("standing_instructions", ()))
    return f"{text}\n\n" if text else ""


def _profile(profile: dict[str, Any]) -> str:
    parts = [
        _bullet_list("What lasts", profile["static_facts"]),
        _bullet_list("What is recent", profile["recent_context"]),
        _bullet_list("What is related", profile["relevant_memories"]),
    ]
    return "\n\n".join(part for part in parts if part) or "Nothing is known about the user yet."


def _bullet_list(heading: str, items: Iterable[dict[str, Any]]) -> str:
    lines = [f"- {with_speaker(item)}" for item in items]
    return "\n".join([f"## {heading}", *lines]) if lines else ""
