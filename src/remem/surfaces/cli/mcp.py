"""`remem mcp`: serve the memory to an assistant.

It imports little, because the assistant waits for it."""

from functools import partial
from typing import Annotated

import typer

from remem.surfaces.cli.context import TOOLSETS, Key, Url, connect

CHOICE = "{}, {} or {}".format(*TOOLSETS)


def mcp(
    context: typer.Context,
    tools: Annotated[
        str | None, typer.Option("--tools", help=f"Only one toolset: {CHOICE}.")
    ] = None,
    url: Url = None,
    key: Key = None,
) -> None:
    """Serve the memory to an assistant over standard input and output.

    Example: remem mcp --tools assistant
    """
    if tools and tools not in TOOLSETS:
        raise typer.BadParameter(f"choose {CHOICE}", param_hint="--tools")
    context.obj.serve_mcp(tools, partial(connect, url, key))
