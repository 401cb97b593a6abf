"""What the Python client retries, what it does not, and its errors when it gives up."""

import time
from io import BytesIO

import pytest

from remem import Limited, Refused, Remem, RememFailure, Unreachable
from remem.client import wire
from tests.clients.scripted import CUT, SILENT, Reply, scripted

BUSY = Reply(503, {"error": "Not now.", "code": "unavailable"})
SAVED = Reply(201, {"id": "1", "status": "done", "duplicate": False})
NO_PROJECTS = Reply(200, {"projects": []})


def test_a_get_is_retried_until_it_succeeds() -> None:
    with scripted(BUSY, CUT, NO_PROJECTS) as server, Remem(server.url, "key") as remem:
        assert remem.projects() == []
        assert len(server.requests) == 3


def test_a_save_is_retried_because_it_is_stored_once() -> None:
    with scripted(CUT, BUSY, SAVED) as server, Remem(server.url, "key") as remem:
        assert remem.save("a note").id == "1"
        bodies = {body for _, _, body in server.requests}
        assert len(server.requests) == 3
        assert bodies == {b'{"content":"a note"}'}


def test_an_upload_is_retried_from_the_start_of_the_file() -> None:
    with scripted(BUSY, SAVED) as server, Remem(server.url, "key") as remem:
        remem.upload(BytesIO(b"the whole file"), "note.txt")
        assert [b"the whole file" in body for _, _, body in server.requests] == [True, True]


@pytest.mark.parametrize("failure", [BUSY, CUT], ids=["busy", "cut"])
def test_a_request_that_is_not_idempotent_is_not_retried(failure: Reply) -> None:
    with scripted(failure) as server, Remem(server.url, "key") as remem:
        with pytest.raises(Unreachable):
            remem.documents.forget("1")
        assert len(server.requests) == 1


def test_a_rate_limited_client_waits_for_retry_after() -> None:
    rate_limited = Reply(429, {"error": "Too fast.", "code": "rate_limited"}, {"Retry-After": "1"})
    with scripted(rate_limited, Reply(204)) as server, Remem(server.url, "key") as remem:
        started = time.monotonic()
        remem.documents.forget("1")
        assert time.monotonic() - started >= 1
        assert len(server.requests) == 2


def test_a_retry_after_longer_than_the_patience_fails_at_once() -> None:
    rate_limited = Reply(429, {"error": "Too fast.", "code": "rate_limited"}, {"Retry-After": "60"})
    with scripted(rate_limited) as server, Remem(server.url, "key", patience_s=5) as remem:
        with pytest.raises(Limited) as failed:
            remem.recall("x")
        assert failed.value.retry_after_s == 60
        assert len(server.requests) == 1


def test_repeated_rate_limits_are_waited_out_even_beyond_the_patience_for_failures(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rate_limited = Reply(429, {"error": "Too fast.", "code": "rate_limited"}, {"Retry-After": "40"})
    waits_s: list[float] = []

    async def sleep(seconds: float) -> None:
        waits_s.append(seconds)

    monkeypatch.setattr(wire.asyncio, "sleep", sleep)
    with scripted(*[rate_limited] * 6, SAVED) as server, Remem(server.url, "key") as remem:
        assert remem.save("a note").id == "1"
        assert len(server.requests) == 7
    assert waits_s == [40] * 6


def test_retries_end_when_the_patience_is_used_up() -> None:
    with scripted(BUSY) as server, Remem(server.url, "key") as remem:
        with pytest.raises(Unreachable, match="Not now") as failed:
            remem.whoami()
        assert (failed.value.status, failed.value.code) == (503, "unavailable")
        assert 1 < len(server.requests) < 10


def test_a_slow_reply_times_out_with_its_own_code() -> None:
    with scripted(SILENT) as server, Remem(server.url, "key", timeout_s=0.2) as remem:
        with pytest.raises(Unreachable, match=r"within 0\.2 s") as failed:
            remem.whoami()
        assert failed.value.code == "timeout"
        assert len(server.requests) == 1


def test_an_unreachable_server_is_named() -> None:
    with (
        Remem("http://127.0.0.1:9", "key") as remem,
        pytest.raises(Unreachable, match=r"127\.0\.0\.1:9.*remem serve"),
    ):
        remem.whoami()


def test_a_reply_of_another_server_is_a_failure() -> None:
    with (
        scripted(Reply(418, ["teapot"])) as server,
        Remem(server.url, "key") as remem,
        pytest.raises(RememFailure, match="answered 418") as failed,
    ):
        remem.whoami()
    assert type(failed.value) is RememFailure


def test_a_full_plan_raises_limited_and_not_refused() -> None:
    full = {"error": "Full.", "code": "limit_exceeded", "details": {"count": 300, "limit": 300}}
    with scripted(Reply(403, full)) as server, Remem(server.url, "key") as remem:
        with pytest.raises(Limited) as failed:
            remem.memories.save("one more")
        assert failed.value.details == {"count": 300, "limit": 300}
        assert not isinstance(failed.value, Refused)


def test_retries_print_nothing_to_stdout(capfd: pytest.CaptureFixture[str]) -> None:
    with scripted(BUSY, NO_PROJECTS) as server, Remem(server.url, "key") as remem:
        remem.projects()
    assert capfd.readouterr().out == ""
