"""A restored backup runs nothing, whatever somebody wrote into it."""

import asyncio
import gzip
import hashlib
import io
import json
import tarfile
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

import pytest

from remem.adapters.database.dump_file import read_dump
from remem.bootstrap import open_backup_ports
from remem.core.backup.archive import ORIGINALS, verify
from remem.core.backup.model import read_manifest
from remem.core.backup.restore import restore_backup
from remem.core.errors import Invalid, RememError
from remem.settings import load
from tests.surfaces.cli.changed_backups import (
    MANIFEST,
    SQL,
    SUMS,
    attacks,
    changed,
    pack,
    read,
    with_line,
)
from tests.surfaces.cli.running import Shell

SEED, COUNT, LOADED = 36, 200, 8


@pytest.mark.usefixtures("database")
def test_a_changed_backup_runs_nothing(
    fresh: Shell, data_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, mark, bad = (tmp_path / name for name in ("all.tar.gz", "mark", "bad.tar.gz"))
    note = tmp_path / "note.txt"
    note.write_text("The ferry leaves at seven.")
    assert fresh.piped("save", str(note)).code == 0
    assert fresh.piped("memories", "add", "The ferry is blue.").code == 0
    assert fresh.piped("backup", str(file)).code == 0
    before = fresh.piped("export", "-").out.splitlines()[1:]
    members = read(file)
    del members[SUMS]
    for line in (f"\\! touch {mark}", f"COPY (SELECT 1) TO PROGRAM 'touch {mark}';"):
        bad.write_bytes(pack(with_line(members, line)))
        refused = fresh.piped("restore", str(bad), "--force", "--yes")
        assert not mark.exists(), line
        assert (refused.code, refused.err.count("\n")) == (1, 1), refused
        assert "nothing was changed" in refused.err, refused
    monkeypatch.setenv("REMEM_DATA_DIR", str(data_dir))
    asyncio.run(refuse_every_attack(members, mark, bad))
    read_changed(members, mark, tmp_path)
    asyncio.run(load_changed(members, mark, bad))
    asyncio.run(refuse_changed_originals(members, bad))
    others = {f"{ORIGINALS}{name}": b"of no row" for name in ("x/y", "../../x", "a\x1b", "ü" * 300)}
    bad.write_bytes(pack({**members, **others}))
    assert fresh.piped("restore", str(bad), "--force", "--yes").code == 0
    assert fresh.piped("export", "-").out.splitlines()[1:] == before
    stored = [path for path in (data_dir / "blobs").rglob("*") if path.is_file()]
    assert [path.read_bytes() for path in stored] == [note.read_bytes()]


async def refuse_every_attack(members: dict[str, bytes], mark: Path, file: Path) -> None:
    async with open_backup_ports(load()) as ports:
        for line in attacks(mark):
            file.write_bytes(pack(with_line(members, line)))
            with pytest.raises(RememError, match="no backup of remem has"):
                await restore_backup(ports, file, True, lambda *_: None)
            assert not mark.exists(), line


def read_changed(members: dict[str, bytes], mark: Path, folder: Path) -> None:
    """Everything that is checked before the database is asked."""
    file, rows, refused = folder / "changed", folder / "rows", 0
    for data in islice(changed(members, mark, SEED), COUNT):
        file.write_bytes(data)
        with refusal() as refusals:
            read_manifest(verify(file, rows)[0])
            read_dump(rows)
        refused += len(refusals)
    assert refused > COUNT / 2


async def load_changed(members: dict[str, bytes], mark: Path, file: Path) -> None:
    async with open_backup_ports(load()) as ports:
        for data in islice(changed(members, mark, SEED + 1), LOADED):
            file.write_bytes(data)
            with refusal():
                await restore_backup(ports, file, True, lambda *_: None)
            assert not mark.exists()


async def refuse_changed_originals(members: dict[str, bytes], file: Path) -> None:
    """Whatever is refused leaves the originals as they are."""
    (name,) = (name for name in members if name.startswith(ORIGINALS))
    key = name.removeprefix(ORIGINALS)
    row = next(line for line in members[SQL].splitlines() if key.encode() in line)
    twice = members[SQL].replace(row, row + b"\n" + row)
    elsewhere = members[SQL].replace(key.encode(), b"../../owner.key")
    manifest = json.loads(members[MANIFEST])
    changes = [
        {SQL: twice, name: b"changed"},
        {SQL: members[SQL].replace(key.encode(), f"{key[:-1]}_".encode()), name: b"changed"},
        {SQL: elsewhere},
        {SQL: members[SQL].replace(key.encode(), b"a" * 300)},
        {MANIFEST: json.dumps({**manifest, "made_at": "\ud800"}).encode()},
        {MANIFEST: json.dumps({**manifest, "originals": -5}).encode()},
    ]
    async with open_backup_ports(load()) as ports:
        for change in changes:
            file.write_bytes(pack({**members, **change}))
            with pytest.raises(RememError) as refused:
                await restore_backup(ports, file, True, lambda *_: None)
            assert len(refused.value.message) < 500
            assert "\n" not in refused.value.message
            assert b"".join([part async for part in await ports.blobs.open(key)]) == members[name]


@contextmanager
def refusal() -> Iterator[list[RememError]]:
    """Collect the one error that a file may end in."""
    refusals: list[RememError] = []
    try:
        yield refusals
    except RememError as error:
        assert "\n" not in error.message
        refusals.append(error)


def header(name: bytes, type: bytes, size: int) -> bytes:
    entry = tarfile.TarInfo(name.decode())
    entry.type, entry.size = type, size
    return entry.tobuf(tarfile.GNU_FORMAT)


ZEROS = bytes(1 << 20)
LONG = 48
SPARSE = b"22 GNU.sparse.major=1\n22 GNU.sparse.minor=0\n29 GNU.sparse.realsize=1000\n"
LISTS = b"[" + b"[]," * (LONG << 16) + b"[]]"
LARGE_ARCHIVES = {
    "values": [header(b"x", tarfile.XHDTYPE, LONG << 20), *[ZEROS] * LONG],
    "values-of-all": [header(b"x", tarfile.XGLTYPE, LONG << 20), *[ZEROS] * LONG],
    "name": [header(b"x", tarfile.GNUTYPE_LONGNAME, LONG << 20), *[ZEROS] * LONG],
    "target": [header(b"x", tarfile.GNUTYPE_LONGLINK, LONG << 20), *[ZEROS] * LONG],
    "sparse": [
        header(b"x", tarfile.XHDTYPE, len(SPARSE)),
        SPARSE.ljust(512, b"\0"),
        header(b"x", tarfile.REGTYPE, 1 << 40),
        b"9999999999\n" + b"1\n" * (LONG << 16),
    ],
    "sums": [header(SUMS.encode(), tarfile.REGTYPE, len(LISTS)), LISTS],
    "manifest": [header(MANIFEST.encode(), tarfile.REGTYPE, len(LISTS)), LISTS],
    "negative": [header(b"x", tarfile.REGTYPE, -512), *[ZEROS] * 2],
    "endless": [header(b"x", tarfile.REGTYPE, 1 << 60), *[ZEROS] * LONG],
}


@pytest.mark.parametrize("archive", LARGE_ARCHIVES.values(), ids=LARGE_ARCHIVES)
def test_little_of_an_archive_is_in_memory(archive: list[bytes], tmp_path: Path) -> None:
    file = tmp_path / "large.tar.gz"
    with gzip.open(file, "wb", 1) as packed:
        packed.writelines(archive)
    tracemalloc.start()
    try:
        with pytest.raises(Invalid):
            verify(file, tmp_path / "rows")
        assert tracemalloc.get_traced_memory()[1] < 16 << 20
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("format", [tarfile.PAX_FORMAT, tarfile.GNU_FORMAT, tarfile.USTAR_FORMAT])
def test_an_archive_may_be_packed_again(format: int, tmp_path: Path) -> None:
    file, rows = tmp_path / "again.tar.gz", tmp_path / "rows"
    key = f"{ORIGINALS}{'a' * 60}/{'b' * 90}"
    members = {SQL: b"-- rows\n", MANIFEST: b"{}", key: b"text" * 1_000}
    sums = {name: hashlib.sha256(text).hexdigest() for name, text in members.items()}
    with tarfile.open(file, "w:gz", format=format) as tar:
        folder = tarfile.TarInfo("originals")
        folder.type = tarfile.DIRTYPE
        tar.addfile(folder)
        for name, text in {**members, SUMS: json.dumps(sums).encode()}.items():
            entry = tarfile.TarInfo(name)
            entry.size, entry.mtime = len(text), 1.5
            tar.addfile(entry, io.BytesIO(text))
    manifest, originals = verify(file, rows)
    assert (manifest, list(originals)) == ({}, [key.removeprefix(ORIGINALS)])
    assert rows.read_bytes() == members[SQL]
