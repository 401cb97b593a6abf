"""Fork the child processes in which a forked `remem` analyses texts and opens files.

Importing what such a child needs takes a second of CPU time, and a server that a test starts has up
to four of them. `tests/conformance/` tests how they start in the product, where nothing is forked;
so does a server with `OWN_CHILDREN` in its environment."""

import os
import sys
from pathlib import Path

from remem.adapters import piped_process

CLIENT = Path(__file__).with_name("preloaded_client.py")
OWN_CHILDREN = "PRELOADED_OWN_CHILDREN"


def use_forked_children(address: str) -> None:
    """Replace the command in this process and in those forked from it. `address` is the address of
    the launcher."""
    real_command = piped_process.command

    def command(module: str) -> tuple[str, ...]:
        if OWN_CHILDREN in os.environ:
            return real_command(module)
        return (sys.executable, "-I", "-S", str(CLIENT), address, "-m", module)

    piped_process.command = command
