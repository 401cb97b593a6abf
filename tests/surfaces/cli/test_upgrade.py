"""An upgrade says before what it changes, and a newer store is left alone."""

import asyncio
import json
from pathlib import Path

import asyncpg
import pytest

from remem.adapters.database.dump import PostgresDump
from remem.bootstrap import open_backup_ports
from remem.migrations.apply import migrations
from remem.settings import load
from tests.surfaces.cli.running import Shell
from tests.surfaces.cli.test_older_backups import make_store

NEWEST = migrations()[-1]


async def older_store() -> None:
    async with open_backup_ports(load()) as ports:
        assert isinstance(ports.dump, PostgresDump)
        await make_store(ports.dump, NEWEST.version - 1)


async def make_newer() -> None:
    async with open_backup_ports(load()) as ports:
        assert isinstance(ports.dump, PostgresDump)
        connection = await asyncpg.connect(ports.dump.address)
        await connection.execute(
            "INSERT INTO schema_migrations (version, name, checksum) VALUES (9999, 'x', 'x')"
        )
        await connection.close()


@pytest.mark.usefixtures("database")
def test_an_upgrade_is_announced_and_backed_up(
    fresh: Shell, data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REMEM_DATA_DIR", str(data_dir))
    asyncio.run(older_store())
    for _ in range(2):
        changes = json.loads(fresh.piped("upgrade", "--check", "--json").out)["changes"]
        assert [change["schema"] for change in changes] == [NEWEST.version]
        assert len(changes[0]["about"]) > 10
    done = fresh.piped("upgrade")
    assert (done.code, "to return to the version before, restore" in done.out) == (0, True), done
    [backup] = (data_dir / "backups").glob("remem-*.tar.gz")
    assert str(backup) in done.out
    assert fresh.piped("upgrade", "--check").out == "The store is up to date.\n"
    asyncio.run(make_newer())
    for words in (["upgrade", "--check"], ["recall", "ferry"], ["serve", "--port", "0"]):
        refused = fresh.piped(*words)
        assert refused.code == 1 and refused.err.count("\n") == 1, refused
        assert "written by a newer remem (schema 9999" in refused.err
