"""The `remem` command."""

import gc
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from remem.client import AsyncRemem
    from remem.core.ports import Ports
    from remem.settings import Settings
    from remem.surfaces.cli.context import Programs, Progress


def main() -> None:
    try:
        _main()
    except ImportError as error:
        _explain(error)
        raise


def _explain(error: ImportError) -> None:
    """One sentence with the fix, where a package that remem requires is missing or damaged."""
    from remem.surfaces.cli.installation import find_problems, fix

    if problems := find_problems():
        says = "; ".join(problem.says for problem in problems)
        sys.exit(f"error {error}: {says}. To fix it, {fix(problems)}")


def _main() -> None:
    # What is imported stays, and a search for garbage among it is a tenth of a command's time.
    gc.disable()
    if sys.argv[1:] == ["--version"]:
        from importlib.metadata import version

        sys.stdout.write(f"remem {version('remem')}\n")
    elif sys.argv[1:2] == ["mcp"]:
        _main_of_mcp(_programs())
    else:
        from remem.surfaces.cli.main import run

        run(_programs())


def _programs() -> "Programs":
    from remem.surfaces.cli.context import Programs

    return Programs(
        create_app=_create_app,
        work=_work,
        assist=_assist,
        back_up=_back_up,
        put_back=_put_back,
        reembed=_reembed,
        with_ports=_with_ports,
        rotate_secrets=_rotate_secrets,
    )


def _main_of_mcp(programs: "Programs") -> None:
    """The one command somebody waits for at every start does not load all the others."""
    import typer

    from remem.surfaces.cli.mcp import mcp

    alone = typer.Typer(pretty_exceptions_enable=False, add_completion=False)
    alone.command()(mcp)
    alone(sys.argv[2:], prog_name="remem mcp", obj=programs)


def _collect_garbage() -> None:
    """From here on, among what is made from here on."""
    gc.freeze()
    gc.enable()


# Imported when they are needed: most commands never serve, and start faster without it.


def _create_app(settings: "Settings") -> Any:
    from remem.app import create_app

    app = create_app(settings)
    # Not before: every route is made here, and stays.
    _collect_garbage()
    return app


async def _work(settings: "Settings") -> None:
    from remem.bootstrap import open_ports
    from remem.surfaces.metrics.serve import measuring
    from remem.surfaces.worker.run import work_until_signalled

    _collect_garbage()
    async with open_ports(settings) as ports, measuring(ports, settings):
        await work_until_signalled(ports, settings.worker_concurrency)


async def _assist(tools: str | None, memory: "AsyncRemem") -> None:
    from remem.surfaces.mcp.stdio import serve

    _collect_garbage()
    await serve(tools, memory)


async def _back_up(settings: "Settings", file: Path, progress: "Progress") -> dict[str, Any]:
    from remem.bootstrap import open_backup_ports
    from remem.core.backup.make import back_up

    _collect_garbage()
    async with open_backup_ports(settings) as whole:
        return (await back_up(whole, file, progress)).as_dict()


async def _put_back(
    settings: "Settings", file: Path, force: bool, progress: "Progress"
) -> dict[str, Any]:
    from remem.bootstrap import open_backup_ports
    from remem.core.backup.restore import put_back
    from remem.owner import forget_owner_key

    _collect_garbage()
    async with open_backup_ports(settings) as whole:
        report = await put_back(whole, file, force, progress)
        forget_owner_key(settings)
    return report.as_dict()


async def _reembed(
    settings: "Settings", again: bool, prune: bool, progress: "Progress"
) -> dict[str, Any]:
    from remem.bootstrap import open_ports
    from remem.surfaces.worker.reembed import reembed_everything

    _collect_garbage()
    async with open_ports(settings) as ports:
        return await reembed_everything(ports, settings.worker_concurrency, again, prune, progress)


async def _with_ports(settings: "Settings", work: "Callable[[Ports], Awaitable[Any]]") -> Any:
    from remem.bootstrap import open_ports

    _collect_garbage()
    async with open_ports(settings) as ports:
        return await work(ports)


async def _rotate_secrets(settings: "Settings", add_key: bool) -> dict[str, Any]:
    from dataclasses import asdict

    from remem.bootstrap import open_ports
    from remem.core.connections.rotate import rotate_secrets

    async with open_ports(settings) as ports:
        return asdict(await rotate_secrets(ports, add_key=add_key))


if __name__ == "__main__":
    main()
