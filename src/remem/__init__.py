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

# onnxruntime, which runs the local models, reads this when it loads and sends no telemetry.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"


def __getattr__(name: str) -> Any:
    """The client is imported on first use, because every part of remem imports this package."""
    if name not in __all__:
        raise AttributeError(f"module 'remem' has no attribute '{name}'")
    from remem import client

    return getattr(client, name)
