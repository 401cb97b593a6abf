"""remem: the memory of a person and of their AI assistants."""

import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from remem.client import (
        AsyncRemem,
        Invalid,
        Limited,
        NotFound,
        Refused,
        Remem,
        RememFailure,
        Unreachable,
    )

__all__ = [
    "AsyncRemem",
    "Invalid",
    "Limited",
    "NotFound",
    "Refused",
    "Remem",
    "RememFailure",
    "Unreachable",
]

# The runtime of the local models would report its use to its maker; it looks here when it loads.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"


def __getattr__(name: str) -> Any:
    """The client is imported on first use, because every part of remem imports this package."""
    if name not in __all__:
        raise AttributeError(f"module 'remem' has no attribute '{name}'")
    from remem import client

    return getattr(client, name)
