"""`remem distribute`: distribute the tables of a store over the nodes of Citus."""

import asyncio
from typing import TYPE_CHECKING, Annotated

import typer

from remem.surfaces.cli.backup import local_settings
from remem.surfaces.cli.context import Yes
from remem.surfaces.cli.output import confirm, say

if TYPE_CHECKING:
    from remem.core.ports import Ports


def distribute(
    context: typer.Context,
    run: Annotated[
        bool, typer.Option("--run", help="Run the statements, on a PostgreSQL with Citus.")
    ] = False,
    yes: Yes = False,
) -> None:
    """Print the statements that distribute the tables by tenant with Citus.

    Example: remem distribute
    """
    if run:
        confirm("The tables will be distributed, which cannot be undone here. Continue?", yes)
    settings = local_settings().model_copy(update={"analysis_processes": 0})

    async def work(ports: "Ports") -> list[str]:
        from remem.migrations.distribute import distribute, plan

        async with ports.db.sessions.acquire() as connection:
            if not run:
                return (await plan(connection)).statements
            counts = await distribute(connection)
        return [f"{name}\t{number}" for name, number in counts.items()]

    lines = asyncio.run(context.obj.with_ports(settings, work))
    for line in lines or ["Every table is distributed already."]:
        say(line)
