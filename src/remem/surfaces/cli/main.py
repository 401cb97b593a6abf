"""Every command on one page."""

from typing import Any

import typer
from typer.core import TyperGroup

from remem.surfaces.cli import (
    backup,
    demo,
    doctor,
    login,
    mcp,
    overview,
    remember,
    serve,
    transfer,
)
from remem.surfaces.cli.config import config
from remem.surfaces.cli.documents import documents
from remem.surfaces.cli.hooks.commands import hook
from remem.surfaces.cli.install import commands as installing
from remem.surfaces.cli.keys import keys
from remem.surfaces.cli.memories import memories
from remem.surfaces.cli.memory_changes import changes
from remem.surfaces.cli.output import plain_errors
from remem.surfaces.cli.projects import projects


class Commands(TyperGroup):
    """Whatever a command raises ends as one sentence and a code."""

    def invoke(self, ctx: Any) -> Any:
        with plain_errors():
            return super().invoke(ctx)


cli = typer.Typer(
    name="remem",
    help="The memory of a person and of their AI assistants.",
    cls=Commands,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)

START, USE, MANAGE, MOVE, CONNECT = (
    "Start",
    "Save and recall",
    "Look and change",
    "Move and keep safe",
    "Connect",
)

for command in (serve.serve, serve.worker, demo.demo, doctor.doctor):
    cli.command(rich_help_panel=START)(command)
for command in (remember.save, remember.recall):
    cli.command(rich_help_panel=USE)(command)
memories.add_typer(changes)
for name, group in {
    "memories": memories,
    "documents": documents,
    "projects": projects,
    "keys": keys,
    "config": config,
}.items():
    cli.add_typer(group, name=name, no_args_is_help=True, rich_help_panel=MANAGE)
for command in (
    overview.whoami,
    overview.profile,
    overview.stats,
    overview.graph,
    overview.events,
    overview.jobs,
):
    cli.command(rich_help_panel=MANAGE)(command)
cli.command(rich_help_panel=MOVE)(transfer.export)
cli.command("import", rich_help_panel=MOVE)(transfer.bring_in)
for command in (backup.backup, backup.restore, backup.reembed):
    cli.command(rich_help_panel=MOVE)(command)
for command in (login.login, login.logout, mcp.mcp, installing.install):
    cli.command(rich_help_panel=CONNECT)(command)
# Assistants call these; people read what they do in docs/install.md.
cli.add_typer(hook, name="hook", no_args_is_help=True, rich_help_panel=CONNECT)
