"""How many connections are taken at once, and how long each may keep us waiting."""

import resource
from dataclasses import dataclass

from remem.settings import Settings

# The most connections that are accepted before the first of them can be refused.
BACKLOG = 128
# Files, pipes and sockets of our own, beside the database's: models, logs, extractors, blobs.
OWN_DESCRIPTORS = 128
DESCRIPTORS_WANTED = 65_536
CONNECTIONS_LEAST = 16


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """`head_s` bounds the whole of a request's head, `idle_s` the pause between two requests.
    A body, or a reply, that moves fewer than `bytes_least` in `stall_s` is cut off."""

    connections: int = 1_000
    head_s: float = 10
    idle_s: float = 15
    stall_s: float = 30
    bytes_per_s: int = 100
    head_bytes: int = 65_536

    @property
    def bytes_least(self) -> float:
        return self.bytes_per_s * self.stall_s


def limits_of(settings: Settings, descriptors: int) -> ConnectionLimits:
    """As the settings say, but never more connections than leave room for the database."""
    room = descriptors - BACKLOG - OWN_DESCRIPTORS - settings.pool_size
    return ConnectionLimits(
        connections=max(CONNECTIONS_LEAST, min(settings.max_connections, room)),
        head_s=settings.header_timeout_s,
        idle_s=settings.idle_timeout_s,
        stall_s=settings.stall_timeout_s,
    )


def raise_descriptor_limit() -> int:
    """Ask for as many descriptors as this process may have; returns how many that are."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    unlimited = resource.RLIM_INFINITY
    most = DESCRIPTORS_WANTED if hard == unlimited else min(hard, DESCRIPTORS_WANTED)
    if soft == unlimited or soft >= most:
        return DESCRIPTORS_WANTED if soft == unlimited else soft
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    except (OSError, ValueError):
        return soft
    return most
