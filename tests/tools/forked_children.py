"""The processes in which a forked `remem` analyses texts and opens files are forked as well.

To import what they need takes each of them a second of a processor, and a server that a test
starts has up to four. How they start in the product is tested in `tests/conformance/`, where nobody
is forked, and with `OWN_CHILDREN` in the environment of a server."""

import os
import sys
from pathlib import Path

from remem.adapters import piped_process

CLIENT = Path(__file__).with_name("preloaded_client.py")
OWN_CHILDREN = "PRELOADED_OWN_CHILDREN"


def use_forked_children(address: str) -> None:
    """In this process and those that are forked from it; `address` is the launcher's."""
    own = piped_process.command

    def command(module: str) -> tuple[str, ...]:
        if OWN_CHILDREN in os.environ:
            return own(module)
        return (sys.executable, "-I", "-S", str(CLIENT), address, "-m", module)

    piped_process.command = command
