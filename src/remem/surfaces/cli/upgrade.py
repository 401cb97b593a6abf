"""`remem upgrade`: what this version changes in the store, and do it."""

import asyncio
from typing import TYPE_CHECKING, Annotated

import typer

from remem.surfaces.cli.backup import local_settings, new_backup, show_progress
from remem.surfaces.cli.context import Json
from remem.surfaces.cli.output import print_json, print_table, say

if TYPE_CHECKING:
    from remem.core.ports import Ports


def upgrade(
    context: typer.Context,
    check: Annotated[
        bool, typer.Option("--check", help="Only say what would change; nothing is written.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Back up the store of this machine, and bring it to the schema of this version.

    `remem serve` does so as well when it starts, without the backup.

    Example: remem upgrade --check
    """
    settings = local_settings()
    pending = asyncio.run(context.obj.pending_migrations(settings))
    if as_json:
        print_json({"changes": pending})
    elif not pending:
        say("The store is up to date.")
    else:
        print_table(["schema", "change"], [(row["schema"], row["about"]) for row in pending], "")
    if check or not pending:
        return
    file = new_backup(settings)
    show_progress("Originals", lambda tell: context.obj.back_up(settings, file, tell))
    asyncio.run(context.obj.with_ports(settings, _nothing_more))
    if not as_json:
        say(f"Done; to return to the version before, restore {file} with it.")


async def _nothing_more(ports: "Ports") -> None:
    """The store is migrated when it is opened."""
