"""The embedded PostgreSQL on real servers: shared, killed, interrupted, refused."""

import asyncio
import fcntl
import gc
import os
import shutil
import signal
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import asyncpg
import pytest
import structlog
from structlog.testing import LogCapture

import remem
from remem.adapters.database.embedded import EmbeddedPostgres, binaries, cluster, waiting
from remem.adapters.database.embedded.account import new_account
from remem.adapters.database.embedded.binaries import (
    check_cpu,
    find_programs,
    portable_library,
)
from remem.adapters.database.embedded.failures import explain
from remem.adapters.database.embedded.folders import LOG_LIMIT_BYTES, check_space, open_log
from remem.adapters.database.embedded.postmaster import (
    memory_bytes,
    shared_buffers_mb,
    stored_bytes,
)
from remem.adapters.database.embedded.sockets import announced_folder
from remem.core.errors import CannotStart
from tests.tools.folders import new_folder

pytestmark = pytest.mark.anyio
needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another account")

OTHER_ACCOUNT = 65533
TIMEOUT_S = 120

DROP_RIGHTS = """
import os, socket, sys
account = int(sys.argv[1])
if os.geteuid() == 0 and account:
    os.setgroups([]); os.setgid(account); os.setuid(account)
"""

USER = f"""
import asyncio
from pathlib import Path
from remem.adapters.database.embedded import EmbeddedPostgres
from remem.core.errors import CannotStart
asyncio.run(asyncio.to_thread(int))  # what Python loads late may be out of reach later
{DROP_RIGHTS}
async def main():
    server = EmbeddedPostgres(Path(sys.argv[2]))
    try:
        print(await server.start(), flush=True)
    except CannotStart as error:
        print(error.message, flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    await server.stop()

asyncio.run(main())
"""

CONNECT = f"""{DROP_RIGHTS}
try:
    socket.socket(socket.AF_UNIX).connect(sys.argv[2])
    print("connected")
except PermissionError:
    print("refused")
"""


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def folder() -> Iterator[Path]:
    """A short path that every account may enter, so that tests control all other obstacles."""
    path = new_folder()
    yield path
    for pid_file in path.rglob("postmaster.pid"):
        with suppress(ProcessLookupError, ValueError, OSError):
            _end_server(int(pid_file.read_text().split()[0]))
    shutil.rmtree(path, ignore_errors=True)


@pytest.fixture
def data_dir(folder: Path) -> Path:
    return folder / "data"


@pytest.fixture(scope="module")
def template() -> Iterator[Path]:
    """A data folder whose server was started and stopped once."""
    path = new_folder()
    with run_script(USER, 0, path / "data") as user:
        user.communicate("\n")
    yield path / "data"
    shutil.rmtree(path)


@pytest.fixture
def prepared_dir(template: Path, data_dir: Path) -> Path:
    return copy_folder(template, data_dir)


def copy_folder(source: Path, target: Path) -> Path:
    subprocess.run(["cp", "-a", str(source), str(target)], check=True)
    return target


def _end_server(pid: int) -> None:
    if b"cluster_name=remem-" in Path(f"/proc/{pid}/cmdline").read_bytes():
        os.kill(pid, signal.SIGKILL)


@contextmanager
def run_script(script: str, account: int, path: Path) -> Iterator[subprocess.Popen[str]]:
    """Run a script in another process, which is killed at the end of the block."""
    environment = {**os.environ, "PYTHONPATH": str(Path(remem.__file__).parents[1])}
    with subprocess.Popen(
        [sys.executable, "-c", script, str(account), str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def copy_installation(target: Path, mode: str) -> Path:
    """Copy the PostgreSQL programs and their libraries, with the given permissions."""
    package = find_programs().parents[1]
    for name in (package.name, f"{package.name}.libs"):
        subprocess.run(["cp", "-r", package.with_name(name), target], check=True)
    subprocess.run(["chmod", "-R", mode, *target.iterdir()], check=True)
    return target / find_programs().relative_to(package.parent)


@contextmanager
def forked_child() -> Iterator[None]:
    """A fork of this process with all its open files, which lives as long as the block."""
    ready_reader, ready_writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(ready_writer, b".")
        signal.pause()
    try:
        os.read(ready_reader, 1)
        yield
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(ready_reader)
        os.close(ready_writer)


def unrelated_process(account: int) -> subprocess.Popen[bytes]:
    """Start a process that has nothing to do with any database."""
    return subprocess.Popen(["sleep", "600"], user=account if os.geteuid() == 0 else None)


async def read_line(process: subprocess.Popen[str]) -> str:
    assert process.stdout
    return (await asyncio.to_thread(process.stdout.readline)).strip()


async def let_exit(process: subprocess.Popen[str]) -> None:
    await asyncio.to_thread(process.communicate, "\n")


async def wait_until(condition: Callable[[], object]) -> None:
    await asyncio.to_thread(_poll, condition)


def _poll(condition: Callable[[], object]) -> None:
    deadline = time.monotonic() + TIMEOUT_S
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.005)


def postmaster(data_dir: Path) -> int:
    return int((data_dir / "postgres" / "postmaster.pid").read_text().split()[0])


def is_running(pid: int) -> bool:
    try:
        return b"postgres" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False


def account_of(pid: int) -> int:
    return Path(f"/proc/{pid}").stat().st_uid


def files_named(folder: Path, name: str) -> list[Path]:
    return list(folder.rglob(name))


def socket_dir(dsn: str) -> Path:
    return Path(parse_qs(urlsplit(dsn).query)["host"][0])


async def fetch_value(dsn: str, query: str) -> object:
    connection = await asyncpg.connect(dsn)
    try:
        return await connection.fetchval(query)
    finally:
        await connection.close()


async def test_the_first_start_creates_an_ordinary_role_and_a_database_with_vectors(
    data_dir: Path,
) -> None:
    server = EmbeddedPostgres(data_dir)
    dsn = await server.start()
    try:
        version = "select extversion from pg_extension where extname = 'vector'"
        assert await fetch_value(dsn, version) == "0.8.5"
        rights = "select rolsuper or rolbypassrls from pg_roles where rolname = current_user"
        assert await fetch_value(dsn, "select current_user::text") == "remem"
        assert await fetch_value(dsn, rights) is False
        assert await fetch_value(dsn, "show server_encoding") == "UTF8"
        assert await fetch_value(dsn, "select lower('ÄÖ')") == "äö"
        settings = "select string_agg(setting, ' ' order by name) from pg_settings where name in "
        assert (
            await fetch_value(dsn, settings + "('fsync', 'data_checksums', 'listen_addresses')")
            == "on on "
        )
        await fetch_value(dsn, "create schema mine")
        await fetch_value(dsn, "create table mine.rows (v halfvec(3))")
        await fetch_value(dsn, "create table public.rows (v vector(3))")
        # The vector library works on this machine.
        distance = await fetch_value(dsn, "select '[1,0]'::halfvec(2) <=> '[1,1]'::halfvec(2)")
        assert distance == pytest.approx(1 - 2**-0.5, abs=1e-3)
    finally:
        await server.stop()


async def test_a_restart_keeps_the_data(prepared_dir: Path) -> None:
    server = EmbeddedPostgres(prepared_dir)
    dsn = await server.start()
    await fetch_value(dsn, "create table kept as select 7 as n")
    first = postmaster(prepared_dir)
    await server.stop()
    assert not is_running(first)
    assert await fetch_value(await server.start(), "select n from kept") == 7
    await server.stop()
    await server.stop()


async def test_a_missing_extension_and_wrong_rights_are_repaired_at_the_start(
    prepared_dir: Path,
) -> None:
    server = EmbeddedPostgres(prepared_dir)
    dsn = await server.start()
    superuser = dsn.replace("remem@", "postgres@")
    await fetch_value(superuser, "drop extension vector")
    await fetch_value(superuser, "alter role remem superuser")
    await server.stop()
    try:
        dsn = await server.start()
        assert await fetch_value(dsn, "select '[1]'::vector::text") == "[1]"
        assert (
            await fetch_value(dsn, "select rolsuper from pg_roles where rolname = 'remem'") is False
        )
    finally:
        await server.stop()


async def test_two_processes_share_one_server_and_the_last_stops_it(
    prepared_dir: Path,
) -> None:
    with run_script(USER, 0, prepared_dir) as first, run_script(USER, 0, prepared_dir) as second:
        dsn = await read_line(first)
        assert await read_line(second) == dsn
        pid = postmaster(prepared_dir)
        await let_exit(first)
        assert await fetch_value(dsn, "select 1") == 1
        assert postmaster(prepared_dir) == pid
        await let_exit(second)
        assert not is_running(pid)


async def test_the_server_of_a_killed_process_is_taken_over(prepared_dir: Path) -> None:
    with run_script(USER, 0, prepared_dir) as user:
        assert (await read_line(user)).startswith("postgresql://")
        pid = postmaster(prepared_dir)
        user.kill()
        user.wait()
    assert is_running(pid)
    server = EmbeddedPostgres(prepared_dir)
    assert await fetch_value(await server.start(), "select 1") == 1
    assert postmaster(prepared_dir) == pid
    await server.stop()
    assert not is_running(pid)


async def test_a_forked_child_does_not_count_as_a_user(prepared_dir: Path) -> None:
    server = EmbeddedPostgres(prepared_dir)
    await server.start()
    pid = postmaster(prepared_dir)
    with forked_child():
        await server.stop()
        assert not is_running(pid)


def test_a_server_that_names_no_socket_folder_yet_has_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While it starts, that line of its file is empty; the working folder is not meant, even if it
    is as private as the folder of the socket."""
    account = new_account()
    opened = cluster.Cluster(tmp_path, find_programs(), account)
    opened.folder.mkdir(mode=0o700)
    os.chown(opened.folder, account.uid, account.gid)
    pid_file = opened.folder / "postmaster.pid"
    monkeypatch.chdir(opened.folder)
    for announced in ("", ".", str(opened.folder)):
        pid_file.write_text(f"4711\n{opened.folder}\n1700000000\n5432\n{announced}\n\n")
        expected = opened.folder if Path(announced).is_absolute() else None
        assert announced_folder(opened) == expected


async def test_a_killed_server_recovers_with_what_was_committed(prepared_dir: Path) -> None:
    first, second = EmbeddedPostgres(prepared_dir), EmbeddedPostgres(prepared_dir)
    dsn = await first.start()
    try:
        await fetch_value(dsn, "create table kept as select generate_series(1, 5000) as n")
        os.kill(postmaster(prepared_dir), signal.SIGKILL)
        assert await fetch_value(await second.start(), "select count(*) from kept") == 5000
    finally:
        await first.stop()
        await second.stop()


async def test_a_killed_server_is_revived_once_for_all_callers(prepared_dir: Path) -> None:
    server = EmbeddedPostgres(prepared_dir)
    dsn = await server.start()
    try:
        os.kill(killed := postmaster(prepared_dir), signal.SIGKILL)
        await asyncio.gather(*(server.revive() for _ in range(5)))
        assert await fetch_value(dsn, "select 1") == 1
        assert postmaster(prepared_dir) != killed
    finally:
        await asyncio.gather(server.revive(), server.stop())
    assert not is_running(killed)
    assert not (prepared_dir / "postgres" / "postmaster.pid").exists()


async def test_a_start_waits_for_orphans_of_a_killed_server(
    prepared_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(waiting, "FIRST_LOG_S", 0.0)
    # A separate logger: an earlier test may have set the log level for all others.
    logged = LogCapture()
    logger = structlog.wrap_logger(
        None, processors=[logged], wrapper_class=structlog.make_filtering_bound_logger(0)
    )
    monkeypatch.setattr(waiting, "log", logger)
    first, second = EmbeddedPostgres(prepared_dir), EmbeddedPostgres(prepared_dir)
    connection = await asyncpg.connect(await first.start())
    orphan = await connection.fetchval("select pg_backend_pid()")
    os.kill(orphan, signal.SIGSTOP)
    os.kill(postmaster(prepared_dir), signal.SIGKILL)
    start = asyncio.create_task(second.start())
    try:
        await wait_until(
            lambda: any(line["event"] == "database_orphans" for line in logged.entries)
        )
        assert not start.done()
    finally:
        os.kill(orphan, signal.SIGCONT)
    assert await fetch_value(await start, "select 1") == 1
    connection.terminate()
    await first.stop()
    await second.stop()


async def test_a_pid_file_that_names_an_unrelated_process_does_not_block(
    prepared_dir: Path,
) -> None:
    server = EmbeddedPostgres(prepared_dir)
    sockets = socket_dir(await server.start())
    await server.stop()
    cluster_dir = prepared_dir / "postgres"
    with unrelated_process(cluster_dir.stat().st_uid) as unrelated:
        pid_file = f"{unrelated.pid}\n{cluster_dir}\n1700000000\n5432\n{sockets}\n\n  1 1\nready\n"
        (cluster_dir / "postmaster.pid").write_text(pid_file)
        (sockets / ".s.PGSQL.5432.lock").write_text(pid_file)
        try:
            assert await fetch_value(await server.start(), "select 1") == 1
            assert unrelated.poll() is None
        finally:
            await server.stop()
            unrelated.kill()


async def test_an_interrupted_first_start_leaves_no_partial_cluster(data_dir: Path) -> None:
    with run_script(USER, 0, data_dir) as user:
        await wait_until(lambda: list(data_dir.glob("postgres.making-*/PG_VERSION")))
        user.kill()
        user.wait()
    assert not (data_dir / "postgres").exists()
    server = EmbeddedPostgres(data_dir)
    assert await fetch_value(await server.start(), "select 1") == 1
    await server.stop()


async def test_a_cancelled_start_releases_its_locks(data_dir: Path) -> None:
    start = asyncio.create_task(EmbeddedPostgres(data_dir).start())
    await wait_until(lambda: list(data_dir.glob("postgres.making-*")))
    start.cancel()
    with pytest.raises(asyncio.CancelledError):
        await start
    for name in ("start.lock", "users.lock"):
        with (data_dir / name).open("rb") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    assert not (data_dir / "postgres" / "postmaster.pid").exists()


@pytest.mark.parametrize(
    ("version", "fix"),
    [("99", "newer version.*upgrade remem"), ("12", "export.*import")],
)
async def test_a_folder_of_another_version_is_refused(
    data_dir: Path, version: str, fix: str
) -> None:
    (data_dir / "postgres").mkdir(parents=True)
    (data_dir / "postgres" / "PG_VERSION").write_text(f"{version}\n")
    with pytest.raises(CannotStart, match=fix):
        await EmbeddedPostgres(data_dir).start()


async def test_a_folder_that_is_not_a_database_is_refused_and_left_unchanged(
    data_dir: Path,
) -> None:
    (data_dir / "postgres").mkdir(parents=True)
    (data_dir / "postgres" / "letters.txt").write_text("dear")
    with pytest.raises(CannotStart, match="not a PostgreSQL database"):
        await EmbeddedPostgres(data_dir).start()
    assert (data_dir / "postgres" / "letters.txt").read_text() == "dear"


async def test_a_damaged_cluster_is_reported(prepared_dir: Path) -> None:
    (prepared_dir / "postgres" / "global" / "pg_control").write_bytes(b"\0" * 8192)
    with pytest.raises(CannotStart, match="damaged; restore"):
        await EmbeddedPostgres(prepared_dir).start()


async def test_a_long_path_has_its_socket_in_a_short_private_folder(
    folder: Path, template: Path
) -> None:
    parent = folder / ("long" * 20)
    parent.mkdir()
    data_dir = copy_folder(template, parent / ("path" * 20))
    server = EmbeddedPostgres(data_dir)
    sockets = socket_dir(dsn := await server.start())
    assert await fetch_value(dsn, "select 1") == 1
    assert data_dir not in sockets.parents
    assert stat.S_IMODE(sockets.stat().st_mode) == 0o700
    await server.stop()
    sockets.mkdir(mode=0o755)
    try:
        with pytest.raises(CannotStart, match="not private"):
            await server.start()
    finally:
        sockets.rmdir()


async def test_the_user_s_path_never_reaches_a_shell(folder: Path) -> None:
    data_dir = folder / 'a "b" $(touch oops), `c`'
    server = EmbeddedPostgres(data_dir)
    assert await fetch_value(await server.start(), "select 1") == 1
    await server.stop()
    assert not files_named(folder, "oops")


async def test_a_folder_that_may_not_be_written_is_named(folder: Path) -> None:
    read_only = folder / "closed"
    read_only.mkdir()
    read_only.chmod(0o555)
    for path in (read_only, read_only / "data"):
        with run_script(USER, OTHER_ACCOUNT, path) as user:
            output = await read_line(user)
        assert str(path) in output
        assert "REMEM_DATA_DIR" in output


@needs_root
async def test_an_ordinary_account_runs_its_own_server(folder: Path) -> None:
    os.chown(folder, 65534, 65534)
    with run_script(USER, 65534, folder / "data") as user:
        dsn = await read_line(user)
        assert await fetch_value(dsn, "select current_user::text") == "remem"
        assert (folder / "data" / "postgres").stat().st_uid == 65534
        await let_exit(user)


@needs_root
async def test_root_works_below_a_folder_that_only_root_may_enter(folder: Path) -> None:
    root_only = folder / "shut"
    root_only.mkdir(mode=0o700)
    server = EmbeddedPostgres(root_only / "data")
    assert await fetch_value(await server.start(), "select 1") == 1
    assert (
        account_of(postmaster(root_only / "data"))
        == (root_only / "data" / "postgres").stat().st_uid
        != 0
    )
    await server.stop()
    assert stat.S_IMODE(root_only.stat().st_mode) == 0o700
    assert root_only.stat().st_uid == 0


@needs_root
@pytest.mark.parametrize("mode", ["go+rX", "go="])
async def test_root_works_from_an_installation_that_only_root_may_enter(
    folder: Path, prepared_dir: Path, mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    root_only = folder / "shut"
    root_only.mkdir(mode=0o700)
    programs = copy_installation(root_only, mode)
    monkeypatch.setattr(cluster, "find_programs", lambda: programs)
    server = EmbeddedPostgres(prepared_dir)
    assert await fetch_value(await server.start(), "select '[1]'::vector::text") == "[1]"
    await server.stop()


@needs_root
async def test_another_account_cannot_connect(prepared_dir: Path) -> None:
    server = EmbeddedPostgres(prepared_dir)
    sockets = socket_dir(await server.start())
    try:
        for account, answer in (
            (sockets.stat().st_uid, "connected"),
            (OTHER_ACCOUNT, "refused"),
        ):
            with run_script(CONNECT, account, sockets / ".s.PGSQL.5432") as process:
                assert await read_line(process) == answer
    finally:
        await server.stop()


@pytest.mark.parametrize(
    ("line", "fix"),
    [
        (
            'FATAL:  could not write to file "pg_wal/xlogtemp.9": No space left on device',
            "free some",
        ),
        (
            'FATAL:  could not resize shared memory segment "/P": No space left on device',
            "shm-size",
        ),
        (
            "FATAL:  could not map anonymous shared memory: Cannot allocate memory",
            "memory",
        ),
        (
            "FATAL:  pre-existing shared memory block (key 5, ID 1) is still in use",
            "end the old",
        ),
        ('FATAL:  data directory "/d" has invalid permissions', "chmod 700"),
        ('FATAL:  could not open file "global/1260": Permission denied', "chown -R"),
        (
            'FATAL:  Unix-domain socket path "/long" is too long (maximum 107 bytes)',
            "shorter",
        ),
        ("FATAL:  could not create any Unix-domain sockets", "socket"),
        ("[Errno 37] No locks available", "no file locks.*REMEM_DATA_DIR"),
        (
            "DETAIL:  The cluster was initialized with CATALOG_VERSION_NO 1.",
            "another version",
        ),
        ("FATAL:  database files are incompatible with server", "damaged"),
        ("PANIC:  could not locate a valid checkpoint record at 0/1528", "damaged"),
        (
            "initdb: error: could not look up effective user ID 77: user does not exist",
            "passwd",
        ),
        (
            "FATAL:  something nobody has seen",
            "(?s)/data/postgres.log.*nobody has seen",
        ),
    ],
)
async def test_a_failed_start_names_the_fix(line: str, fix: str) -> None:
    log = f"LOG:  starting PostgreSQL 18.4\n{line}\nLOG:  database system is shut down\n"
    with pytest.raises(CannotStart, match=fix):
        raise explain(log, Path("/data"))


async def test_a_full_disk_is_refused_before_the_start(tmp_path: Path) -> None:
    with pytest.raises(CannotStart, match="REMEM_DATA_DIR"):
        check_space(tmp_path, 10**18)


async def test_a_processor_without_avx2_is_refused(tmp_path: Path) -> None:
    (tmp_path / "cpuinfo").write_text("processor : 0\nflags : fpu sse4_2 avx\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("platform.machine", lambda: "x86_64")
        with pytest.raises(
            CannotStart, match=r"AVX2.*apt install postgresql-17-pgvector.*REMEM_DATABASE_URL"
        ):
            check_cpu(tmp_path / "cpuinfo")


@pytest.mark.parametrize(
    ("machine", "features", "replaced"),
    [
        ("aarch64", "fp asimd asimddp", True),
        ("aarch64", "fp asimd sve sve2", False),
        ("x86_64", "fpu avx2", False),
    ],
)
async def test_arm_without_sve_gets_a_vector_library_that_it_can_run(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    machine: str,
    features: str,
    replaced: bool,
) -> None:
    (tmp_path / "models" / "pgvector-linux-aarch64").mkdir(parents=True)
    (tmp_path / "models" / "pgvector-linux-aarch64" / "vector.so").touch()
    (tmp_path / "cpuinfo").write_text(f"processor : 0\nFeatures : {features}\n")
    monkeypatch.setattr("platform.system", lambda: "Linux")
    monkeypatch.setattr("platform.machine", lambda: machine)
    monkeypatch.setattr(binaries, "MODELS", tmp_path / "models")
    assert bool(portable_library(tmp_path / "cpuinfo")) is replaced


async def test_the_log_is_cut_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "postgres.log"
    path.write_bytes(b"old\n" * LOG_LIMIT_BYTES + b"newest\n")
    os.close(open_log(path))
    assert path.stat().st_size < LOG_LIMIT_BYTES
    assert path.read_bytes().endswith(b"newest\n")


def test_shared_buffers_are_a_share_of_the_memory(tmp_path: Path) -> None:
    assert [shared_buffers_mb(gb << 30, 0) for gb in (0, 1, 8, 64)] == [128, 128, 512, 1_024]
    limit = tmp_path / "memory.max"
    limit.write_text("max\n")
    cgroup_v1_limit = tmp_path / "limit_in_bytes"
    machine_bytes = memory_bytes([limit, cgroup_v1_limit])
    assert machine_bytes == memory_bytes([tmp_path / "absent"]) > 0
    limit.write_text("1073741824\n")
    assert memory_bytes([limit, cgroup_v1_limit]) == min(machine_bytes, 1 << 30)
    cgroup_v1_limit.write_text("536870912\n")
    assert memory_bytes([limit, cgroup_v1_limit]) == min(machine_bytes, 1 << 29)


def test_shared_buffers_of_a_big_store_grow_to_a_quarter_of_the_memory(tmp_path: Path) -> None:
    sizes_mb = [shared_buffers_mb(8 << 30, mb << 20) for mb in (0, 300, 1_500, 9_000)]
    assert sizes_mb == [512, 512, 1_500, 2_048]
    assert stored_bytes(tmp_path) == 0
    (tmp_path / "base" / "5").mkdir(parents=True)
    for name in ("16384", "16384.1"):
        (tmp_path / "base" / "5" / name).write_bytes(b"x" * 8_192)
    assert stored_bytes(tmp_path) == 16_384


def test_ctrl_c_does_not_reach_the_programs_that_create_a_cluster(tmp_path: Path) -> None:
    """Ctrl-C is sent to all processes of the session of the terminal; the program is in another."""
    script = "cut -d ' ' -f 6 /proc/$$/stat; echo $$"
    session, pid = new_account().run(["/bin/sh", "-c", script], folder=tmp_path).stdout.split()
    assert session == pid != str(os.getsid(0))


async def test_a_failure_after_a_cancellation_prints_nothing() -> None:
    # Exclude older objects, so that only objects created from here on are collected.
    gc.freeze()
    reported: list[object] = []
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda _, context: reported.append(context))
    started, end = threading.Event(), threading.Event()

    def fail() -> None:
        started.set()
        end.wait()
        raise CannotStart("It was ended too.")

    task = asyncio.create_task(waiting.run_to_completion(fail))
    await asyncio.to_thread(started.wait)
    task.cancel()
    end.set()
    await asyncio.wait([task])
    assert task.cancelled()
    del task
    gc.collect()
    loop.set_exception_handler(None)
    assert reported == []
