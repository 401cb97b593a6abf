"""A service that did not answer is left alone for a while, so that nobody waits for it again."""

import time
from dataclasses import dataclass

PAUSE_S = 5.0


@dataclass(slots=True)
class Pause:
    """Begins with a failure and ends by itself."""

    seconds: float = PAUSE_S
    _until: float = 0.0

    @property
    def is_on(self) -> bool:
        return time.monotonic() < self._until

    def begin(self) -> None:
        self._until = time.monotonic() + self.seconds
