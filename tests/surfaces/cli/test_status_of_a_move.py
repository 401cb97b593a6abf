"""How far vectors have moved to another model: shown to those whose vectors they are."""

import pytest

from remem.core.ports import Ports
from tests.conftest import Person
from tests.surfaces.cli.running import Shell
from tests.tools.vector_move import MODEL, begin_move

pytestmark = pytest.mark.anyio


async def test_status_and_diagnostics_show_ones_own_move(
    ports: Ports, person: Person, stranger: Person, shell: Shell
) -> None:
    for owner in (person, stranger):
        for text in ("Ada keeps bees.", "Bo plays chess.", "Cy sells boats."):
            assert owner.post("/api/memories", {"content": text}).status_code == 201
    assert person.http.get("/v3/stats").json()["vector_move"] is None
    await begin_move(ports, person, 2)
    move = person.http.get("/v3/stats").json()["vector_move"]
    assert (move["new_model"], move["moved"], move["total"]) == (MODEL, 2, 3)
    assert person.http.get("/v3/stats").json()["embedding_coverage"] == 1
    assert person.http.get("/api/agent/diagnostics").json()["vectorMove"]["moved"] == 2
    assert f"{MODEL} (2 of 3)" in shell.piped("status").out
    assert stranger.http.get("/v3/stats").json()["vector_move"] is None
    assert person.recall("Who sells boats?")
