"""The common format of errors."""

from typing import Any

import httpx2


def assert_problem(reply: httpx2.Response, status: int, code: str, *words: str) -> dict[str, Any]:
    """Assert that a reply is an error in the common format whose message has all the words."""
    assert reply.status_code == status, f"{reply.status_code} {reply.text}"
    problem = reply.json()
    assert set(problem) in ({"error", "code"}, {"error", "code", "details"}), problem
    assert problem["code"] == code, problem
    for word in words:
        assert word in problem["error"], f"{word!r} is not in {problem['error']!r}"
    assert reply.headers["X-Request-Id"]
    return problem
