"""The mode `best` in every dialect that takes a mode."""

import httpx2
import pytest

from tests.conftest import Person
from tests.surfaces.rest.things import CAT, TAX
from tests.tools.waiting import until


def ask(keeper: Person, route: str, mode: str) -> httpx2.Response:
    if route == "/api/memories/search-index":
        return keeper.http.get(route, params={"query": "cat", "mode": mode})
    return keeper.post(route, {"query": "cat", "mode": mode})


@pytest.mark.parametrize("route", ["/v3/recall", "/v1/search", "/api/memories/search-index"])
def test_best_is_answered_and_says_how(keeper: Person, route: str) -> None:
    for text in (CAT, TAX):
        keeper.save(text, index_only=True)
    # A machine that is busy may be too slow for the reader; then the answer says so.
    until(lambda: ask(keeper, route, "best").json()["mode"] == "best")
    for mode in ("fast", "balanced", "deep"):
        assert ask(keeper, route, mode).json()["mode"] == mode
    assert ask(keeper, route, "worst").status_code == 400


def test_the_explanation_has_the_readers_part(keeper: Person) -> None:
    keeper.save(CAT, index_only=True)
    asked = {"query": "cat", "mode": "best", "explain": True}

    def part() -> float | None:
        reply = keeper.post("/v3/recall", asked).json()
        return reply["results"][0]["chunks"][0]["explain"]["relevance"]

    until(lambda: part() is not None)
