"""The Python client: for a server by its URL, or with all of remem in this process."""

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
