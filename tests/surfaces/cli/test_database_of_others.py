"""The same commands on an external PostgreSQL, and moving a whole store to another one."""

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
    async with scratch_database(server, vector=False) as source, scratch_database(server) as target:
        source_shell, target_shell = (
            Shell(tmp_path, {"REMEM_DATABASE_URL": address, "REMEM_DATA_DIR": str(data_dir / name)})
            for name, address in (
                ("here", url(server, source, SUPERUSER)),
                ("there", url(server, target, SUPERUSER)),
            )
        )
        note = tmp_path / "note.txt"
        note.write_text("The ferry leaves at seven.")
        assert source_shell.piped("save", str(note)).code == 0
        assert source_shell.piped("memories", "add", "The ferry is blue.").code == 0
        assert "leaves at seven" in source_shell.piped("recall", "when does the boat go?").out
        async with connected(server, source, SUPERUSER) as connection:
            owner = "SELECT tableowner FROM pg_tables WHERE tablename = 'documents'"
            assert await connection.fetchval(owner) == APP_ROLE
        file = tmp_path / "all.tar.gz"
        backup = source_shell.piped("backup", str(file))
        assert backup.code == 0, backup
        restore = target_shell.piped("restore", str(file))
        assert restore.code == 0, restore
        assert not (data_dir / "there" / "postgres").exists()
        assert exported(target_shell, owner_key(data_dir / "here")) == exported(source_shell)
        async with connected(server, target, SUPERUSER) as connection:
            assert await connection.fetchval(owner) == APP_ROLE
        not_empty = target_shell.piped("restore", str(file))
        assert (not_empty.code, "--force" in not_empty.err) == (1, True), not_empty


def owner_key(folder: Path) -> str:
    """The owner's key: with an external database, a lost key is not created again."""
    return (folder / "owner.key").read_text().strip()


def exported(shell: Shell, key: str = "") -> list[str]:
    options = ("--key", key) if key else ()
    result = shell.piped("export", "-", "--vectors", *options)
    assert result.code == 0, result
    return [line for line in result.out.splitlines() if json.loads(line)["kind"] != "header"]
