"""Every command on one page."""

import typer

from remem.surfaces.cli import assistants, doctor, mcp, remember, serve, transfer

cli = typer.Typer(
    name="remem",
    help="The memory of a person and of their AI assistants.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)

cli.command()(serve.serve)
cli.command()(serve.worker)
cli.command()(remember.save)
cli.command()(remember.recall)
cli.command()(transfer.export)
cli.command("import")(transfer.bring_in)
cli.command()(doctor.doctor)
cli.command()(mcp.mcp)
cli.command()(assistants.install)
