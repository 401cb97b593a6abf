"""Stops the calls of a service that keeps failing; after a pause, one call is a trial."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from remem.adapters.retries import LONGEST_WAIT_S, Passing
from remem.core import telemetry
from remem.core.errors import TextRefused, Unavailable, Unreadable
from remem.core.providers import ProviderState

# As many as one call with its retries makes.
FAILURES = 4
# A call that never answers costs its caller more than one that is refused.
TIMEOUT_WEIGHT = 2
FIRST_PAUSE_S, LONGEST_PAUSE_S = 10.0, 60.0
# A server that says when to come back is believed up to this.
LONGEST_ASKED_S = 600.0
# A call that was given up after less says nothing about the provider.
SLOW_S = 2.0
RECENT_S = 30.0


@dataclass(frozen=True, slots=True)
class Tolerance:
    """After how many failures in a row calls are paused, and for how long. The pause doubles with
    each failed trial."""

    failures: int
    first_pause_s: float
    longest_pause_s: float


# A model is called by jobs and retries, and may cost money.
OF_PROVIDERS = Tolerance(FAILURES, FIRST_PAUSE_S, LONGEST_PAUSE_S)
# What every request asks, and something else can do: one failure is enough, and it is soon tried.
OF_SHORTCUTS = Tolerance(1, 5.0, 5.0)


class Circuit:
    """The calls of one service in this process: a provider of models, Qdrant or Redis.

    After some failures in a row, or when the service asks for a long wait, calls are refused for a
    pause. Then one call is let through: its success lets all through again. `when_opened` is called
    with the length of each pause, `when_closed` when calls continue."""

    def __init__(
        self,
        provider: str,
        tolerance: Tolerance = OF_PROVIDERS,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.provider = provider
        self.when_opened: Callable[[float], None] | None = None
        self.when_closed: Callable[[], None] | None = None
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
        if self._open_until is not None:
            return ProviderState("paused", self._reason, max(0.0, self._open_until - now))
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
        """Raise what is wrong with the provider, as far as the last calls say."""
        found = self.state()
        if found.state == "paused":
            raise self._paused()
        if found.state == "failing":
            raise Unavailable(f"The {self.provider} server failed just now ({found.reason}).")

    def admit(self) -> None:
        """Raise Unavailable while calls are paused. What is admitted reports `succeed`, `fail` or
        `abandon`."""
        if self._open_until is None:
            return
        if not self.is_trial_due:
            raise self._paused()
        self._is_trying = True

    def succeed(self) -> None:
        was_open = self._open_until is not None
        self._failures, self._reason = 0, None
        self._pause_s = self._tolerance.first_pause_s
        self._open_until, self._is_trying = None, False
        if was_open and self.when_closed:
            self.when_closed()

    def fail(self, reason: str, *, weight: int = 1, wait_s: float | None = None) -> None:
        """`wait_s` is how long the provider asks us to wait."""
        now = self._clock()
        self._failures += weight
        self._reason, self._failed_at = reason, now
        if wait_s is not None and wait_s > LONGEST_WAIT_S:
            self._open(min(wait_s, LONGEST_ASKED_S))
        elif self._is_trying or (self._open_until is None and self._is_too_often):
            self._open(self._pause_s)
            self._pause_s = min(2 * self._pause_s, self._tolerance.longest_pause_s)
        self._is_trying = False

    @property
    def _is_too_often(self) -> bool:
        return self._failures >= self._tolerance.failures

    def _open(self, pause_s: float) -> None:
        self._open_until = self._clock() + pause_s
        if self.when_opened:
            self.when_opened(pause_s)

    def abandon(self) -> None:
        """The call ended without a word about the provider; another one may be the trial."""
        self._is_trying = False

    @contextmanager
    def request(self) -> Iterator[None]:
        """Around one request: refuse it while calls are paused, and count what becomes of it."""
        self.admit()
        began = self._clock()
        try:
            with self._observed():
                yield
        except Passing as error:
            weight = TIMEOUT_WEIGHT if error.timed_out else 1
            self.fail(str(error), weight=weight, wait_s=error.retry_after_s)
            error.service = self.provider
            raise
        except (TextRefused, Unreadable):
            # It answers; what it was sent is at fault.
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
    def _observed(self) -> Iterator[None]:
        named = {"provider": self.provider, "result": "failed"}
        with telemetry.timed("provider_request", **named) as labels:
            try:
                yield
                labels["result"] = "ok"
            except (TextRefused, Unreadable):
                labels["result"] = "refused"
                raise
            except Passing as error:
                labels["result"] = "timeout" if error.timed_out else "failed"
                raise

    def _paused(self) -> Unavailable:
        left_s = max(1, round((self._open_until or 0.0) - self._clock()))
        refusal = Unavailable(
            f"Calls to the {self.provider} server are paused after failures ({self._reason}); it "
            f"is tried again in {left_s} s.",
            code=f"{self.provider}_paused",
        )
        refusal.service = self.provider
        return refusal
