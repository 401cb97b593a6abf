"""`remem mcp`: serve the memory to an assistant.

It imports little, because the assistant waits for it."""

from functools import partial
from typing import Annotated

import typer

from remem.surfaces.cli.context import Key, Url, connect
from remem.surfaces.toolsets import ALL, TOOLSETS, is_toolset

CHOICE = f"{', '.join(TOOLSETS)} or {ALL}"


def mcp(
    context: typer.Context,
    tools: Annotated[str | None, typer.Option("--tools", help=f"The toolset: {CHOICE}.")] = None,
    url: Url = None,
    key: Key = None,
) -> None:
    """Serve the memory to an assistant over standard input and output.

    Example: remem mcp --tools coding
    """
    if tools and not is_toolset(tools):
        raise typer.BadParameter(f"choose {CHOICE}", param_hint="--tools")
    context.obj.serve_mcp(tools, partial(connect, url, key))
