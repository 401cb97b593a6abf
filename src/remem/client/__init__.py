"""The Python client: for a server by its URL, or with all of remem in this process."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from remem.client.asynchronous import AsyncRemem
    from remem.client.blocking import Remem
    from remem.client.failures import (
        Invalid,
        Limited,
        NotFound,
        Refused,
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

_MODULES = {"AsyncRemem": "asynchronous", "Remem": "blocking"}


def __getattr__(name: str) -> Any:
    """Imported on first use: hooks find the local server without the HTTP library."""
    if name not in __all__:
        raise AttributeError(f"module 'remem.client' has no attribute '{name}'")
    module = import_module(f"remem.client.{_MODULES.get(name, 'failures')}")
    return getattr(module, name)
