"""The one way to retry: transient errors are retried after each of a list of waits."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from stamina._core import _RetryContextIterator as Attempts

# Three retries: immediately, after 1 s and after 2 s.
WAITS_S = (0.0, 1.0, 2.0)
# When a server asks for a longer wait, the call fails instead.
MAX_WAIT_S = 20.0


class TransientError(Exception):
    """A failure that may not happen again: its reason, and how long the server asks us to wait.

    It contains neither address nor body, because it is logged."""

    def __init__(
        self, reason: str, retry_after_s: float | None = None, *, timed_out: bool = False
    ) -> None:
        super().__init__(reason)
        self.retry_after_s = retry_after_s
        self.timed_out = timed_out
        # The service that failed, when a circuit counts its failures.
        self.service: str | None = None


def attempts(waits_s: Sequence[float] = WAITS_S) -> "Attempts":
    """Iterate over attempts, with `for` or `async for`; each is a context manager around the call.

    A TransientError is retried until `waits_s` is used up, any other error is raised immediately.
    A wait that the server asks for takes precedence over the next of `waits_s`."""
    # Imported on the first call, to keep startup fast.
    import stamina

    return stamina.retry_context(
        on=_Waits(waits_s), attempts=len(waits_s) + 1, timeout=None, wait_jitter=0
    )


class _Waits:
    def __init__(self, waits_s: Sequence[float]) -> None:
        self._remaining: Iterator[float] = iter(waits_s)

    def __call__(self, error: Exception) -> bool | float:
        """Return whether to retry, and after how many seconds."""
        if not isinstance(error, TransientError):
            return False
        wait_s = next(self._remaining, 0.0)
        retry_after_s = error.retry_after_s
        if retry_after_s is None:
            return wait_s
        return retry_after_s if retry_after_s <= MAX_WAIT_S else False
