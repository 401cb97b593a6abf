"""All open connections: limited in number, checked once a second, closed when they stall."""

import time
from collections.abc import Callable
from typing import Protocol

import structlog

from remem.surfaces.cli.serving.bounds import ConnectionLimits

log = structlog.get_logger()


class Connection(Protocol):
    """`waiting_since` is when its client last did what we wait for, or None while it is our turn;
    `drop` closes it at once, `check` closes it if it has stalled."""

    @property
    def waiting_since(self) -> float | None: ...

    def drop(self) -> None: ...

    def check(self, now: float) -> None: ...


class ConnectionWatch:
    def __init__(
        self, limits: ConnectionLimits, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.limits, self.clock = limits, clock
        # In order of arrival: of two that have waited equally long, the older is dropped first.
        self._open: dict[Connection, None] = {}
        self.dropped = self.refused = 0

    def __len__(self) -> int:
        return len(self._open)

    def admit(self, connection: Connection) -> bool:
        """Accept a new connection; if there are too many, replace the one whose client has kept us
        waiting longest. Return False if all of them are busy."""
        if len(self._open) >= self.limits.connections and not self._make_room():
            self.refused += 1
            return False
        self._open[connection] = None
        return True

    def _make_room(self) -> bool:
        waiting = [(connection.waiting_since, connection) for connection in self._open]
        idle = [(since, connection) for since, connection in waiting if since is not None]
        if not idle:
            return False
        _, longest = min(idle, key=lambda pair: pair[0])
        self.leave(longest)
        longest.drop()
        self.dropped += 1
        return True

    def leave(self, connection: Connection) -> None:
        self._open.pop(connection, None)

    def sweep(self) -> None:
        now = self.clock()
        for connection in list(self._open):
            connection.check(now)
        if self.dropped or self.refused:
            log.warning(
                "too_many_connections",
                limit=self.limits.connections,
                dropped=self.dropped,
                refused=self.refused,
            )
            self.dropped = self.refused = 0
