"""The SDK's official client, connected with a person's key."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Literal

import httpx2
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client

from tests.conftest import Person, Server
from tests.tools.preloaded import preloaded_command

Era = Literal["legacy", "2026-07-28"]
ERAS: tuple[Era, ...] = ("legacy", "2026-07-28")


@asynccontextmanager
async def over_http(server: Server, key: str, era: Era, toolset: str = "") -> AsyncIterator[Client]:
    headers = {"Authorization": f"Bearer {key}"}
    async with httpx2.AsyncClient(headers=headers, timeout=60) as http:
        transport = streamable_http_client(f"{server.url}/mcp{toolset}", http_client=http)
        async with Client(transport, mode=era) as client:
            yield client


@asynccontextmanager
async def over_stdio(era: Era, *arguments: str, **environment: str) -> AsyncIterator[Client]:
    command, *words = preloaded_command("mcp", *arguments)
    program = StdioServerParameters(command=command, args=words, env={**os.environ, **environment})
    async with Client(stdio_client(program), mode=era) as client:
        yield client


def client_env(server: Server, person: Person) -> dict[str, str]:
    return {"MEMORY_API_URL": server.url, "MEMORY_API_KEY": person.key}


async def call_tool(client: Client, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    reply = await client.call_tool(name, arguments)
    assert not reply.is_error, reply.content
    assert reply.structured_content is not None
    return reply.structured_content


async def tool_error(client: Client, name: str, arguments: dict[str, Any]) -> str:
    reply = await client.call_tool(name, arguments)
    assert reply.is_error, reply.content
    return reply.content[0].text
