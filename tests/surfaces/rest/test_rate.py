"""Rate limits per key and user, shared by all processes."""

import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx2
import pytest

from remem.core.time import new_id
from remem.settings import BROWSER_KEYS, USER_KEYS
from tests.conftest import Server, start_server, stop_server
from tests.core.scratch import connected
from tests.surfaces.rest.conftest import call

pytestmark = pytest.mark.anyio

LIMIT = 5


@pytest.fixture(scope="module")
def servers() -> Iterator[list[Server]]:
    """Two processes on one store, each with a limit of five requests a minute per key."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="remem-test-")))
        running = []
        for _ in range(2):
            running.append(start_server(folder, REMEM_RATE_LIMIT=str(LIMIT)))
            stack.callback(stop_server, running[-1])
        yield running


@pytest.fixture
def new_key(servers: list[Server]) -> Iterator[Callable[[], str]]:
    """Creates keys of a new user; the requests for that count for the user's browser."""
    with call(servers[0].url) as browser:
        account = {"email": f"{new_id()}@example.org", "password": "correct horse"}
        session = browser.post("/v3/auth/register", json=account).json()
        headers = {"X-CSRF-Token": session["csrf_token"]}

        def new_key() -> str:
            return browser.post("/v3/api-keys", json={"name": "k"}, headers=headers).json()["key"]

        yield new_key


def ask(server: Server, key: str, times: int = 1) -> list[httpx2.Response]:
    with call(server.url, key) as http:
        return [http.get("/v3/whoami") for _ in range(times)]


def statuses(replies: list[httpx2.Response]) -> list[int]:
    return [reply.status_code for reply in replies]


def test_rate_limiting(servers: list[Server], new_key: Callable[[], str]) -> None:
    *answered, refused = ask(servers[0], new_key(), LIMIT + 1)
    assert statuses(answered) == [200] * LIMIT
    assert [reply.headers["RateLimit-Remaining"] for reply in answered] == ["4", "3", "2", "1", "0"]
    for reply in answered:
        assert reply.headers["RateLimit-Limit"] == str(LIMIT)
        assert 1 <= int(reply.headers["RateLimit-Reset"]) <= 60
    assert refused.status_code == 429
    assert refused.json()["code"] == "rate_limited"
    assert "wait" in refused.json()["error"]
    wait_s = int(refused.headers["Retry-After"])
    assert 1 <= wait_s <= 60
    assert refused.json()["details"] == {"limit": LIMIT, "retry_after_s": wait_s}
    assert refused.headers["RateLimit-Limit"] == str(LIMIT)
    assert refused.headers["RateLimit-Remaining"] == "0"
    assert refused.headers["RateLimit-Reset"] == str(wait_s)
    assert refused.headers["X-Request-Id"]


def test_another_key_of_the_same_person_is_unaffected(
    servers: list[Server], new_key: Callable[[], str]
) -> None:
    spent, other = new_key(), new_key()
    assert statuses(ask(servers[0], spent, LIMIT + 1))[-1] == 429
    assert statuses(ask(servers[0], other)) == [200]


def test_all_keys_of_one_person_share_a_limit(
    servers: list[Server], new_key: Callable[[], str]
) -> None:
    keys = [new_key() for _ in range(4)]
    replies = [reply for key in keys for reply in ask(servers[0], key, LIMIT)]
    # The requests that created the keys counted only for the person's browser.
    allowed = USER_KEYS * LIMIT
    assert statuses(replies) == [200] * allowed + [429] * (len(replies) - allowed)
    refused = replies[allowed]
    assert refused.json()["details"]["limit"] == USER_KEYS * LIMIT
    assert refused.headers["RateLimit-Limit"] == str(USER_KEYS * LIMIT)


def test_the_browsers_of_one_person_have_a_limit_of_their_own(servers: list[Server]) -> None:
    account = {"email": f"{new_id()}@example.org", "password": "correct horse"}
    with call(servers[0].url) as browser:
        session = browser.post("/v3/auth/register", json=account).json()
        headers = {"X-CSRF-Token": session["csrf_token"]}
        key = browser.post("/v3/api-keys", json={"name": "k"}, headers=headers).json()["key"]
        replies = [browser.get("/v3/whoami") for _ in range(BROWSER_KEYS * LIMIT)]
    assert statuses(replies) == [200] * (BROWSER_KEYS * LIMIT - 1) + [429]
    assert replies[-1].headers["RateLimit-Limit"] == str(BROWSER_KEYS * LIMIT)
    assert statuses(ask(servers[0], key, LIMIT)) == [200] * LIMIT


def test_a_refused_key_does_not_use_up_the_limit_of_others(
    servers: list[Server], new_key: Callable[[], str]
) -> None:
    spent, other = new_key(), new_key()
    assert statuses(ask(servers[0], spent, USER_KEYS * LIMIT + 5))[-1] == 429
    assert statuses(ask(servers[0], other, LIMIT)) == [200] * LIMIT


@pytest.mark.parametrize("method", ["tools/list", "resources/list", "ping", "no/such/method"])
def test_every_mcp_message_counts(
    method: str, servers: list[Server], new_key: Callable[[], str]
) -> None:
    message = {"jsonrpc": "2.0", "id": 7, "method": method}
    with call(servers[0].url, new_key()) as http:
        *answered, refused = [http.post("/mcp", json=message) for _ in range(LIMIT + 1)]
        assert 429 not in statuses(answered)
        assert [reply.headers["RateLimit-Remaining"] for reply in answered][-1] == "0"
        assert refused.status_code == 429
        assert int(refused.headers["Retry-After"]) >= 1
        assert (refused.json()["id"], refused.json()["error"]["code"]) == (7, -32_000)
        assert "wait" in refused.json()["error"]["message"]
        assert http.get("/v3/whoami").status_code == 429


def test_each_message_of_a_batch_counts(servers: list[Server], new_key: Callable[[], str]) -> None:
    batch = [{"jsonrpc": "2.0", "id": id, "method": "tools/list"} for id in range(LIMIT + 3)]
    with call(servers[0].url, new_key()) as http:
        replies = http.post("/mcp", json=batch).json()
    assert sorted("error" in reply for reply in replies) == [False] * LIMIT + [True] * 3


def test_a_tool_call_counts_once_and_reports_an_exceeded_limit_in_its_result(
    servers: list[Server], new_key: Callable[[], str]
) -> None:
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "whoAmI"}}
    with call(servers[0].url, new_key()) as http:
        results = [http.post("/mcp", json=message).json()["result"] for _ in range(LIMIT + 1)]
    assert [result["isError"] for result in results] == [False] * LIMIT + [True]
    assert f"More than {LIMIT} requests a minute" in results[-1]["content"][0]["text"]


def test_the_limit_is_shared_by_every_process(
    servers: list[Server], new_key: Callable[[], str]
) -> None:
    key = new_key()
    assert statuses(ask(servers[0], key, 3)) == [200] * 3
    assert statuses(ask(servers[1], key, 3)) == [200, 200, 429]
    assert statuses(ask(servers[0], key)) == [429]


def test_a_refused_request_does_nothing(servers: list[Server], new_key: Callable[[], str]) -> None:
    key = new_key()
    with call(servers[0].url, key) as http:
        saved = [http.post("/v3/memory", json={"content": f"Note {n}."}) for n in range(LIMIT + 1)]
    assert statuses(saved) == [201] * LIMIT + [429]
    with call(servers[0].url, new_key()) as http:
        assert http.get("/v3/documents").json()["total"] == LIMIT


async def test_the_limit_is_reset_in_a_later_minute(
    servers: list[Server], new_key: Callable[[], str]
) -> None:
    key = new_key()
    assert statuses(ask(servers[0], key, LIMIT + 1))[-1] == 429
    async with connected(servers[0], "remem") as connection:
        await connection.execute("UPDATE rate_counters SET window_no = window_no - 2")
    assert statuses(ask(servers[0], key)) == [200]


def test_requests_with_an_unknown_key_are_not_counted(servers: list[Server]) -> None:
    assert statuses(ask(servers[0], f"mc_{'x' * 32}", LIMIT + 2)) == [401] * (LIMIT + 2)


def test_health_is_not_counted(servers: list[Server]) -> None:
    with call(servers[0].url) as anonymous:
        replies = [anonymous.get("/health/live") for _ in range(LIMIT + 2)]
    assert statuses(replies) == [200] * (LIMIT + 2)
    assert "RateLimit-Limit" not in replies[0].headers
