"""Graceful shutdown: the server first reports that it stops, then finishes its work."""

import signal
from pathlib import Path
from unittest.mock import Mock

import httpx2
import pytest

from remem import app
from remem.app import DRAIN_S, Drain
from tests.conftest import START_TIMEOUT_S, start_server
from tests.tools.waiting import until


def test_the_drain_time_of_jobs_starts_with_the_first_stop_request(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = iter([100.0, 100.0, 103.0, 900.0])
    monkeypatch.setattr(app, "monotonic", lambda: next(clock))
    queue = Mock()
    drain = Drain(queue)
    assert drain.begin() == DRAIN_S
    assert drain.begin() == DRAIN_S - 3
    assert drain.begin() == 0
    assert queue.drain.called


def test_a_stopping_server_is_not_ready_but_still_serves(data_dir: Path) -> None:
    server = start_server(data_dir, REMEM_STOP_DELAY_S="300")
    headers = {"Authorization": f"Bearer {server.owner_key}"}
    with httpx2.Client(base_url=server.url, headers=headers, timeout=60) as http:
        assert http.get("/health/ready").status_code == 200
        server.process.send_signal(signal.SIGTERM)
        until(lambda: http.get("/health/ready").status_code == 503)
        assert http.get("/health/ready").json()["checks"]["server"] == "stopping"
        assert http.get("/health/live").status_code == 200
        saved = http.post("/v3/memory", json={"content": "The last ferry leaves at ten."})
        assert saved.status_code == 201, saved.text
    server.process.send_signal(signal.SIGINT)
    assert server.process.wait(timeout=START_TIMEOUT_S) is not None
