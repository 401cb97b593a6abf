"""The one way to retry: what may pass is tried again after each of a list of waits."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from stamina._core import _RetryContextIterator as Attempts

# Three retries, at once and after 1 and 2 s.
WAITS_S = (0.0, 1.0, 2.0)
# A server that asks for a longer wait is not waited for.
LONGEST_WAIT_S = 20.0


class Passing(Exception):
    """A failure that may pass: what it was, and how long the server asks us to wait.

    It has neither address nor body, because logs print it."""

    def __init__(
        self, what: str, retry_after_s: float | None = None, *, timed_out: bool = False
    ) -> None:
        super().__init__(what)
        self.retry_after_s = retry_after_s
        self.timed_out = timed_out
        # Which one failed, as far as somebody counts its failures.
        self.service: str | None = None


def attempts(waits_s: Sequence[float] = WAITS_S) -> "Attempts":
    """Attempts to use one after another, `for` or `async for`, each as a context of the call. What
    is not Passing is raised at once, and after the last wait Passing is too. A wait that the server
    asks for comes before the next of `waits_s`."""
    # Imported on the first call, for a start takes as long as its imports.
    import stamina

    return stamina.retry_context(
        on=_Waits(waits_s), attempts=len(waits_s) + 1, timeout=None, wait_jitter=0
    )


class _Waits:
    def __init__(self, waits_s: Sequence[float]) -> None:
        self._left: Iterator[float] = iter(waits_s)

    def __call__(self, error: Exception) -> bool | float:
        """Whether to try again, and after how long."""
        if not isinstance(error, Passing):
            return False
        wait_s = next(self._left, 0.0)
        asked_s = error.retry_after_s
        if asked_s is None:
            return wait_s
        return asked_s if asked_s <= LONGEST_WAIT_S else False
