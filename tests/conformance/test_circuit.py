"""The circuit breaker pauses a failing provider: when calls stop and when they resume."""

import asyncio
from collections.abc import Callable

import pytest

from remem.adapters.circuit import (
    FAILURE_LIMIT,
    FIRST_PAUSE_S,
    MAX_PAUSE_S,
    RECENT_S,
    SLOW_S,
    Circuit,
)
from remem.adapters.retries import TransientError
from remem.core.errors import TextRefused, Unavailable, Unreadable

pytestmark = pytest.mark.anyio


class Clock:
    now = 1_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def circuit(clock: Clock) -> Circuit:
    return Circuit("embedding", clock=clock)


def call(circuit: Circuit, error: BaseException | None = None) -> None:
    with circuit.request():
        if error:
            raise error


def fail(circuit: Circuit, times: int = 1, error: Callable[[], Exception] | None = None) -> None:
    for _ in range(times):
        with pytest.raises((TransientError, Unavailable)):
            call(circuit, error() if error else TransientError("status 500"))


def test_calls_stop_after_a_few_failures(circuit: Circuit) -> None:
    fail(circuit, FAILURE_LIMIT - 1)
    assert circuit.state().state == "failing"
    fail(circuit)
    with pytest.raises(Unavailable, match=r"paused after failures \(status 500\)") as raised:
        call(circuit)
    assert raised.value.code == "embedding_paused"
    assert (circuit.state().state, circuit.state().retry_in_s) == ("paused", FIRST_PAUSE_S)


def test_a_success_resets_the_count(circuit: Circuit) -> None:
    for _ in range(3):
        fail(circuit, FAILURE_LIMIT - 1)
        call(circuit)
    assert circuit.state().state == "ok"


def test_after_the_pause_one_call_is_a_trial(circuit: Circuit, clock: Clock) -> None:
    fail(circuit, FAILURE_LIMIT)
    clock.now += FIRST_PAUSE_S
    with circuit.request(), pytest.raises(Unavailable, match="paused"):
        call(circuit)
    assert circuit.state().state == "ok"
    call(circuit)


def test_the_pause_doubles_with_each_failed_trial(circuit: Circuit, clock: Clock) -> None:
    fail(circuit, FAILURE_LIMIT)
    pauses = []
    for _ in range(5):
        pauses.append(circuit.state().retry_in_s)
        clock.now += pauses[-1]
        fail(circuit)
    assert pauses == [10, 20, 40, MAX_PAUSE_S, MAX_PAUSE_S]
    clock.now += MAX_PAUSE_S
    call(circuit)
    fail(circuit, FAILURE_LIMIT)
    assert circuit.state().retry_in_s == FIRST_PAUSE_S


def test_a_long_retry_after_is_honoured(circuit: Circuit) -> None:
    fail(circuit, error=lambda: TransientError("status 429", 120.0))
    assert circuit.state().retry_in_s == 120


def test_a_short_retry_after_is_not_a_pause(circuit: Circuit) -> None:
    fail(circuit, error=lambda: TransientError("status 429", 2.0))
    assert circuit.state().state == "failing"


def test_calls_that_time_out_count_twice(circuit: Circuit) -> None:
    fail(circuit, 2, lambda: TransientError("no answer in 30 s", timed_out=True))
    assert circuit.state().state == "paused"


@pytest.mark.parametrize("error", [TextRefused("This text."), Unreadable("This picture.")])
def test_a_refused_text_or_picture_does_not_count(circuit: Circuit, error: Exception) -> None:
    fail(circuit, FAILURE_LIMIT - 1)
    with pytest.raises(type(error)):
        call(circuit, error)
    assert circuit.state().state == "ok"


def test_a_refused_key_counts(circuit: Circuit) -> None:
    fail(circuit, FAILURE_LIMIT, lambda: Unavailable("The key.", code="embedding_key_refused"))
    assert circuit.state().reason == "embedding_key_refused"
    assert circuit.state().state == "paused"


def test_a_cancelled_call_counts_only_after_a_long_wait(circuit: Circuit, clock: Clock) -> None:
    with pytest.raises(asyncio.CancelledError):
        call(circuit, asyncio.CancelledError())
    assert circuit.state().state == "ok"
    for _ in range(2):
        with pytest.raises(asyncio.CancelledError), circuit.request():
            clock.now += SLOW_S
            raise asyncio.CancelledError
    assert circuit.state().state == "paused"


def test_a_cancelled_trial_allows_another(circuit: Circuit, clock: Clock) -> None:
    fail(circuit, FAILURE_LIMIT)
    clock.now += FIRST_PAUSE_S
    with pytest.raises(asyncio.CancelledError):
        call(circuit, asyncio.CancelledError())
    call(circuit)
    assert circuit.state().state == "ok"


def test_one_failure_is_forgotten_after_a_while(circuit: Circuit, clock: Clock) -> None:
    fail(circuit)
    with pytest.raises(Unavailable, match="status 500"):
        circuit.check()
    clock.now += RECENT_S
    circuit.check()
    assert circuit.state().state == "ok"


def test_a_pause_that_is_over_is_no_failure(circuit: Circuit, clock: Clock) -> None:
    """Nothing calls the provider; the last failure is long ago."""
    fail(circuit, FAILURE_LIMIT)
    clock.now += FIRST_PAUSE_S / 2
    assert circuit.state().retry_in_s == FIRST_PAUSE_S / 2
    clock.now += RECENT_S
    assert circuit.state().state == "ok"
    circuit.check()
