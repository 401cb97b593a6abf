"""The `remem` command."""

from contextlib import AbstractAsyncContextManager
from typing import Any

from remem.core.ports import Ports
from remem.settings import Settings
from remem.surfaces.cli.context import Programs
from remem.surfaces.cli.main import cli


def main() -> None:
    cli(obj=Programs(create_app=_create_app, open_ports=_open_ports))


def _create_app(settings: Settings) -> Any:
    # Imported when it is needed: most commands never serve, and start faster without it.
    from remem.app import create_app

    return create_app(settings)


def _open_ports(settings: Settings) -> AbstractAsyncContextManager[Ports]:
    from remem.bootstrap import open_ports

    return open_ports(settings)


if __name__ == "__main__":
    main()
