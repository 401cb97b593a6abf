"""Limits of connections: how many are accepted, and how long each may stall."""

import resource
from dataclasses import dataclass

from remem.settings import Settings

# The maximum number of connections that are accepted before the first of them can be refused.
BACKLOG = 128
# Files, pipes and sockets besides those of the database: models, logs, extractors, blobs.
OWN_DESCRIPTORS = 128
WANTED_DESCRIPTORS = 65_536
MIN_CONNECTIONS = 16


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """`head_s` limits the whole head of a request, `idle_s` the pause between two requests. A body
    or reply that transfers fewer than `min_bytes` in `stall_s` is aborted."""

    connections: int = 1_000
    head_s: float = 10
    idle_s: float = 15
    stall_s: float = 30
    bytes_per_s: int = 100
    head_bytes: int = 65_536

    @property
    def min_bytes(self) -> float:
        return self.bytes_per_s * self.stall_s


def limits_of(settings: Settings, descriptors: int) -> ConnectionLimits:
    """Return the limits from the settings, with room left for the descriptors of the database."""
    available = descriptors - BACKLOG - OWN_DESCRIPTORS - settings.pool_size
    return ConnectionLimits(
        connections=max(MIN_CONNECTIONS, min(settings.max_connections, available)),
        head_s=settings.header_timeout_s,
        idle_s=settings.idle_timeout_s,
        stall_s=settings.stall_timeout_s,
    )


def raise_descriptor_limit() -> int:
    """Raise the descriptor limit of this process as far as allowed, and return it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    unlimited = resource.RLIM_INFINITY
    limit = WANTED_DESCRIPTORS if hard == unlimited else min(hard, WANTED_DESCRIPTORS)
    if soft == unlimited or soft >= limit:
        return WANTED_DESCRIPTORS if soft == unlimited else soft
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))
    except (OSError, ValueError):
        return soft
    return limit
