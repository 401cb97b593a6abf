"""Fixtures that the suite expects from a server: tools, resources and prompts without rounds."""

import asyncio
import base64
import json
import struct
import zlib
from typing import Annotated, Any, Literal

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.prompts.base import UserMessage
from mcp_types import (
    AudioContent,
    Completion,
    EmbeddedResource,
    EmptyResult,
    ImageContent,
    SamplingMessage,
    SetLevelRequestParams,
    TextContent,
    TextResourceContents,
)
from pydantic import BaseModel, Field

DESCRIPTION = "What the conformance suite asks for."


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


PNG = (
    b"\x89PNG\r\n\x1a\n"
    + _chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0))
    + _chunk(b"IDAT", zlib.compress(b"\x00\xff\x00\x00"))
    + _chunk(b"IEND", b"")
)
_FORMAT = b"fmt " + struct.pack("<IHHIIHH", 16, 1, 1, 8_000, 16_000, 2, 16)
_SAMPLES = b"data" + struct.pack("<Ih", 2, 0)
WAV = b"RIFF" + struct.pack("<I", 4 + len(_FORMAT) + len(_SAMPLES)) + b"WAVE" + _FORMAT + _SAMPLES
PICTURE = ImageContent(data=base64.b64encode(PNG).decode(), mime_type="image/png")
SOUND = AudioContent(data=base64.b64encode(WAV).decode(), mime_type="audio/wav")


def embedded(uri: str, kind: str, text: str) -> EmbeddedResource:
    return EmbeddedResource(resource=TextResourceContents(uri=uri, mime_type=kind, text=text))


class Answer(BaseModel):
    response: str


class Filled(BaseModel):
    name: str = "John Doe"
    age: int = 30
    score: float = 95.5
    status: Literal["active", "inactive", "pending"] = "active"
    verified: bool = True


def add_tools(server: MCPServer[Any]) -> None:
    @server.tool(description=DESCRIPTION)
    async def test_simple_text() -> TextContent:
        return TextContent(text="This is a simple text response for testing.")

    @server.tool(description=DESCRIPTION)
    async def test_image_content() -> ImageContent:
        return PICTURE

    @server.tool(description=DESCRIPTION)
    async def test_audio_content() -> AudioContent:
        return SOUND

    @server.tool(description=DESCRIPTION)
    async def test_embedded_resource() -> EmbeddedResource:
        text = "This is an embedded resource content."
        return embedded("test://embedded-resource", "text/plain", text)

    @server.tool(description=DESCRIPTION)
    async def test_multiple_content_types() -> list[TextContent | ImageContent | EmbeddedResource]:
        data = json.dumps({"test": "data", "value": 123})
        mixed = embedded("test://mixed-content-resource", "application/json", data)
        return [TextContent(text="Multiple content types test:"), PICTURE, mixed]

    @server.tool(description=DESCRIPTION)
    async def test_error_handling() -> str:
        raise ToolError("This tool intentionally returns an error for testing")

    @server.tool(description=DESCRIPTION)
    async def test_tool_with_progress(ctx: Context) -> str:
        for step in (0, 50, 100):
            await ctx.report_progress(step, 100)
            await asyncio.sleep(0.05)
        return "done"


def add_interactive_tools(server: MCPServer[Any]) -> None:
    """Add tools that write to the client, or ask it, while they run."""

    @server.tool(description=DESCRIPTION)
    async def test_tool_with_logging(ctx: Context) -> str:
        for word in ("execution started", "processing data", "execution completed"):
            await ctx.info(f"Tool {word}")
            await asyncio.sleep(0.05)
        return "done"

    @server.tool(description=DESCRIPTION)
    async def test_logging_tool(ctx: Context) -> str:
        await ctx.info("a line nobody asked for")
        return "done"

    @server.tool(description=DESCRIPTION)
    async def test_sampling(prompt: str, ctx: Context) -> str:
        message = await ctx.session.create_message(
            messages=[SamplingMessage(role="user", content=TextContent(text=prompt))],
            max_tokens=100,
        )
        return f"LLM response: {message.content}"

    @server.tool(description=DESCRIPTION)
    async def test_elicitation(message: str, ctx: Context) -> str:
        return f"User response: {await ctx.elicit(message, Answer)}"

    @server.tool(description=DESCRIPTION)
    async def test_elicitation_sep1034_defaults(ctx: Context) -> str:
        return f"Elicitation completed: {await ctx.elicit('Please fill in', Filled)}"

    @server.tool(description=DESCRIPTION)
    async def test_elicitation_sep1330_enums(ctx: Context) -> str:
        return f"Elicitation completed: {await ctx.elicit('Please choose', Filled)}"


SCHEMA = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }
    },
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}


def add_schemas(server: MCPServer[Any]) -> None:
    """Add tools with schema keywords that a server must preserve or honour."""

    @server.tool(description=DESCRIPTION)
    async def json_schema_2020_12_tool(name: str = "") -> str:
        return name

    for tool in server._tool_manager.list_tools():
        if tool.name == "json_schema_2020_12_tool":
            tool.parameters = SCHEMA

    @server.tool(description=DESCRIPTION)
    async def test_headers(
        region: Annotated[str, Field(json_schema_extra={"x-mcp-header": "Region"})],
    ) -> str:
        return region


def add_logging(server: MCPServer[Any]) -> None:
    async def set_level(ctx: Any, params: SetLevelRequestParams) -> EmptyResult:
        return EmptyResult()

    handlers = server._lowlevel_server
    handlers.add_request_handler("logging/setLevel", SetLevelRequestParams, set_level)


def add_resources(server: MCPServer[Any]) -> None:
    @server.resource("test://static-text", mime_type="text/plain")
    async def static_text() -> str:
        return "This is the content of the static text resource."

    @server.resource("test://static-binary", mime_type="image/png")
    async def static_binary() -> bytes:
        return PNG

    @server.resource("test://watched-resource", mime_type="text/plain")
    async def watched() -> str:
        return "Watched resource content"

    @server.resource("test://template/{id}/data", mime_type="application/json")
    async def template(id: str) -> str:
        return json.dumps({"id": id, "templateTest": True, "data": f"Data for ID: {id}"})


def add_prompts(server: MCPServer[Any]) -> None:
    @server.prompt(description=DESCRIPTION)
    async def test_simple_prompt() -> str:
        return "This is a simple prompt for testing."

    @server.prompt(description=DESCRIPTION)
    async def test_prompt_with_arguments(arg1: str, arg2: str) -> str:
        return f"Prompt with arguments: arg1='{arg1}', arg2='{arg2}'"

    @server.prompt(description=DESCRIPTION)
    async def test_prompt_with_embedded_resource(resourceUri: str) -> list[UserMessage]:
        text = "Embedded resource content for testing."
        return [
            UserMessage(embedded(resourceUri, "text/plain", text)),
            UserMessage("Please process the embedded resource above."),
        ]

    @server.prompt(description=DESCRIPTION)
    async def test_prompt_with_image() -> list[UserMessage]:
        return [UserMessage(PICTURE), UserMessage("Please analyze the image above.")]

    @server.completion()
    async def complete(ref: Any, argument: Any, context: Any) -> Completion:
        words = [word for word in ("paris", "park", "party") if word.startswith(argument.value)]
        return Completion(values=words, total=len(words), has_more=False)
