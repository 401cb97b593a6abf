"""The same commands on a PostgreSQL that somebody else runs; a whole store from one to another."""

import json
from pathlib import Path

import pytest

from remem.adapters.database.access import APP_ROLE
from remem.adapters.database.embedded.cluster import SUPERUSER
from tests.conftest import Server
from tests.core.scratch import connected, scratch_database, url
from tests.surfaces.cli.running import Shell

pytestmark = pytest.mark.anyio


async def test_a_store_moves_from_one_server_to_another(
    server: Server, tmp_path: Path, data_dir: Path
) -> None:
    async with scratch_database(server, vector=False) as one, scratch_database(server) as other:
        here, there = (
            Shell(tmp_path, {"REMEM_DATABASE_URL": address, "REMEM_DATA_DIR": str(data_dir / name)})
            for name, address in (
                ("here", url(server, one, SUPERUSER)),
                ("there", url(server, other, SUPERUSER)),
            )
        )
        note = tmp_path / "note.txt"
        note.write_text("The ferry leaves at seven.")
        assert here.piped("save", str(note)).code == 0
        assert here.piped("memories", "add", "The ferry is blue.").code == 0
        assert "leaves at seven" in here.piped("recall", "when does the boat go?").out
        async with connected(server, one, SUPERUSER) as looking:
            owner = "SELECT tableowner FROM pg_tables WHERE tablename = 'documents'"
            assert await looking.fetchval(owner) == APP_ROLE
        file = tmp_path / "all.tar.gz"
        made = here.piped("backup", str(file))
        assert made.code == 0, made
        back = there.piped("restore", str(file))
        assert back.code == 0, back
        assert not (data_dir / "there" / "postgres").exists()
        assert exported(there, owner_key(data_dir / "here")) == exported(here)
        async with connected(server, other, SUPERUSER) as looking:
            assert await looking.fetchval(owner) == APP_ROLE
        full = there.piped("restore", str(file))
        assert (full.code, "--force" in full.err) == (1, True), full


def owner_key(folder: Path) -> str:
    """Elsewhere a lost key is not made anew: who has a database's address is not its owner."""
    return (folder / "owner.key").read_text().strip()


def exported(shell: Shell, key: str = "") -> list[str]:
    chosen = ("--key", key) if key else ()
    ran = shell.piped("export", "-", "--vectors", *chosen)
    assert ran.code == 0, ran
    return [line for line in ran.out.splitlines() if json.loads(line)["kind"] != "header"]
