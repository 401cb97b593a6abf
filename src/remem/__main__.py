"""The `remem` command."""

from typing import Any

from remem.client import AsyncRemem
from remem.settings import Settings
from remem.surfaces.cli.context import Programs
from remem.surfaces.cli.main import cli


def main() -> None:
    cli(obj=Programs(create_app=_create_app, work=_work, assist=_assist))


# Imported when they are needed: most commands never serve, and start faster without it.


def _create_app(settings: Settings) -> Any:
    from remem.app import create_app

    return create_app(settings)


async def _work(settings: Settings) -> None:
    from remem.bootstrap import open_ports
    from remem.surfaces.worker.run import work_until_signalled

    async with open_ports(settings) as ports:
        await work_until_signalled(ports, settings.worker_concurrency)


async def _assist(memory: AsyncRemem) -> None:
    from remem.surfaces.mcp.stdio import serve

    await serve(memory)


if __name__ == "__main__":
    main()
