"""`remem vectors`: moves to Qdrant while a server runs, which is then restarted with it."""

import json
from pathlib import Path

import pytest

from tests.conftest import start_server, stop_server
from tests.surfaces.cli.running import Shell
from tests.tools.qdrant import qdrant_server


@pytest.mark.usefixtures("database")
def test_a_store_moves_to_qdrant_and_back(fresh: Shell, data_dir: Path) -> None:
    status = fresh.piped("vectors", "status")
    assert (status.code, "pgvector" in status.out) == (0, True), status
    refused = fresh.piped("vectors", "move", "qdrant")
    assert (refused.code, "REMEM_QDRANT_URL" in refused.err) == (1, True), refused
    with qdrant_server() as qdrant:
        qdrant_env = {"REMEM_QDRANT_URL": qdrant.url}
        server = start_server(data_dir)
        try:
            assert fresh.piped("memories", "add", "The ferry is blue.").code == 0
            moved = json.loads(fresh.piped("vectors", "move", "qdrant", "--json", **qdrant_env).out)
            assert (moved["index"], moved["differing"]) == ("qdrant", [])
            assert moved["stored"] == moved["indexed"] == qdrant.count() == 1
        finally:
            stop_server(server)
        server = start_server(data_dir, REMEM_VECTOR_INDEX="qdrant", **qdrant_env)
        try:
            assert fresh.piped("memories", "add", "The buoy is red.").code == 0
            assert qdrant.count() == 2
            assert "red" in fresh.piped("recall", "what colour is the marker?").out
            assert any(path.endswith("/points/query") for _, path, _ in qdrant.requests)
            qdrant_status = fresh.piped("vectors", "status", **qdrant_env)
            assert (qdrant_status.code, "2 in Qdrant" in qdrant_status.out) == (0, True), (
                qdrant_status
            )
        finally:
            stop_server(server)
        assert fresh.piped("vectors", "move", "pgvector", **qdrant_env).code == 0
        assert qdrant.count() == 2
        finished = fresh.piped("vectors", "move", "pgvector", "--finish", **qdrant_env)
        assert (finished.code, qdrant.count()) == (0, 0), finished
        assert qdrant.violations == []
