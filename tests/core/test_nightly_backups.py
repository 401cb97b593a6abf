"""Backups are made at night by themselves, checked, and missed when they fail for three days."""

from dataclasses import replace
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest
import time_machine

from remem.adapters.database.dump import PostgresDump
from remem.adapters.database.embedded.cluster import SUPERUSER
from remem.bootstrap import open_backup_ports, open_scratch_ports
from remem.core.backup.make import back_up
from remem.core.backup.nightly import KEPT, make_nightly, new_file, nightly_files, prepare_folder
from remem.core.backup.restore import restore_backup
from remem.core.backup.status import OVERDUE_AFTER, backup_status
from remem.core.documents.ingest import ingest
from remem.core.documents.model import Draft
from remem.core.errors import Unavailable
from remem.core.evolution.clock.slots import BACKUP
from remem.core.evolution.clock.tick import tick
from remem.core.ports import Original, Ports
from remem.core.scope import Bound, Scope
from remem.core.time import now
from remem.settings import Settings
from remem.surfaces.worker.clock import BACKUP_LEASE, _back_up
from tests.conftest import Server
from tests.core.memories import save
from tests.tools.external import store_settings

pytestmark = pytest.mark.anyio


@pytest.fixture
def settings(server: Server) -> Settings:
    """Of a login that sees the rows of all tenants, which a backup needs."""
    return Settings(**store_settings(server.data_dir, SUPERUSER))


@pytest.fixture
async def clean(ports: Ports) -> None:
    async with ports.db.transaction(Bound()) as tx:
        await tx.execute("DELETE FROM backups")
        await tx.execute("DELETE FROM schedules WHERE name = 'backup'")


@pytest.mark.usefixtures("clean")
async def test_one_is_made_each_night_and_seven_are_kept(
    ports: Ports, settings: Settings, tmp_path: Path
) -> None:
    folder = tmp_path / "Sicherungen für Jürgen"
    for day in range(KEPT + 1):
        prepare_folder(folder, 0)
        new_file(folder, now() - timedelta(days=day + 1)).write_bytes(b"an older one")
    async with open_backup_ports(settings) as backup_ports:
        back_up = partial(make_nightly, ports.db, backup_ports, folder, 0)
        with_backups = replace(ports, back_up=back_up)
        run = partial(tick, with_backups, BACKUP, _back_up, lease=BACKUP_LEASE)
        assert not await run(moment=now()), "a new store has nothing to lose yet"
        tomorrow = now() + timedelta(days=1)
        assert await run(moment=tomorrow)
        assert not await run(moment=tomorrow), "once a night"
        status = await backup_status(with_backups)
    files = nightly_files(folder)
    assert len(files) == KEPT and files[-1].stat().st_size == status.bytes
    assert status.last_at and not status.error and not status.is_overdue
    assert [path for path in folder.iterdir() if path not in files] == []


@pytest.mark.usefixtures("clean")
async def test_a_failure_is_told_at_once_and_overdue_after_three_days(
    ports: Ports, settings: Settings, tmp_path: Path
) -> None:
    folder = tmp_path / "backups"
    async with open_backup_ports(settings) as backup_ports:
        full = partial(make_nightly, ports.db, backup_ports, folder, 10**18)
        with pytest.raises(Unavailable, match="too little room for a backup"):
            await full()
        with_backups = replace(ports, back_up=full)
        status = await backup_status(with_backups)
        assert status.error and "set REMEM_BACKUPS" in status.error
        assert not status.is_overdue
        with time_machine.travel(now() + OVERDUE_AFTER + timedelta(hours=1), tick=True):
            assert (await backup_status(with_backups)).is_overdue
            await make_nightly(ports.db, backup_ports, folder, 0)
            status = await backup_status(with_backups)
            assert not status.is_overdue and status.error is None


async def test_what_a_killed_backup_left_is_removed(tmp_path: Path) -> None:
    file = new_file(tmp_path, now())
    partial_file, working = file.with_name(f"{file.name}.part"), file.with_name(f"{file.name}.x1")
    partial_file.touch()
    working.mkdir()
    prepare_folder(tmp_path, 0)
    assert partial_file.exists(), "another process may be writing it"
    with time_machine.travel(now() + timedelta(days=2)):
        prepare_folder(tmp_path, 0)
    assert list(tmp_path.iterdir()) == []


def test_where_backups_go(tmp_path: Path) -> None:
    assert Settings(data_dir=tmp_path).backups_folder == tmp_path / "backups"
    assert Settings(data_dir=tmp_path, backups="off").backups_folder is None
    elsewhere = Settings(data_dir=tmp_path, backups=str(tmp_path / "disk"))
    assert elsewhere.backups_folder == tmp_path / "disk"
    assert Settings(database_url="postgresql://h/d").backups_folder is None  # pyrefly: ignore


async def test_a_backup_counts_what_it_has_while_others_save(
    ports: Ports, scope: Scope, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A memory and a document with a file are saved before and after the rows are written."""
    dump = PostgresDump._run

    async def save_meanwhile(self: PostgresDump, *arguments: str) -> None:
        for moment in ("before", "after"):
            await save(ports, scope, f"The {moment} gate is painted green.")
            note = tmp_path / f"{moment}.md"
            note.write_text(f"The {moment} lane closes at nine.")
            await ingest(ports, scope, Draft(original=Original(note, note.name)))
            if moment == "before":
                await dump(self, *arguments)

    monkeypatch.setattr(PostgresDump, "_run", save_meanwhile)
    async with open_backup_ports(settings) as backup_ports:
        report = await back_up(backup_ports, tmp_path / "all.tar.gz", lambda *_: None)
    monkeypatch.undo()
    async with open_scratch_ports(tmp_path / "scratch") as scratch:
        restored = await restore_backup(scratch, tmp_path / "all.tar.gz", False, lambda *_: None)
    assert report.counts == restored.counts
    assert report.manifest == restored.manifest
