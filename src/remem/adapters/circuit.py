"""Pauses the calls to a service that keeps failing; the first call after a pause is a trial."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from remem.adapters.retries import MAX_WAIT_S, TransientError
from remem.core import telemetry
from remem.core.errors import TextRefused, Unavailable, Unreadable
from remem.core.providers import ProviderState

# As many as one call and its retries can cause.
FAILURE_LIMIT = 4
# A call that times out costs its caller more than one that is refused.
TIMEOUT_WEIGHT = 2
FIRST_PAUSE_S, MAX_PAUSE_S = 10.0, 60.0
# The longest pause that a server can ask for.
MAX_RETRY_AFTER_S = 600.0
# A call that was cancelled sooner says nothing about the provider.
SLOW_S = 2.0
RECENT_S = 30.0


@dataclass(frozen=True, slots=True)
class Tolerance:
    """How many consecutive failures pause the calls, and for how long. The pause doubles with
    each failed trial."""

    failures: int
    first_pause_s: float
    longest_pause_s: float


# Models are called by jobs and retries, and may cost money.
PROVIDER_TOLERANCE = Tolerance(FAILURE_LIMIT, FIRST_PAUSE_S, MAX_PAUSE_S)
# Every request uses these, and there is a fallback: one failure pauses them, but not for long.
SHORTCUT_TOLERANCE = Tolerance(1, 5.0, 5.0)


class Circuit:
    """A circuit breaker for one service in this process: a model provider, Qdrant or Redis.

    After some consecutive failures, or when the service asks for a long wait, calls are refused for
    a while. Then one call is let through as a trial: if it succeeds, all calls are allowed again.
    `on_opened` is called with the length of each pause, `on_closed` when calls continue."""

    def __init__(
        self,
        provider: str,
        tolerance: Tolerance = PROVIDER_TOLERANCE,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.provider = provider
        self.on_opened: Callable[[float], None] | None = None
        self.on_closed: Callable[[], None] | None = None
        self._tolerance = tolerance
        self._clock = clock
        self._failures = 0
        self._reason: str | None = None
        self._failed_at = float("-inf")
        self._pause_s = tolerance.first_pause_s
        self._open_until: float | None = None
        self._is_trying = False

    def state(self) -> ProviderState:
        now = self._clock()
        if self._open_until is not None and now < self._open_until:
            return ProviderState("paused", self._reason, self._open_until - now)
        if self._failures and now - self._failed_at < RECENT_S:
            return ProviderState("failing", self._reason)
        return ProviderState()

    @property
    def is_trial_due(self) -> bool:
        """Whether the next call would be the trial."""
        return (
            self._open_until is not None
            and not self._is_trying
            and self._clock() >= self._open_until
        )

    def check(self) -> None:
        """Raise Unavailable if recent calls failed or are paused. Makes no call itself."""
        current = self.state()
        if current.state == "paused":
            raise self._paused_error()
        if current.state == "failing":
            raise Unavailable(f"The {self.provider} server failed just now ({current.reason}).")

    def admit(self) -> None:
        """Raise Unavailable while calls are paused. The caller of an admitted call must report its
        outcome with `succeed`, `fail` or `abandon`."""
        if self._open_until is None:
            return
        if not self.is_trial_due:
            raise self._paused_error()
        self._is_trying = True

    def succeed(self) -> None:
        was_open = self._open_until is not None
        self._failures, self._reason = 0, None
        self._pause_s = self._tolerance.first_pause_s
        self._open_until, self._is_trying = None, False
        if was_open and self.on_closed:
            self.on_closed()

    def fail(self, reason: str, *, weight: int = 1, wait_s: float | None = None) -> None:
        """Count a failure. `wait_s` is how long the provider asks us to wait."""
        now = self._clock()
        self._failures += weight
        self._reason, self._failed_at = reason, now
        if wait_s is not None and wait_s > MAX_WAIT_S:
            self._open(min(wait_s, MAX_RETRY_AFTER_S))
        elif self._is_trying or (self._open_until is None and self._has_reached_limit):
            self._open(self._pause_s)
            self._pause_s = min(2 * self._pause_s, self._tolerance.longest_pause_s)
        self._is_trying = False

    @property
    def _has_reached_limit(self) -> bool:
        return self._failures >= self._tolerance.failures

    def _open(self, pause_s: float) -> None:
        self._open_until = self._clock() + pause_s
        if self.on_opened:
            self.on_opened(pause_s)

    def abandon(self) -> None:
        """End a call that says nothing about the provider; another one may be the trial."""
        self._is_trying = False

    @contextmanager
    def request(self) -> Iterator[None]:
        """Wrap one request: refuse it while calls are paused, and count its outcome."""
        self.admit()
        began = self._clock()
        try:
            with self._record_result():
                yield
        except TransientError as error:
            weight = TIMEOUT_WEIGHT if error.timed_out else 1
            self.fail(str(error), weight=weight, wait_s=error.retry_after_s)
            error.service = self.provider
            raise
        except (TextRefused, Unreadable):
            # The service works; the input is at fault.
            self.succeed()
            raise
        except Unavailable as error:
            self.fail(error.code)
            error.service = self.provider
            raise
        except BaseException:
            took_s = self._clock() - began
            if took_s >= SLOW_S:
                self.fail(f"no answer in {took_s:.0f} s", weight=TIMEOUT_WEIGHT)
            else:
                self.abandon()
            raise
        self.succeed()

    @contextmanager
    def _record_result(self) -> Iterator[None]:
        dimensions = {"provider": self.provider, "result": "failed"}
        with telemetry.timed("provider_request", **dimensions) as labels:
            try:
                yield
                labels["result"] = "ok"
            except (TextRefused, Unreadable):
                labels["result"] = "refused"
                raise
            except TransientError as error:
                labels["result"] = "timeout" if error.timed_out else "failed"
                raise

    def _paused_error(self) -> Unavailable:
        remaining_s = max(1, round((self._open_until or 0.0) - self._clock()))
        error = Unavailable(
            f"Calls to the {self.provider} server are paused after failures ({self._reason}); it "
            f"is tried again in {remaining_s} s.",
            code=f"{self.provider}_paused",
        )
        error.service = self.provider
        return error
