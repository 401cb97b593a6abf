"""The `remem` command."""

import sys
from typing import TYPE_CHECKING, Any

from remem.surfaces.cli.context import Programs

if TYPE_CHECKING:
    from remem.settings import Settings


def main() -> None:
    programs = Programs(create_app=_create_app, work=_work, assist=_assist)
    if sys.argv[1:2] == ["mcp"]:
        _main_of_mcp(programs)
    else:
        from remem.surfaces.cli.main import cli

        cli(obj=programs)


def _main_of_mcp(programs: Programs) -> None:
    """The one command somebody waits for at every start does not load all the others."""
    import typer

    from remem.surfaces.cli.mcp import mcp

    alone = typer.Typer(pretty_exceptions_enable=False, add_completion=False)
    alone.command()(mcp)
    alone(sys.argv[2:], prog_name="remem mcp", obj=programs)


# Imported when they are needed: most commands never serve, and start faster without it.


def _create_app(settings: "Settings") -> Any:
    from remem.app import create_app

    return create_app(settings)


async def _work(settings: "Settings") -> None:
    from remem.bootstrap import open_ports
    from remem.surfaces.worker.run import work_until_signalled

    async with open_ports(settings) as ports:
        await work_until_signalled(ports, settings.worker_concurrency)


async def _assist(tools: str | None, url: str | None, key: str | None) -> None:
    import gc

    # All that is loaded here stays; to look through it for garbage is a tenth of the start.
    gc.disable()
    from remem.surfaces.mcp.stdio import serve

    gc.freeze()
    gc.enable()
    await serve(tools, url, key)


if __name__ == "__main__":
    main()
