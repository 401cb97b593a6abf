"""`remem mcp`: an assistant gets a memory over standard input and output."""

import asyncio

import typer

from remem.surfaces.cli.context import Key, Url, connect


def mcp(context: typer.Context, url: Url = None, key: Key = None) -> None:
    """Serve the memory to an assistant over standard input and output.

    Example: remem mcp
    """
    from remem.logs import configure
    from remem.settings import load

    configure(load(), quiet=True)
    asyncio.run(context.obj.assist(connect(url, key)))
