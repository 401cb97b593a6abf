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
    """Exit with one sentence and the fix when a required package is missing or damaged."""
    from remem.surfaces.cli.installation import find_problems, fix

    if problems := find_problems():
        problem_list = "; ".join(problem.says for problem in problems)
        sys.exit(f"error {error}: {problem_list}. To fix it, {fix(problems)}")


def _main() -> None:
    # Imported modules are never freed, and scanning them takes a tenth of a command's time.
    gc.disable()
    if sys.argv[1:] == ["--version"]:
        from importlib.metadata import version

        sys.stdout.write(f"remem {version('remem')}\n")
    elif sys.argv[1:3] == ["hook", "prompt"] and (client := _client(sys.argv[3:])):
        from remem.surfaces.cli.hooks.prompt import run as run_hook

        run_hook(client)
    elif sys.argv[1:] == ["statusline"]:
        from remem.surfaces.cli.statusline import statusline

        statusline()
    elif sys.argv[1:2] == ["mcp"]:
        _run_mcp(_programs())
    else:
        from remem.surfaces.cli.main import run

        run(_programs())


def _client(options: list[str]) -> str | None:
    """The calling agent, or None if the options have to be parsed."""
    match options:
        case []:
            return "claude-code"
        case ["--client", client] if not client.startswith("-"):
            return client
    return None


def _programs() -> "Programs":
    from remem.surfaces.cli.context import Programs

    return Programs(
        create_app=_create_app,
        run_worker=_work,
        serve_mcp=_assist,
        back_up=_back_up,
        restore_backup=_restore_backup,
        compare_backup=_compare_backup,
        reembed=_reembed,
        with_ports=_with_ports,
        pending_migrations=_pending_migrations,
        rotate_secrets=_rotate_secrets,
    )


def _run_mcp(programs: "Programs") -> None:
    """Run `remem mcp` without importing the other commands: assistants wait for it at every
    start."""
    import typer

    from remem.surfaces.cli.mcp import mcp

    app = typer.Typer(pretty_exceptions_enable=False, add_completion=False)
    app.command()(mcp)
    app(sys.argv[2:], prog_name="remem mcp", obj=programs)


def _collect_garbage() -> None:
    """Turn the collector on for objects that are created from now on."""
    gc.freeze()
    gc.enable()


# These import what they need when they run: most commands never serve, and start faster.


def _create_app(settings: "Settings") -> Any:
    from remem.app import create_app

    app = create_app(settings)
    # After the routes are created: they are never freed.
    _collect_garbage()
    return app


async def _work(settings: "Settings") -> None:
    from remem.bootstrap import open_ports
    from remem.surfaces.metrics.serve import collect_metrics
    from remem.surfaces.worker.run import work_until_signalled

    _collect_garbage()
    async with open_ports(settings) as ports, collect_metrics(ports, settings):
        await work_until_signalled(ports, settings.worker_concurrency)


def _assist(tools: str | None, connect: "Callable[[], AsyncRemem]") -> None:
    from remem.surfaces.mcp.handshake import answer_handshake, reserve_streams

    with reserve_streams() as streams:
        # Before the imports of everything else, which take most of a second.
        first = answer_handshake(tools, *streams)
        import asyncio

        from remem.surfaces.mcp.stdio import serve

        memory = connect()
        _collect_garbage()
        asyncio.run(serve(tools, memory, first, *streams))


async def _back_up(settings: "Settings", file: Path, progress: "Progress") -> dict[str, Any]:
    from remem.bootstrap import open_backup_ports
    from remem.core.backup.make import back_up

    _collect_garbage()
    async with open_backup_ports(settings) as ports:
        return (await back_up(ports, file, progress)).as_dict()


async def _restore_backup(
    settings: "Settings", file: Path, force: bool, progress: "Progress"
) -> dict[str, Any]:
    from remem.bootstrap import open_backup_ports
    from remem.core.backup.restore import restore_backup
    from remem.owner import forget_owner_key

    _collect_garbage()
    async with open_backup_ports(settings) as ports:
        report = await restore_backup(ports, file, force, progress)
        forget_owner_key(settings)
    return report.as_dict()


async def _compare_backup(folder: Path, file: Path, progress: "Progress") -> dict[str, Any]:
    from remem.bootstrap import open_scratch_ports
    from remem.core.backup.compare import compare_backup

    async with open_scratch_ports(folder) as scratch:
        return (await compare_backup(scratch, file, progress)).as_dict()


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


async def _pending_migrations(settings: "Settings") -> list[dict[str, Any]]:
    from remem.bootstrap import pending_migrations

    pending = await pending_migrations(settings)
    return [{"schema": migration.version, "about": migration.about} for migration in pending]


async def _rotate_secrets(settings: "Settings", add_key: bool) -> dict[str, Any]:
    from dataclasses import asdict

    from remem.bootstrap import open_ports
    from remem.core.connections.rotate import COLUMNS, rotate_secrets
    from remem.core.deliveries.manage import TARGETS

    async with open_ports(settings) as ports:
        return asdict(await rotate_secrets(ports, (*COLUMNS, TARGETS), add_key=add_key))


if __name__ == "__main__":
    main()
