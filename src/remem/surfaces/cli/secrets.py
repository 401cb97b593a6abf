"""`remem secrets`: the keys that credentials of connections are sealed with."""

import asyncio
from typing import Annotated

import typer

from remem.surfaces.cli.backup import here
from remem.surfaces.cli.context import Json
from remem.surfaces.cli.output import print_json, say

secrets = typer.Typer(help="The keys that credentials of connections are sealed with.")


@secrets.callback()
def _group() -> None:
    """Have `rotate` as a command of its own, though it is the only one."""


@secrets.command()
def rotate(
    context: typer.Context,
    reseal: Annotated[
        bool, typer.Option("--reseal", help="Add no key; seal with the newest one of the setting.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Seal every credential with a new key, and forget the old ones.

    Example: remem secrets rotate
    """
    done = asyncio.run(context.obj.rotate_secrets(here(), not reseal))
    if as_json:
        print_json(done)
        return
    say(f"{done['sealed']} credentials are sealed with key {done['key']}.")
    if done["lost"]:
        say(f"{done['lost']} could not be opened; connect those accounts again.")
