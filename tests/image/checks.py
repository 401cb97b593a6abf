"""What the image must do. Each check returns the line that is printed for it."""

import tempfile
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from typing import TypeAlias

from tests.e2e.test_every_kind import TABLE, Row, make_file, wait_until_done
from tests.image.arm import find_missing_wheels
from tests.image.container import Container, container, volume
from tests.image.engine import Engine

FACT = "Mara keeps the spare key number {number} of the boathouse in the blue teapot."
STOP_S = 45
ENDS_WITHIN_S = 120
LONGEST_START_S = 10
DATABASE_PROCESS = "head -1 /data/postgres/postmaster.pid"
KILL_DATABASE = f"{DATABASE_PROCESS}; kill -9 $({DATABASE_PROCESS})"
# Has an address on the loopback interface of this machine, which a container cannot reach.
ELSEWHERE = {"a page at an address"}
SMALL = ("--memory", "2g")


class CheckFailed(Exception):
    """The message says what was expected."""


@dataclass(frozen=True)
class Setup:
    engine: Engine
    image: str
    starts: int


Check: TypeAlias = Callable[[Setup], str]


def can_be_built_for_arm(_: Setup) -> str:
    missing = find_missing_wheels()
    _expect(not missing, f"every package has a wheel for 64-bit ARM:\n{missing}")
    return "every package has a wheel for 64-bit ARM"


def starts_on_a_fresh_volume(setup: Setup) -> str:
    times = []
    for number in range(setup.starts):
        with volume(setup.engine) as name, _start(setup, name) as running:
            times.append(running.wait_until_ready())
            _save_and_recall(running, [], number)
            _stop(running)
    return f"{setup.starts} of {setup.starts}, ready after {_seconds(times)}"


def starts_on_a_kept_volume(setup: Setup) -> str:
    """Every second time it was killed, and so was PostgreSQL, which runs in the same container."""
    times: list[float] = []
    saved: list[str] = []
    with volume(setup.engine) as name:
        for number in range(setup.starts):
            with _start(setup, name) as running:
                times.append(running.wait_until_ready())
                saved = _save_and_recall(running, saved, number)
                if number % 2:
                    setup.engine("kill", "--signal", "KILL", running.id)
                else:
                    _stop(running)
    return (
        f"{setup.starts} of {setup.starts}, {setup.starts // 2} of them after a kill, ready after "
        f"{_seconds(times)}; nothing saved is missing"
    )


def starts_after_a_kill_during_any_start(setup: Setup) -> str:
    """Each start is killed a little later than the one before, from before there is a database
    until after it is ready."""
    with volume(setup.engine) as name:
        for number in range(setup.starts):
            with _start(setup, name) as running:
                time.sleep(number * LONGEST_START_S / setup.starts)
                setup.engine("kill", "--signal", "KILL", running.id)
        with _start(setup, name) as running:
            seconds = running.wait_until_ready()
            _save_and_recall(running, [], 0)
    return (
        f"killed {setup.starts} times within {LONGEST_START_S} s, then ready after {seconds:.1f} s"
    )


def survives_a_killed_database(setup: Setup) -> str:
    """PostgreSQL is started again, and its orphaned processes do not stay as zombies."""
    with volume(setup.engine) as name, _start(setup, name) as running:
        running.wait_until_ready()
        saved = _save_and_recall(running, [], 0)
        for _ in range(3):
            killed = running.execute("sh", "-c", KILL_DATABASE)
            running.wait_until(partial(_has_another_database, running, killed), "revived")
            running.wait_until_ready()
        _save_and_recall(running, saved, 1)
        states = running.execute("sh", "-c", "cat /proc/[0-9]*/status | grep ^State")
        _expect("zombie" not in states, f"no process is left behind:\n{states}")
    return "killed 3 times: ready again, nothing lost, no process left behind"


def is_sealed(setup: Setup) -> str:
    with volume(setup.engine) as name, _start(setup, name) as running:
        running.wait_until_ready()
        _expect(running.execute("id", "-u") == "10001", "the user is 10001")
        for folder in ("/", "/opt/remem", "/usr/local/bin"):
            process = setup.engine.attempt("exec", running.id, "touch", f"{folder}/file")
            _expect(process.returncode != 0, f"{folder} is read-only")
        status = running.execute("cat", "/proc/1/status")
        _expect("CapEff:\t0000000000000000" in status, "the server has no capability")
    return "user 10001, read-only root file system, no capabilities"


def says_that_it_is_healthy(setup: Setup) -> str:
    with volume(setup.engine) as name, _start(setup, name) as running:
        running.wait_until_ready()
        setup.engine("healthcheck", "run", running.id)
        doctor = running.execute("remem", "doctor")
        _expect("answers 200" in doctor and "403" not in doctor, "doctor reaches the server")
    return "health check healthy, doctor has nothing to fix"


def reads_every_kind(setup: Setup) -> str:
    """Nothing that reads a kind of file was removed from the image."""
    rows = [row for row in TABLE if row.name not in ELSEWHERE]
    with volume(setup.engine) as name, _start(setup, name) as running:
        running.wait_until_ready()
        with tempfile.TemporaryDirectory() as folder:
            ids = [_upload(running, Path(folder), row) for row in rows]
        for row, id in zip(rows, ids, strict=True):
            wait_until_done(running.http, id)
            content = " ".join(running.recall(row.words)).lower()
            missing = [word for word in row.words.lower().split() if word not in content]
            _expect(not missing, f"{row.name} is found by {row.words}; it lacks {missing}")
    return f"{len(rows)} kinds of documents are read and found"


def starts_in_small_and_odd_places(setup: Setup) -> str:
    """With little memory, no shared memory, and a folder with a space and umlauts."""
    folder = "/data/Mein Gedächtnis ÄÖÜ"
    odd = ("--env", f"REMEM_DATA_DIR={folder}", "--env", f"HOME={folder}", *SMALL)
    unwritable = ("--env", "HOME=/nonexistent", "--tmpfs", "/dev/shm:ro,size=4k")
    for options in (odd, unwritable):
        with volume(setup.engine) as name, _start(setup, name, *options) as running:
            running.wait_until_ready()
            if options is unwritable:
                process = setup.engine.attempt("exec", running.id, "touch", "/dev/shm/file")
                _expect(process.returncode != 0, "there is no shared memory")
            running.execute("remem", "save", FACT.format(number=1))
            _expect("teapot" in running.execute("remem", "recall", "spare key"), "it is found")
    return "2 GB, /dev/shm read-only, no home, a folder with a space and umlauts"


def says_why_it_cannot_start(setup: Setup) -> str:
    unnamed = ("--user", "23456:0", "--passwd=false")
    with volume(setup.engine) as name:
        _fails(setup, "Permission denied", "--volume", f"{name}:/data", *unnamed)
        _fails(setup, "not writable", "--volume", f"{name}:/data:ro")
    _fails(setup, "20 MB free", *_own_folder("20m"))
    _fails(setup, "has no name", *_own_folder("900m"), *unnamed)
    return "another user's folder, a read-only one, a full one, a user without a name: a sentence"


CHECKS: tuple[Check, ...] = (
    is_sealed,
    says_that_it_is_healthy,
    reads_every_kind,
    starts_in_small_and_odd_places,
    says_why_it_cannot_start,
    can_be_built_for_arm,
    survives_a_killed_database,
    starts_after_a_kill_during_any_start,
    starts_on_a_fresh_volume,
    starts_on_a_kept_volume,
)


def _start(setup: Setup, name: str, *options: str) -> AbstractContextManager[Container]:
    return container(setup.engine, setup.image, "--volume", f"{name}:/data", *options)


def _save_and_recall(running: Container, saved: list[str], number: int) -> list[str]:
    """The ids of all documents saved so far."""
    fact = FACT.format(number=number)
    saved = [*saved, running.save(fact)]
    statuses = [running.http.get(f"/v3/documents/{id}").json().get("status") for id in saved]
    _expect(set(statuses) == {"done"}, f"all that was saved is there: {statuses}")
    found = running.recall(f"spare key number {number} of the boathouse")
    _expect(any(fact in content for content in found), f"it is found: {fact}")
    return saved


def _has_another_database(running: Container, killed: str) -> bool:
    process = running.engine.attempt("exec", running.id, "sh", "-c", DATABASE_PROCESS)
    return process.returncode == 0 and process.stdout.strip() not in ("", killed)


def _upload(running: Container, folder: Path, row: Row) -> str:
    if row.name == "a note":
        return running.save(row.text)
    data = make_file(folder, row).read_bytes()
    reply = running.http.post("/v3/documents/upload", files={"file": (row.name, data)})
    _expect(reply.status_code in (201, 202), f"{row.name} is taken: {reply.text}")
    return reply.json()["id"]


def _stop(running: Container) -> None:
    begun = time.monotonic()
    running.engine("stop", "--time", str(STOP_S), running.id)
    _expect(time.monotonic() - begun < STOP_S, "it stops when asked to")
    status = running.state()["ExitCode"]
    _expect(status == 0, f"it stops with status 0, not {status}:\n{running.log()[-1_000:]}")


def _own_folder(size: str) -> tuple[str, ...]:
    """One that the image does not have: runc gives the others the permissions of the image's."""
    folder = "/small"
    settings = ("--env", f"REMEM_DATA_DIR={folder}", "--env", f"HOME={folder}")
    return ("--tmpfs", f"{folder}:size={size},mode=777", *settings)


def _fails(setup: Setup, reason: str, *options: str) -> None:
    with container(setup.engine, setup.image, *options) as running:
        status, log = running.wait(ENDS_WITHIN_S), running.log().strip()
        _expect(status != 0 and "Traceback" not in log, f"it ends with a sentence:\n{log}")
        _expect(reason in log and len(log.splitlines()) == 1, f"it says {reason}:\n{log}")


def _expect(holds: bool, expected: str) -> None:
    if not holds:
        raise CheckFailed(f"expected: {expected}")


def _seconds(times: list[float]) -> str:
    return f"{median(times):.1f} s (median; {min(times):.1f} to {max(times):.1f})"
