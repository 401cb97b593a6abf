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
from remem.adapters.database.embedded.memory import memory_bytes, shared_buffers_mb, stored_bytes
from remem.core.errors import CannotStart
from tests.tools.folders import new_folder

pytestmark = pytest.mark.anyio
needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another account")

STRANGER = 65533
WITHIN_S = 20

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
    """A short path that every account may pass, so that only what is tested stands in the way."""
    place = new_folder()
    yield place
    for pid_file in place.rglob("postmaster.pid"):
        with suppress(ProcessLookupError, ValueError, OSError):
            _end_server(int(pid_file.read_text().split()[0]))
    shutil.rmtree(place, ignore_errors=True)


@pytest.fixture
def data_dir(folder: Path) -> Path:
    return folder / "data"


@pytest.fixture(scope="module")
def template() -> Iterator[Path]:
    """A data folder whose server was started and stopped once."""
    place = new_folder()
    with python(USER, 0, place / "data") as user:
        user.communicate("\n")
    yield place / "data"
    shutil.rmtree(place)


@pytest.fixture
def made_dir(template: Path, data_dir: Path) -> Path:
    return copied(template, data_dir)


def copied(made: Path, to: Path) -> Path:
    subprocess.run(["cp", "-a", str(made), str(to)], check=True)
    return to


def _end_server(pid: int) -> None:
    if b"cluster_name=remem-" in Path(f"/proc/{pid}/cmdline").read_bytes():
        os.kill(pid, signal.SIGKILL)


@contextmanager
def python(script: str, account: int, path: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process; it is killed, never asked to stop, when the test lets go of it."""
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


def copy_installation(place: Path, mode: str) -> Path:
    """The carrier's programs with their libraries beside them, with other rights."""
    carrier = find_programs().parents[1]
    for name in (carrier.name, f"{carrier.name}.libs"):
        subprocess.run(["cp", "-r", carrier.with_name(name), place], check=True)
    subprocess.run(["chmod", "-R", mode, *place.iterdir()], check=True)
    return place / find_programs().relative_to(carrier.parent)


@contextmanager
def forked() -> Iterator[None]:
    """A copy of this process, with all it has open, that lives as long as the block."""
    ready, tell = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(tell, b".")
        signal.pause()
    try:
        os.read(ready, 1)
        yield
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(ready)
        os.close(tell)


def sleeper(account: int) -> subprocess.Popen[bytes]:
    """A live process that has nothing to do with any database."""
    return subprocess.Popen(["sleep", "600"], user=account if os.geteuid() == 0 else None)


async def heard(process: subprocess.Popen[str]) -> str:
    assert process.stdout
    return (await asyncio.to_thread(process.stdout.readline)).strip()


async def leaves(process: subprocess.Popen[str]) -> None:
    await asyncio.to_thread(process.communicate, "\n")


async def until(fact: Callable[[], object]) -> None:
    await asyncio.to_thread(_watch, fact)


def _watch(fact: Callable[[], object]) -> None:
    deadline = time.monotonic() + WITHIN_S
    while not fact():
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


def found(folder: Path, name: str) -> list[Path]:
    return list(folder.rglob(name))


def socket_dir(dsn: str) -> Path:
    return Path(parse_qs(urlsplit(dsn).query)["host"][0])


async def ask(dsn: str, query: str) -> object:
    connection = await asyncpg.connect(dsn)
    try:
        return await connection.fetchval(query)
    finally:
        await connection.close()


async def test_first_start_gives_a_plain_role_its_database_with_vectors(
    data_dir: Path,
) -> None:
    server = EmbeddedPostgres(data_dir)
    dsn = await server.start()
    try:
        version = "select extversion from pg_extension where extname = 'vector'"
        assert await ask(dsn, version) == "0.8.5"
        rights = "select rolsuper or rolbypassrls from pg_roles where rolname = current_user"
        assert await ask(dsn, "select current_user::text") == "remem"
        assert await ask(dsn, rights) is False
        assert await ask(dsn, "show server_encoding") == "UTF8"
        assert await ask(dsn, "select lower('ÄÖ')") == "äö"
        settings = "select string_agg(setting, ' ' order by name) from pg_settings where name in "
        assert (
            await ask(dsn, settings + "('fsync', 'data_checksums', 'listen_addresses')") == "on on "
        )
        await ask(dsn, "create schema mine")
        await ask(dsn, "create table mine.rows (v halfvec(3))")
        await ask(dsn, "create table public.rows (v vector(3))")
        # The vector library in use runs on this machine.
        near = await ask(dsn, "select '[1,0]'::halfvec(2) <=> '[1,1]'::halfvec(2)")
        assert near == pytest.approx(1 - 2**-0.5, abs=1e-3)
    finally:
        await server.stop()


async def test_start_stop_start_keeps_what_was_saved(made_dir: Path) -> None:
    server = EmbeddedPostgres(made_dir)
    dsn = await server.start()
    await ask(dsn, "create table kept as select 7 as n")
    first = postmaster(made_dir)
    await server.stop()
    assert not is_running(first)
    assert await ask(await server.start(), "select n from kept") == 7
    await server.stop()
    await server.stop()


async def test_what_is_missing_after_a_crash_is_made_up_for(made_dir: Path) -> None:
    server = EmbeddedPostgres(made_dir)
    dsn = await server.start()
    superuser = dsn.replace("remem@", "postgres@")
    await ask(superuser, "drop extension vector")
    await ask(superuser, "alter role remem superuser")
    await server.stop()
    try:
        dsn = await server.start()
        assert await ask(dsn, "select '[1]'::vector::text") == "[1]"
        assert await ask(dsn, "select rolsuper from pg_roles where rolname = 'remem'") is False
    finally:
        await server.stop()


async def test_two_processes_share_one_server_and_the_last_stops_it(
    made_dir: Path,
) -> None:
    with python(USER, 0, made_dir) as one, python(USER, 0, made_dir) as two:
        dsn = await heard(one)
        assert await heard(two) == dsn
        pid = postmaster(made_dir)
        await leaves(one)
        assert await ask(dsn, "select 1") == 1
        assert postmaster(made_dir) == pid
        await leaves(two)
        assert not is_running(pid)


async def test_the_server_of_a_killed_user_is_taken_over(made_dir: Path) -> None:
    with python(USER, 0, made_dir) as user:
        assert (await heard(user)).startswith("postgresql://")
        pid = postmaster(made_dir)
        user.kill()
        user.wait()
    assert is_running(pid)
    server = EmbeddedPostgres(made_dir)
    assert await ask(await server.start(), "select 1") == 1
    assert postmaster(made_dir) == pid
    await server.stop()
    assert not is_running(pid)


async def test_a_forked_child_does_not_count_as_a_user(made_dir: Path) -> None:
    server = EmbeddedPostgres(made_dir)
    await server.start()
    pid = postmaster(made_dir)
    with forked():
        await server.stop()
        assert not is_running(pid)


async def test_a_killed_server_recovers_with_what_was_committed(made_dir: Path) -> None:
    first, second = EmbeddedPostgres(made_dir), EmbeddedPostgres(made_dir)
    dsn = await first.start()
    try:
        await ask(dsn, "create table kept as select generate_series(1, 5000) as n")
        os.kill(postmaster(made_dir), signal.SIGKILL)
        assert await ask(await second.start(), "select count(*) from kept") == 5000
    finally:
        await first.stop()
        await second.stop()


async def test_a_server_that_died_under_its_users_is_revived_once_for_all(made_dir: Path) -> None:
    server = EmbeddedPostgres(made_dir)
    dsn = await server.start()
    try:
        os.kill(killed := postmaster(made_dir), signal.SIGKILL)
        await asyncio.gather(*(server.revive() for _ in range(5)))
        assert await ask(dsn, "select 1") == 1
        assert postmaster(made_dir) != killed
    finally:
        await asyncio.gather(server.revive(), server.stop())
    assert not is_running(killed)
    assert not (made_dir / "postgres" / "postmaster.pid").exists()


async def test_a_start_waits_for_what_a_killed_server_left_behind(
    made_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(waiting, "FIRST_LOG_S", 0.0)
    # A logger and a class of its own: a test before this one may have set the level for all others.
    logged = LogCapture()
    everything = structlog.wrap_logger(
        None, processors=[logged], wrapper_class=structlog.make_filtering_bound_logger(0)
    )
    monkeypatch.setattr(waiting, "log", everything)
    first, second = EmbeddedPostgres(made_dir), EmbeddedPostgres(made_dir)
    connection = await asyncpg.connect(await first.start())
    orphan = await connection.fetchval("select pg_backend_pid()")
    os.kill(orphan, signal.SIGSTOP)
    os.kill(postmaster(made_dir), signal.SIGKILL)
    start = asyncio.create_task(second.start())
    try:
        await until(lambda: any(line["event"] == "database_orphans" for line in logged.entries))
        assert not start.done()
    finally:
        os.kill(orphan, signal.SIGCONT)
    assert await ask(await start, "select 1") == 1
    connection.terminate()
    await first.stop()
    await second.stop()


async def test_a_pid_file_that_names_an_unrelated_process_does_not_block(
    made_dir: Path,
) -> None:
    server = EmbeddedPostgres(made_dir)
    sockets = socket_dir(await server.start())
    await server.stop()
    made = made_dir / "postgres"
    with sleeper(made.stat().st_uid) as unrelated:
        note = f"{unrelated.pid}\n{made}\n1700000000\n5432\n{sockets}\n\n  1 1\nready\n"
        (made / "postmaster.pid").write_text(note)
        (sockets / ".s.PGSQL.5432.lock").write_text(note)
        try:
            assert await ask(await server.start(), "select 1") == 1
            assert unrelated.poll() is None
        finally:
            await server.stop()
            unrelated.kill()


async def test_an_interrupted_making_leaves_nothing_half_made(data_dir: Path) -> None:
    with python(USER, 0, data_dir) as user:
        await until(lambda: list(data_dir.glob("postgres.making-*/PG_VERSION")))
        user.kill()
        user.wait()
    assert not (data_dir / "postgres").exists()
    server = EmbeddedPostgres(data_dir)
    assert await ask(await server.start(), "select 1") == 1
    await server.stop()


async def test_a_cancelled_start_lets_go_of_its_locks(data_dir: Path) -> None:
    start = asyncio.create_task(EmbeddedPostgres(data_dir).start())
    await until(lambda: list(data_dir.glob("postgres.making-*")))
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


async def test_a_folder_that_is_no_database_is_refused_and_kept(data_dir: Path) -> None:
    (data_dir / "postgres").mkdir(parents=True)
    (data_dir / "postgres" / "letters.txt").write_text("dear")
    with pytest.raises(CannotStart, match="not a PostgreSQL database"):
        await EmbeddedPostgres(data_dir).start()
    assert (data_dir / "postgres" / "letters.txt").read_text() == "dear"


async def test_a_damaged_cluster_is_said_to_be_damaged(made_dir: Path) -> None:
    (made_dir / "postgres" / "global" / "pg_control").write_bytes(b"\0" * 8192)
    with pytest.raises(CannotStart, match="damaged; restore"):
        await EmbeddedPostgres(made_dir).start()


async def test_a_long_path_has_its_socket_in_a_short_private_folder(
    folder: Path, template: Path
) -> None:
    parent = folder / ("long" * 20)
    parent.mkdir()
    data_dir = copied(template, parent / ("path" * 20))
    server = EmbeddedPostgres(data_dir)
    sockets = socket_dir(dsn := await server.start())
    assert await ask(dsn, "select 1") == 1
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
    assert await ask(await server.start(), "select 1") == 1
    await server.stop()
    assert not found(folder, "oops")


async def test_a_folder_that_may_not_be_written_is_named(folder: Path) -> None:
    closed = folder / "closed"
    closed.mkdir()
    closed.chmod(0o555)
    for path in (closed, closed / "data"):
        with python(USER, STRANGER, path) as user:
            said = await heard(user)
        assert str(path) in said
        assert "REMEM_DATA_DIR" in said


@needs_root
async def test_an_ordinary_account_runs_its_own_server(folder: Path) -> None:
    os.chown(folder, 65534, 65534)
    with python(USER, 65534, folder / "data") as user:
        dsn = await heard(user)
        assert await ask(dsn, "select current_user::text") == "remem"
        assert (folder / "data" / "postgres").stat().st_uid == 65534
        await leaves(user)


@needs_root
async def test_root_works_below_a_folder_that_only_root_may_enter(folder: Path) -> None:
    shut = folder / "shut"
    shut.mkdir(mode=0o700)
    server = EmbeddedPostgres(shut / "data")
    assert await ask(await server.start(), "select 1") == 1
    assert account_of(postmaster(shut / "data")) == (shut / "data" / "postgres").stat().st_uid != 0
    await server.stop()
    assert stat.S_IMODE(shut.stat().st_mode) == 0o700
    assert shut.stat().st_uid == 0


@needs_root
@pytest.mark.parametrize("mode", ["go+rX", "go="])
async def test_root_works_from_an_installation_that_only_root_may_enter(
    folder: Path, made_dir: Path, mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    shut = folder / "shut"
    shut.mkdir(mode=0o700)
    programs = copy_installation(shut, mode)
    monkeypatch.setattr(cluster, "find_programs", lambda: programs)
    server = EmbeddedPostgres(made_dir)
    assert await ask(await server.start(), "select '[1]'::vector::text") == "[1]"
    await server.stop()


@needs_root
async def test_another_account_cannot_connect(made_dir: Path) -> None:
    server = EmbeddedPostgres(made_dir)
    sockets = socket_dir(await server.start())
    try:
        for account, answer in (
            (sockets.stat().st_uid, "connected"),
            (STRANGER, "refused"),
        ):
            with python(CONNECT, account, sockets / ".s.PGSQL.5432") as process:
                assert await heard(process) == answer
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


async def test_a_full_disk_is_seen_before_the_start(tmp_path: Path) -> None:
    with pytest.raises(CannotStart, match="REMEM_DATA_DIR"):
        check_space(tmp_path, 10**18)


async def test_a_processor_without_avx2_is_refused(tmp_path: Path) -> None:
    (tmp_path / "cpuinfo").write_text("processor : 0\nflags : fpu sse4_2 avx\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("platform.machine", lambda: "x86_64")
        with pytest.raises(CannotStart, match="AVX2"):
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


async def test_the_log_is_kept_bounded_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "postgres.log"
    path.write_bytes(b"old\n" * LOG_LIMIT_BYTES + b"newest\n")
    os.close(open_log(path))
    assert path.stat().st_size < LOG_LIMIT_BYTES
    assert path.read_bytes().endswith(b"newest\n")


def test_what_is_kept_at_hand_is_a_share_of_the_memory(tmp_path: Path) -> None:
    assert [shared_buffers_mb(gb << 30, 0) for gb in (0, 1, 8, 64)] == [128, 128, 512, 1_024]
    limit = tmp_path / "memory.max"
    limit.write_text("max\n")
    older = tmp_path / "limit_in_bytes"
    whole = memory_bytes([limit, older])
    assert whole == memory_bytes([tmp_path / "absent"]) > 0
    limit.write_text("1073741824\n")
    assert memory_bytes([limit, older]) == min(whole, 1 << 30)
    older.write_text("536870912\n")
    assert memory_bytes([limit, older]) == min(whole, 1 << 29)


def test_a_big_store_is_kept_at_hand_as_far_as_a_quarter_of_the_memory_goes(tmp_path: Path) -> None:
    of_8_gb = [shared_buffers_mb(8 << 30, mb << 20) for mb in (0, 300, 1_500, 9_000)]
    assert of_8_gb == [512, 512, 1_500, 2_048]
    assert stored_bytes(tmp_path) == 0
    (tmp_path / "base" / "5").mkdir(parents=True)
    for name in ("16384", "16384.1"):
        (tmp_path / "base" / "5" / name).write_bytes(b"x" * 8_192)
    assert stored_bytes(tmp_path) == 16_384


def test_ctrl_c_reaches_no_program_that_makes_a_store(tmp_path: Path) -> None:
    """It is sent to everything of a terminal's session, which is another one."""
    asked = "cut -d ' ' -f 6 /proc/$$/stat; echo $$"
    session, own = new_account().run(["/bin/sh", "-c", asked], folder=tmp_path).stdout.split()
    assert session == own != str(os.getsid(0))


async def test_work_that_fails_after_it_was_cancelled_prints_nothing() -> None:
    # Only what is made from here on is looked through for garbage.
    gc.freeze()
    reported: list[object] = []
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda _, context: reported.append(context))
    begun, end = threading.Event(), threading.Event()

    def fail() -> None:
        begun.set()
        end.wait()
        raise CannotStart("It was ended too.")

    waited = asyncio.create_task(waiting.run_to_completion(fail))
    await asyncio.to_thread(begun.wait)
    waited.cancel()
    end.set()
    await asyncio.wait([waited])
    assert waited.cancelled()
    del waited
    gc.collect()
    loop.set_exception_handler(None)
    assert reported == []
