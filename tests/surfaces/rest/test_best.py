"""The mode `best` in every dialect that takes a mode."""

import httpx2
import pytest

from tests.conftest import Person
from tests.surfaces.rest.things import CAT, TAX
from tests.tools.waiting import until


def ask(user: Person, route: str, mode: str) -> httpx2.Response:
    if route == "/api/memories/search-index":
        return user.http.get(route, params={"query": "cat", "mode": mode})
    return user.post(route, {"query": "cat", "mode": mode})


@pytest.mark.parametrize("route", ["/v3/recall", "/v1/search", "/api/memories/search-index"])
def test_the_reply_names_the_mode_that_answered(user: Person, route: str) -> None:
    for text in (CAT, TAX):
        user.save(text, index_only=True)
    # On a busy machine the reader may time out; then the reply names another mode.
    until(lambda: ask(user, route, "best").json()["mode"] == "best")
    for mode in ("fast", "balanced", "deep"):
        assert ask(user, route, mode).json()["mode"] == mode
    assert ask(user, route, "worst").status_code == 400


def test_the_explanation_has_the_readers_score(user: Person) -> None:
    user.save(CAT, index_only=True)
    body = {"query": "cat", "mode": "best", "explain": True}

    def relevance() -> float | None:
        reply = user.post("/v3/recall", body).json()
        return reply["results"][0]["chunks"][0]["explain"]["relevance"]

    until(lambda: relevance() is not None)
