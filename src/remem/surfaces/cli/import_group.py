"""`remem import`: a file of remem or another product, past sessions of agents, a profile."""

from typing import Any

import typer
from typer.core import TyperGroup

from remem.surfaces.cli.backfill.import_sessions import agents
from remem.surfaces.cli.import_profile import profile
from remem.surfaces.cli.transfer import bring_in


class FileByDefault(TyperGroup):
    """`remem import notes.zip` is `remem import file notes.zip`."""

    default = "file"

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if args and args[0] not in self.commands and args[0] not in ("--help", "-h"):
            args = [self.default, *args]
        return super().parse_args(ctx, args)


bring = typer.Typer(
    cls=FileByDefault,
    help="Import a file, past sessions of coding agents, or what another assistant remembers.",
)
bring.command(FileByDefault.default)(bring_in)
bring.command("agents")(agents)
bring.command("profile")(profile)
