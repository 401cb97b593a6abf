"""The contract of blob stores, tested for every adapter; then tests of single adapters.

S3 is tested twice: with a real server (`rclone serve s3`), and with a small fake one on loopback
that can be made to fail. The fake implements the part of the protocol that obstore uses (whole and
multipart uploads, reads, bulk deletes)."""

import asyncio
import os
import re
import socket
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import obstore
import pytest
from obstore.exceptions import GenericError

from remem.adapters.blobs import ADAPTERS
from remem.adapters.blobs.folder import FolderBlobs
from remem.adapters.blobs.s3 import S3Blobs
from remem.core.errors import CannotStart, Invalid, NotFound, Unavailable
from remem.core.ports import Blobs
from tests.tools import rclone as rclone_tool
from tests.tools.rclone import RcloneServer, rclone_server
from tests.tools.s3 import Bucket, s3_bucket

pytestmark = pytest.mark.anyio

KEY = "0198c2aa-tenant/0198c2bb-document"
# More than one part of a multipart upload, and not a whole number of chunks.
LARGE = os.urandom(1_000) * 6_001
SECRET = "secret-that-must-not-be-told"


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[Bucket]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with s3_bucket() as state:
        yield state


@pytest.fixture(scope="module")
def rclone_process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RcloneServer]:
    with rclone_server(tmp_path_factory.mktemp("rclone")) as server:
        yield server


@pytest.fixture
def rclone(rclone_process: RcloneServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[RcloneServer]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    yield rclone_process
    for path in rclone_process.files():
        path.unlink()


def rclone_blobs(server: RcloneServer, secret: str = rclone_tool.SECRET) -> S3Blobs:
    return S3Blobs(
        rclone_tool.BUCKET,
        endpoint=server.url,
        region="us-east-1",
        access_key_id=rclone_tool.KEY_ID,
        secret_access_key=secret,
        first_wait_s=0.001,
    )


def fake_s3_blobs(url: str) -> S3Blobs:
    return S3Blobs(
        "originals",
        endpoint=url,
        access_key_id="id",
        secret_access_key=SECRET,
        first_wait_s=0.001,
    )


@pytest.fixture(params=[*ADAPTERS, "s3 by rclone"])
async def blobs(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Blobs]:
    if request.param == "folder":
        store: Blobs = FolderBlobs(tmp_path / "store")
    elif request.param == "s3":
        store = fake_s3_blobs(request.getfixturevalue("bucket").url)
    else:
        store = rclone_blobs(request.getfixturevalue("rclone"))
    yield store
    await store.close()


@pytest.fixture
def folder(tmp_path: Path) -> FolderBlobs:
    return FolderBlobs(tmp_path / "store")


@pytest.fixture
def original(tmp_path: Path) -> Path:
    path = tmp_path / "original.bin"
    path.write_bytes(b"first")
    return path


async def read_blob(blobs: Blobs, key: str) -> bytes:
    return b"".join([chunk async for chunk in await blobs.open(key)])


# --- every store ---


@pytest.mark.parametrize("content", [b"", b"\x00\xff\r\n", LARGE], ids=["empty", "odd", "large"])
async def test_bytes_are_read_unchanged(blobs: Blobs, original: Path, content: bytes) -> None:
    original.write_bytes(content)
    await blobs.put(KEY, original)
    assert await read_blob(blobs, KEY) == content
    assert original.read_bytes() == content


async def test_a_large_original_is_read_in_parts(blobs: Blobs, original: Path) -> None:
    original.write_bytes(LARGE)
    await blobs.put(KEY, original)
    sizes = [len(chunk) async for chunk in await blobs.open(KEY)]
    assert len(sizes) > 2
    assert max(sizes) < len(LARGE) / 2


async def test_the_same_key_replaces(blobs: Blobs, original: Path) -> None:
    await blobs.put(KEY, original)
    original.write_bytes(b"second")
    await blobs.put(KEY, original)
    assert await read_blob(blobs, KEY) == b"second"


async def test_keys_do_not_touch_each_other(blobs: Blobs, original: Path) -> None:
    keys = ["a/a", "a/b", "a-b", "b/a", "a/c/d"]
    for key in keys:
        original.write_text(key)
        await blobs.put(key, original)
    assert [await read_blob(blobs, key) for key in keys] == [key.encode() for key in keys]
    await blobs.delete("a/b")
    assert await read_blob(blobs, "a/c/d") == b"a/c/d"
    assert await read_blob(blobs, "a/a") == b"a/a"


async def test_a_key_may_be_the_beginning_of_another(
    blobs: Blobs, original: Path, request: pytest.FixtureRequest
) -> None:
    """Our keys never are. rclone is left out: its objects are files, so it cannot store both."""
    if "rclone" in request.node.name:
        return
    for key in ("a", "a/b"):
        original.write_text(key)
        await blobs.put(key, original)
    await blobs.delete("a/b")
    assert await read_blob(blobs, "a") == b"a"


async def test_deleting_removes_and_may_be_repeated(blobs: Blobs, original: Path) -> None:
    await blobs.put(KEY, original)
    await blobs.delete(KEY)
    with pytest.raises(NotFound):
        await blobs.open(KEY)
    await blobs.delete(KEY)
    await blobs.delete("never/there")


async def test_an_unknown_key_is_not_found(blobs: Blobs) -> None:
    with pytest.raises(NotFound):
        await blobs.open("never/there")


@pytest.mark.parametrize(
    "key",
    [
        *"/ .. ../a a/../b a/./b /a a/ a//b A a_b a\\b é %2e%2e/a incoming/../a a.b".split(),
        *("", "a b", "a\n", "a\x00", "a" * 201),
    ],
)
async def test_an_invalid_key_is_refused(blobs: Blobs, original: Path, key: str) -> None:
    for attempt in (blobs.put(key, original), blobs.open(key), blobs.delete(key)):
        with pytest.raises(Invalid):
            await attempt


async def test_a_missing_original_cannot_be_stored(blobs: Blobs, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        await blobs.put(KEY, tmp_path / "absent")
    with pytest.raises(NotFound):
        await blobs.open(KEY)


async def test_concurrent_writes_leave_one_complete_original(blobs: Blobs, tmp_path: Path) -> None:
    sources = [tmp_path / f"{number}.bin" for number in range(20)]
    for number, source in enumerate(sources):
        source.write_bytes(bytes([number]) * 300_000)
    await asyncio.gather(*(blobs.put(KEY, source) for source in sources))
    content = await read_blob(blobs, KEY)
    assert len(content) == 300_000
    assert len(set(content)) == 1


# --- the folder ---


def files_in(root: Path) -> list[Path]:
    return sorted(path for path in root.rglob("*") if path.is_file())


async def test_files_are_private(folder: FolderBlobs, original: Path, tmp_path: Path) -> None:
    old_umask = os.umask(0)
    try:
        await folder.put(KEY, original)
    finally:
        os.umask(old_umask)
    root = tmp_path / "store"
    [stored] = files_in(root)
    assert stored.stat().st_mode & 0o777 == 0o600
    folders = [root, *(path for path in root.rglob("*") if path.is_dir())]
    assert {path.stat().st_mode & 0o777 for path in folders} == {0o700}


async def test_files_are_spread_over_folders(
    folder: FolderBlobs, original: Path, tmp_path: Path
) -> None:
    for number in range(64):
        await folder.put(f"0198c2aa-0000-7000-8000-0000000000{number:02}", original)
    assert len({path.parent for path in files_in(tmp_path / "store")}) > 32


async def test_a_failed_write_leaves_the_old_original(
    folder: FolderBlobs, original: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await folder.put(KEY, original)

    def fail_halfway(source: object, target: object, length: int) -> None:
        target.write(b"half")  # type: ignore[attr-defined]
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("remem.adapters.blobs.folder.shutil.copyfileobj", fail_halfway)
    original.write_bytes(b"second")
    with pytest.raises(Unavailable, match="No space left"):
        await folder.put(KEY, original)
    assert await read_blob(folder, KEY) == b"first"
    assert len(files_in(tmp_path / "store")) == 1


async def test_a_file_is_synced_before_it_is_renamed(
    folder: FolderBlobs, original: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[str] = []
    fsync, replace = os.fsync, Path.replace

    def note_sync(handle: int) -> None:
        steps.append("sync")
        fsync(handle)

    def note_rename(self: Path, target: Path) -> Path:
        steps.append("name")
        return replace(self, target)

    monkeypatch.setattr("remem.adapters.blobs.folder.os.fsync", note_sync)
    monkeypatch.setattr(Path, "replace", note_rename)
    await folder.put(KEY, original)
    assert steps == ["sync", "name", "sync"]


async def test_files_left_by_a_killed_process_are_removed(original: Path, tmp_path: Path) -> None:
    incoming = tmp_path / "store" / "incoming"
    incoming.mkdir(parents=True)
    old, young = incoming / "old", incoming / "young"
    for path in (old, young):
        path.write_bytes(b"half")
    os.utime(old, (time.time() - 100_000,) * 2)
    await FolderBlobs(tmp_path / "store").put(KEY, original)
    assert (old.exists(), young.exists()) == (False, True)


async def test_a_reader_can_finish_after_a_delete(folder: FolderBlobs, original: Path) -> None:
    original.write_bytes(LARGE)
    await folder.put(KEY, original)
    reading = await folder.open(KEY)
    await folder.delete(KEY)
    assert b"".join([chunk async for chunk in reading]) == LARGE


async def test_a_slow_disk_does_not_block_the_event_loop(
    folder: FolderBlobs, original: Path, tmp_path: Path
) -> None:
    """A pipe replaces the file: opening it blocks until something is written."""
    await folder.put(KEY, original)
    [stored] = files_in(tmp_path / "store")
    stored.unlink()
    os.mkfifo(stored)
    reading = asyncio.create_task(read_blob(folder, KEY))
    for _ in range(20):
        await asyncio.sleep(0)
    assert not reading.done()
    await asyncio.to_thread(stored.write_bytes, b"at last")
    assert await reading == b"at last"


# --- S3 ---


async def test_a_real_server_refuses_a_wrong_secret(rclone: RcloneServer, original: Path) -> None:
    with pytest.raises(Unavailable, match="refused our key"):
        await rclone_blobs(rclone, secret="another secret").put(KEY, original)
    assert rclone.files() == []


async def test_a_real_server_that_was_unavailable_loses_nothing(
    rclone: RcloneServer, original: Path
) -> None:
    blobs = rclone_blobs(rclone)
    await blobs.put(KEY, original)
    rclone.stop()
    try:
        for attempt in (blobs.put(KEY, original), blobs.open(KEY)):
            with pytest.raises(Unavailable):
                await attempt
    finally:
        rclone.start()
    assert await read_blob(blobs, KEY) == b"first"


async def test_a_large_original_is_uploaded_in_parts(bucket: Bucket, original: Path) -> None:
    original.write_bytes(LARGE)
    await fake_s3_blobs(bucket.url).put(KEY, original)
    assert len(bucket.parts) == 2
    assert bucket.objects == {KEY: LARGE}


async def test_a_temporary_failure_is_retried(bucket: Bucket, original: Path) -> None:
    blobs = fake_s3_blobs(bucket.url)
    await blobs.put(KEY, original)
    bucket.status = 503
    reading = asyncio.create_task(read_blob(blobs, KEY))
    while len(bucket.requests) < 2:
        await asyncio.sleep(0)
    bucket.status = 200
    assert await reading == b"first"


@pytest.mark.parametrize(("status", "tries"), [(500, 5), (503, 5), (400, 1)])
async def test_a_permanent_failure_is_reported(
    bucket: Bucket, original: Path, status: int, tries: int
) -> None:
    bucket.status = status
    with pytest.raises(Unavailable, match="cannot answer now"):
        await fake_s3_blobs(bucket.url).put(KEY, original)
    assert len(bucket.requests) == tries


@pytest.mark.parametrize("status", [401, 403])
async def test_a_refused_key_is_reported_without_the_key(bucket: Bucket, status: int) -> None:
    bucket.status = status
    with pytest.raises(Unavailable, match="refused our key") as caught:
        await fake_s3_blobs(bucket.url).open(KEY)
    assert SECRET not in str(caught.value)
    assert caught.value.code == "blobs_key_refused"


async def test_an_unreachable_store_is_reported(original: Path) -> None:
    with pytest.raises(Unavailable):
        await fake_s3_blobs("http://127.0.0.1:9").put(KEY, original)


async def test_a_refused_connection_is_tried_twice(
    original: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The number of attempts is in the error message of obstore."""
    retries: list[str] = []
    for name in ("put_async", "get_async", "delete_async"):

        async def counted(*arguments: Any, call: Any = getattr(obstore, name)) -> None:
            try:
                await call(*arguments)
            except GenericError as error:
                retries.extend(re.findall(r" retries: (\d+),", str(error)))
                raise

        monkeypatch.setattr(obstore, name, counted)
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        blobs = fake_s3_blobs(f"http://127.0.0.1:{unused.getsockname()[1]}")
        for attempt in (blobs.put(KEY, original), blobs.open(KEY), blobs.delete(KEY)):
            with pytest.raises(Unavailable, match="cannot answer now"):
                await attempt
    assert retries == ["1", "1", "1"]


@pytest.mark.parametrize(
    ("bucket", "endpoint"), [("", None), ("a/b", None), ("a b", None), ("ours", "s3.example.org")]
)
def test_invalid_settings_are_refused(bucket: str, endpoint: str | None) -> None:
    with pytest.raises(CannotStart):
        S3Blobs(bucket, endpoint=endpoint)
