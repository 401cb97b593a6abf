"""What the Python client sends again, what it does not, and what it says when it gives up."""

import time
from io import BytesIO

import pytest

from remem import Limited, Refused, Remem, RememFailure, Unreachable
from remem.client import wire
from tests.clients.scripted import CUT, SILENT, Reply, scripted

BUSY = Reply(503, {"error": "Not now.", "code": "unavailable"})
SAVED = Reply(201, {"id": "1", "status": "done", "duplicate": False})
NOTHING = Reply(200, {"projects": []})


def test_a_get_is_sent_again_until_it_is_answered() -> None:
    with scripted(BUSY, CUT, NOTHING) as server, Remem(server.url, "key") as remem:
        assert remem.projects() == []
        assert len(server.seen) == 3


def test_a_save_is_sent_again_whole_because_it_is_kept_once() -> None:
    with scripted(CUT, BUSY, SAVED) as server, Remem(server.url, "key") as remem:
        assert remem.save("a note").id == "1"
        bodies = {body for _, _, body in server.seen}
        assert len(server.seen) == 3
        assert bodies == {b'{"content":"a note"}'}


def test_a_file_is_sent_again_from_its_beginning() -> None:
    with scripted(BUSY, SAVED) as server, Remem(server.url, "key") as remem:
        remem.upload(BytesIO(b"the whole file"), "note.txt")
        assert [b"the whole file" in body for _, _, body in server.seen] == [True, True]


@pytest.mark.parametrize("trouble", [BUSY, CUT], ids=["busy", "cut"])
def test_what_might_be_done_twice_is_not_sent_again(trouble: Reply) -> None:
    with scripted(trouble) as server, Remem(server.url, "key") as remem:
        with pytest.raises(Unreachable):
            remem.documents.forget("1")
        assert len(server.seen) == 1


def test_who_is_too_fast_waits_as_long_as_told() -> None:
    fast = Reply(429, {"error": "Too fast.", "code": "rate_limited"}, {"Retry-After": "1"})
    with scripted(fast, Reply(204)) as server, Remem(server.url, "key") as remem:
        began = time.monotonic()
        remem.documents.forget("1")
        assert time.monotonic() - began >= 1
        assert len(server.seen) == 2


def test_who_would_wait_longer_than_the_patience_is_told_at_once() -> None:
    fast = Reply(429, {"error": "Too fast.", "code": "rate_limited"}, {"Retry-After": "60"})
    with scripted(fast) as server, Remem(server.url, "key", patience_s=5) as remem:
        with pytest.raises(Limited) as failed:
            remem.recall("x")
        assert failed.value.retry_after_s == 60
        assert len(server.seen) == 1


def test_a_rate_limit_is_waited_out_however_often_and_past_the_patience_for_trouble(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fast = Reply(429, {"error": "Too fast.", "code": "rate_limited"}, {"Retry-After": "40"})
    waited: list[float] = []

    async def sleep(seconds: float) -> None:
        waited.append(seconds)

    monkeypatch.setattr(wire.asyncio, "sleep", sleep)
    with scripted(*[fast] * 6, SAVED) as server, Remem(server.url, "key") as remem:
        assert remem.save("a note").id == "1"
        assert len(server.seen) == 7
    assert waited == [40] * 6


def test_patience_ends() -> None:
    with scripted(BUSY) as server, Remem(server.url, "key") as remem:
        with pytest.raises(Unreachable, match="Not now") as failed:
            remem.whoami()
        assert (failed.value.status, failed.value.code) == (503, "unavailable")
        assert 1 < len(server.seen) < 10


def test_a_slow_reply_is_given_up_by_name() -> None:
    with scripted(SILENT) as server, Remem(server.url, "key", timeout_s=0.2) as remem:
        with pytest.raises(Unreachable, match=r"within 0\.2 s") as failed:
            remem.whoami()
        assert failed.value.code == "timeout"
        assert len(server.seen) == 1


def test_a_server_that_is_not_there_is_named() -> None:
    with (
        Remem("http://127.0.0.1:9", "key") as remem,
        pytest.raises(Unreachable, match=r"127\.0\.0\.1:9.*remem serve"),
    ):
        remem.whoami()


def test_an_answer_that_is_none_of_ours_is_a_failure_too() -> None:
    with (
        scripted(Reply(418, ["teapot"])) as server,
        Remem(server.url, "key") as remem,
        pytest.raises(RememFailure, match="answered 418") as failed,
    ):
        remem.whoami()
    assert type(failed.value) is RememFailure


def test_a_full_plan_is_a_limit_and_no_refusal() -> None:
    full = {"error": "Full.", "code": "limit_exceeded", "details": {"count": 300, "limit": 300}}
    with scripted(Reply(403, full)) as server, Remem(server.url, "key") as remem:
        with pytest.raises(Limited) as failed:
            remem.memories.save("one more")
        assert failed.value.details == {"count": 300, "limit": 300}
        assert not isinstance(failed.value, Refused)


def test_retries_are_not_printed_among_a_programs_output(capfd: pytest.CaptureFixture[str]) -> None:
    with scripted(BUSY, NOTHING) as server, Remem(server.url, "key") as remem:
        remem.projects()
    assert capfd.readouterr().out == ""
