"""How long a server that is asked to stop waits for its jobs."""

from unittest.mock import Mock

import pytest

from remem import app
from remem.app import DRAIN_S, Drain


def test_jobs_have_their_time_from_the_first_word_of_stopping(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = iter([100.0, 100.0, 115.0, 900.0])
    monkeypatch.setattr(app, "monotonic", lambda: next(clock))
    queue = Mock()
    drain = Drain(queue)
    assert drain.begin() == DRAIN_S
    assert drain.begin() == DRAIN_S - 15
    assert drain.begin() == 0
    assert queue.drain.called
