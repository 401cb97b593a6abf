"""`remem vectors`: moves to Qdrant beside a running server, which is then started with it."""

import json
from pathlib import Path

import pytest

from tests.conftest import start_server, stop_server
from tests.surfaces.cli.running import Shell
from tests.tools.qdrant import qdrant_server


@pytest.mark.usefixtures("database")
def test_a_store_moves_to_qdrant_and_back(fresh: Shell, data_dir: Path) -> None:
    alone = fresh.piped("vectors", "status")
    assert (alone.code, "pgvector" in alone.out) == (0, True), alone
    refused = fresh.piped("vectors", "move", "qdrant")
    assert (refused.code, "REMEM_QDRANT_URL" in refused.err) == (1, True), refused
    with qdrant_server() as qdrant:
        at = {"REMEM_QDRANT_URL": qdrant.url}
        server = start_server(data_dir)
        try:
            assert fresh.piped("memories", "add", "The ferry is blue.").code == 0
            moved = json.loads(fresh.piped("vectors", "move", "qdrant", "--json", **at).out)
            assert (moved["index"], moved["differing"]) == ("qdrant", [])
            assert moved["stored"] == moved["indexed"] == qdrant.count() == 1
        finally:
            stop_server(server)
        server = start_server(data_dir, REMEM_VECTOR_INDEX="qdrant", **at)
        try:
            assert fresh.piped("memories", "add", "The buoy is red.").code == 0
            assert qdrant.count() == 2
            assert "red" in fresh.piped("recall", "what colour is the marker?").out
            assert any(path.endswith("/points/query") for _, path, _ in qdrant.asked)
            counted = fresh.piped("vectors", "status", **at)
            assert (counted.code, "2 in Qdrant" in counted.out) == (0, True), counted
        finally:
            stop_server(server)
        assert fresh.piped("vectors", "move", "pgvector", **at).code == 0
        assert qdrant.count() == 2
        ended = fresh.piped("vectors", "move", "pgvector", "--finish", **at)
        assert (ended.code, qdrant.count()) == (0, 0), ended
        assert qdrant.wrong == []
