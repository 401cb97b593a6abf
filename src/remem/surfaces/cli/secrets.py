"""`remem secrets`: the keys that encrypt the credentials of connections."""

import asyncio
from typing import Annotated

import typer

from remem.surfaces.cli.backup import local_settings
from remem.surfaces.cli.context import Json
from remem.surfaces.cli.output import print_json, say

secrets = typer.Typer(help="The keys that encrypt the credentials of connections.")


@secrets.callback()
def _group() -> None:
    """Makes `rotate` a subcommand, although it is the only one."""


@secrets.command()
def rotate(
    context: typer.Context,
    reseal: Annotated[
        bool,
        typer.Option("--reseal", help="Add no key; re-encrypt with the newest key of the setting."),
    ] = False,
    as_json: Json = False,
) -> None:
    """Re-encrypt every credential with a new key, and delete the old keys.

    Example: remem secrets rotate
    """
    result = asyncio.run(context.obj.rotate_secrets(local_settings(), not reseal))
    if as_json:
        print_json(result)
        return
    say(f"{result['sealed']} credentials are encrypted with key {result['key']}.")
    if result["lost"]:
        say(f"{result['lost']} could not be decrypted; connect those accounts again.")
