"""Calls every tool once, in a Python that has only the SDK's first major version.

Arguments: the folder of the SDK, the address of /mcp, the key, and the command of `remem mcp`.
"""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

FOLDER, URL, KEY, *COMMAND = sys.argv[1:]
sys.path[:0] = [FOLDER, str(Path(__file__).parent)]

from every_tool import ALL_TOOLS, call_all_tools  # type: ignore[import-not-found]  # noqa: E402
from mcp import ClientSession, StdioServerParameters  # noqa: E402
from mcp.client.stdio import stdio_client  # noqa: E402
from mcp.client.streamable_http import streamablehttp_client  # noqa: E402


@asynccontextmanager
async def connect() -> AsyncIterator[Any]:
    if COMMAND:
        program = StdioServerParameters(command=COMMAND[0], args=COMMAND[1:], env=dict(os.environ))
        async with stdio_client(program) as streams:
            yield streams
    else:
        headers = {"Authorization": f"Bearer {KEY}"}
        async with streamablehttp_client(URL, headers=headers) as (reading, writing, _):
            yield reading, writing


async def main() -> None:
    async with connect() as (reading, writing), ClientSession(reading, writing) as session:
        initialized = await session.initialize()
        assert {tool.name for tool in (await session.list_tools()).tools} == ALL_TOOLS

        async def call(name: str, arguments: dict[str, Any]) -> dict[str, Any]:
            reply = await session.call_tool(name, arguments)
            assert not reply.isError, (name, reply.content)
            return reply.structuredContent

        await call_all_tools(call)
        assert (await session.list_resources()).resources
        assert (await session.get_prompt("context", {"topic": "keys"})).messages
        print(f"every tool, at protocol {initialized.protocolVersion}")


asyncio.run(main())
