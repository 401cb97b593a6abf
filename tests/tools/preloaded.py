"""Run `remem` in a forked process that has already imported everything.

Importing the server takes two seconds of CPU time, and the suite starts hundreds of servers. One
launcher process, shared by all workers, imports everything and loads the models once, then forks
itself for each `remem` that a test starts. The new process has the arguments, environment, working
directory and three streams that the test gives it, and runs the same module; only the imports are
not repeated.
"""

import atexit
import fcntl
import functools
import os
import resource
import select
import socket
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.tools.external import with_store
from tests.tools.folders import new_folder
from tests.tools.preloaded_client import receive_number, send

LAUNCHER = "tests.tools.preloaded_launcher"
ROOT = Path(__file__).parents[2]
# The interpreter reads these variables at startup: a process with other values is not forked.
_INTERPRETER_VARIABLES = ("PYTHON", "LC_", "LANG", "OMP_", "OPENBLAS_")
# Huge pages for the models: a process with fewer pages forks and ends faster.
_LAUNCHER_ENVIRONMENT = {"OPENBLAS_NUM_THREADS": "1", "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1"}
# The descriptors that keep the launcher running.
_keep_alive: list[int] = []


def remem_process(
    *words: str, env: dict[str, str], module: str = "remem", **options: Any
) -> "subprocess.Popen[str]":
    """Start `python -m remem WORDS`, with the options of Popen."""
    return _process(["-m", module, *words], env, options)


def code_process(
    code: str, *words: str, env: dict[str, str], **options: Any
) -> "subprocess.Popen[str]":
    """Start `python -c CODE WORDS`, with the options of Popen."""
    return _process(["-c", code, *words], env, options)


def run_code(
    code: str,
    *words: str,
    env: dict[str, str] | None = None,
    timeout: float | None = None,
    **options: Any,
) -> "subprocess.CompletedProcess[str]":
    """Run `python -c CODE WORDS` to its end, by default in our environment and with our streams."""
    with code_process(code, *words, env=env or dict(os.environ), **options) as process:
        try:
            out, err = process.communicate(timeout=timeout)
        except BaseException:
            process.kill()
            raise
    return subprocess.CompletedProcess(process.args, process.returncode, out, err)


def run_remem(
    *words: str,
    env: dict[str, str],
    stdin: str | None = None,
    timeout: float | None = None,
    **options: Any,
) -> "subprocess.CompletedProcess[str]":
    """Run `python -m remem WORDS` to its end with this input, and return its output."""
    pipes = {
        "stdin": subprocess.DEVNULL if stdin is None else subprocess.PIPE,
        "stdout": subprocess.PIPE,
        "stderr": subprocess.PIPE,
    }
    with remem_process(*words, env=env, text=True, **pipes, **options) as process:
        try:
            out, err = process.communicate(stdin, timeout)
        except BaseException:
            process.kill()
            raise
    return subprocess.CompletedProcess(process.args, process.returncode, out, err)


def limit_descriptors(count: int) -> None:
    """Use as `preexec_fn`. It is in this module because the new process imports the function's
    module, and importing `conftest` would make password hashing cheap."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (count, count))


def preloaded_command(*words: str) -> list[str]:
    """The command `python -m remem WORDS`, for a program that starts it itself."""
    if sys.platform != "linux":
        return [sys.executable, "-m", "remem", *words]
    client = Path(__file__).with_name("preloaded_client.py")
    return [sys.executable, "-I", "-S", str(client), _launcher(), "-m", "remem", *words]


def _process(
    arguments: list[str], env: dict[str, str], options: dict[str, Any]
) -> "subprocess.Popen[str]":
    env = with_store(env)
    popen = _ForkedProcess if _can_fork(env) else subprocess.Popen
    return popen([sys.executable, *arguments], env=env, **options)


def _can_fork(env: dict[str, str]) -> bool:
    return sys.platform == "linux" and _interpreter_variables(env) == _interpreter_variables(
        os.environ
    )


def _interpreter_variables(env: Any) -> dict[str, str]:
    return {name: value for name, value in env.items() if name.startswith(_INTERPRETER_VARIABLES)}


@functools.cache
def _launcher() -> str:
    """The address of the launcher that all workers of a run share. It ends with the last worker."""
    with Path(__file__).open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        folder = _join() or _start()
    return str(folder / "launcher")


def _join() -> Path | None:
    """The folder of a running launcher that another worker started, if there is one."""
    try:
        folder = _shared_link().resolve(strict=True)
        _hold_open(folder)
    except OSError:
        return None
    return folder


def _shared_link() -> Path:
    """A symbolic link to the folder of this run's launcher."""
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID") or f"of-{os.getpid()}"
    return Path(tempfile.gettempdir(), f"remem-launcher-{run}")


def _hold_open(folder: Path) -> None:
    """Keep the launcher running until we end: it reads a pipe and ends when no writer is left."""
    _keep_alive.append(os.open(folder / "kept", os.O_WRONLY | os.O_NONBLOCK))


def _start() -> Path:
    folder, link = new_folder(), _shared_link()
    os.mkfifo(folder / "kept")
    reading = os.open(folder / "kept", os.O_RDONLY | os.O_NONBLOCK)
    _hold_open(folder)
    process = subprocess.Popen(
        [sys.executable, "-m", LAUNCHER, str(folder / "launcher"), str(link)],
        stdin=reading,
        stdout=subprocess.PIPE,
        env={**os.environ, **_LAUNCHER_ENVIRONMENT},
        cwd=ROOT,
    )
    os.close(reading)
    assert process.stdout and process.stdout.read(5) == b"ready"
    link.unlink(missing_ok=True)
    link.symlink_to(folder)
    atexit.register(_release, process)
    return folder


def _release(process: "subprocess.Popen[bytes]") -> None:
    """Let the launcher end. Under xdist other workers may still need it, so do not wait."""
    os.close(_keep_alive.pop())
    if "PYTEST_XDIST_TESTRUNUID" not in os.environ:
        process.wait()


class _ForkedProcess(subprocess.Popen):
    """A Popen whose process is a child of the launcher, which reports its exit status."""

    def _execute_child(self, args: list[str], *options: Any) -> None:
        _, preexec_fn, _, _, cwd, env = options[:6]
        pipes, new_session = options[9:15], options[20]
        streams = [own if pipe == -1 else pipe for own, pipe in enumerate((pipes[0], *pipes[3::2]))]
        request = {
            "kind": args[1],
            "program": args[2],
            "words": args[3:],
            "env": env,
            "cwd": os.fspath(cwd or Path.cwd()),
            "before": preexec_fn,
            "new_session": new_session,
        }
        self._status = socket.socket(socket.AF_UNIX)
        self._status.connect(_launcher())
        send(self._status, request, streams)
        self.pid = receive_number(self._status)
        self._child_created = True
        self._close_pipe_fds(*pipes)

    def _try_wait(self, wait_flags: int) -> tuple[int, int]:
        if wait_flags & os.WNOHANG and not select.select([self._status], [], [], 0)[0]:
            return (0, 0)
        status = receive_number(self._status)
        self._status.close()
        return (self.pid, status)

    def _internal_poll(self, *_: Any, **__: Any) -> int | None:
        if self.returncode is None and self._waitpid_lock.acquire(False):
            try:
                pid, status = self._try_wait(os.WNOHANG)
                if pid == self.pid:
                    self._handle_exitstatus(status)
            finally:
                self._waitpid_lock.release()
        return self.returncode
