"""The tool descriptions for models: compact, with the schemas of the specifications."""

import json
from pathlib import Path
from typing import Any

import pytest
from mcp_types import Tool
from tokenizers import Tokenizer

import remem.models
from remem.client import AsyncRemem
from remem.core.chunking.token_counter import estimate_tokens
from remem.surfaces.mcp.server import create_server

pytestmark = pytest.mark.anyio
BUDGET_TOKENS = 1_500
TEXT = {"type": "string"}


async def tools_of(toolset: str | None) -> dict[str, Tool]:
    server = create_server(toolset, lambda _: AsyncRemem())
    return {tool.name: tool for tool in await server.list_tools()}


@pytest.mark.parametrize(
    ("toolset", "budget"), [("assistant", BUDGET_TOKENS), (None, 900), ("default", 900)]
)
async def test_a_toolset_costs_few_tokens(toolset: str | None, budget: int) -> None:
    body = [
        tool.model_dump(by_alias=True, exclude_none=True, mode="json")
        for tool in (await tools_of(toolset)).values()
    ]
    text = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
    # The only byte-pair vocabulary in the package; language models count tokens this way.
    vocabulary = Path(remem.models.__file__).parent / "whisper-tiny-en" / "tokenizer.json"
    token_count = len(Tokenizer.from_file(str(vocabulary)).encode(text).ids)
    print(
        f"{toolset}: {len(text)} characters, {token_count} tokens, {estimate_tokens(text)} by rule"
    )
    assert token_count < budget
    assert estimate_tokens(text) < budget


async def test_the_default_toolset_has_five_tools_and_says_when_to_use_each() -> None:
    server = create_server(None, lambda _: AsyncRemem())
    names = [tool.name for tool in await server.list_tools()]
    assert names == ["save", "recall", "ask", "open", "forget"]
    assert all(f"`{name}`" in (server.instructions or "") for name in names)


# Copied from the platform's specification.
SOURCE_SCHEMAS: dict[str, dict[str, Any]] = {
    "memory": {
        "properties": {
            "content": {**TEXT, "description": "The content to save to memory"},
            "title": {**TEXT, "description": "A short descriptive title for this memory"},
            "project": {
                **TEXT,
                "description": "Project/space name to save to (uses default if not specified)",
            },
            "tags": {
                "type": "array",
                "items": TEXT,
                "description": "Tags to categorize this memory",
            },
        },
        "required": ["content"],
    },
    "recall": {
        "properties": {
            "query": {**TEXT, "description": "Natural language search query"},
            "project": {
                **TEXT,
                "description": "Project/space to search in (searches all if not specified)",
            },
            "limit": {"type": "number", "description": "Maximum number of results (default: 5)"},
        },
        "required": ["query"],
    },
    "listProjects": {"properties": {}},
    "memory-graph": {"properties": {"project": TEXT}},
    "whoAmI": {"properties": {}},
}
# Our additional arguments.
EXTRA_ARGUMENTS = {"recall": ("tags", "since", "until")}


@pytest.mark.parametrize("name", SOURCE_SCHEMAS)
async def test_a_tool_has_the_schema_of_its_specification(name: str) -> None:
    schema = (await tools_of("assistant"))[name].input_schema
    # We add the bounds that are checked.
    bounds = {"default", "minimum", "maximum"}
    properties = {
        argument: {key: value for key, value in schema_of.items() if key not in bounds}
        for argument, schema_of in schema["properties"].items()
    }
    expected = SOURCE_SCHEMAS[name]
    for extra in EXTRA_ARGUMENTS.get(name, ()):
        assert properties.pop(extra)["description"]
    assert properties == expected["properties"]
    assert schema["type"] == "object"
    assert schema.get("required", []) == expected.get("required", [])


async def test_the_coding_tools_have_the_schema_of_their_specification() -> None:
    tools = await tools_of("coding")
    save, search = tools["save_memory"].input_schema, tools["search_memory"].input_schema
    assert list(save["properties"]) == ["content", "category", "project"]
    assert save["required"] == ["content"]
    assert list(search["properties"]) == ["query", "limit", "category", "project"]
    assert search["required"] == ["query"]
    limit = search["properties"]["limit"]
    assert (limit["type"], limit["default"], limit["maximum"]) == ("number", 5, 10)


async def test_every_tool_has_a_description_and_annotations() -> None:
    without_schema = set(await tools_of("default"))
    for name, tool in (await tools_of("all")).items():
        assert tool.description and len(tool.description) <= 200, name
        if name not in without_schema:
            assert tool.output_schema and tool.output_schema["type"] == "object", name
        assert tool.annotations and tool.annotations.open_world_hint is False, name
        assert tool.annotations.read_only_hint is not None, name


async def test_only_forgetting_is_destructive() -> None:
    tools = await tools_of("all")
    writes = {
        name: tool.annotations.destructive_hint
        for name, tool in tools.items()
        if tool.annotations and not tool.annotations.read_only_hint
    }
    assert writes == {
        "save": False,
        "forget": True,
        "memory": False,
        "save_memory": False,
        "update_memory": False,
        "forget_memory": True,
        "projects.create": False,
        "memories.create": False,
        "memories.derive": False,
    }
