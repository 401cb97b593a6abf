"""Every open connection: taken up to a limit, looked at once a second, closed when it stalls."""

import time
from collections.abc import Callable
from typing import Protocol

import structlog

from remem.surfaces.cli.serving.bounds import ConnectionLimits

log = structlog.get_logger()


class Watched(Protocol):
    """A connection. `waiting_since` is when its client last did what we wait for, None while it is
    ours to act; `drop` closes it at once, `check` closes it when it has stalled."""

    @property
    def waiting_since(self) -> float | None: ...

    def drop(self) -> None: ...

    def check(self, now: float) -> None: ...


class ConnectionWatch:
    def __init__(
        self, limits: ConnectionLimits, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.limits, self.clock = limits, clock
        # In the order they came: of two that wait equally long, the older one goes first.
        self._open: dict[Watched, None] = {}
        self.dropped = self.refused = 0

    def __len__(self) -> int:
        return len(self._open)

    def admit(self, connection: Watched) -> bool:
        """Take a new connection; when there are too many, in the place of the one whose client
        has kept us waiting longest. False when all of them are at work."""
        if len(self._open) >= self.limits.connections and not self._make_room():
            self.refused += 1
            return False
        self._open[connection] = None
        return True

    def _make_room(self) -> bool:
        waiting = [(one.waiting_since, one) for one in self._open]
        idle = [(since, one) for since, one in waiting if since is not None]
        if not idle:
            return False
        _, longest = min(idle, key=lambda pair: pair[0])
        self.leave(longest)
        longest.drop()
        self.dropped += 1
        return True

    def leave(self, connection: Watched) -> None:
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
