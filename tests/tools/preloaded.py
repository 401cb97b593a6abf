"""`remem` in a process of its own that has imported everything already: forked, not started.

To import a server takes two seconds of a processor, and the suite starts hundreds of them. One
process for all workers of the suite imports it once, and loads the models, and forks itself for
each `remem` that a test starts. The new process has the arguments, the environment, the folder and
the three streams that the test gives it, and runs the same module; only what importing does is not
done again.
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

from tests.tools.folders import new_folder
from tests.tools.preloaded_client import receive_number, send

LAUNCHER = "tests.tools.preloaded_launcher"
ROOT = Path(__file__).parents[2]
# The interpreter reads these when it starts: who changes one gets a new interpreter.
_OF_THE_INTERPRETER = ("PYTHON", "LC_", "LANG", "OMP_", "OPENBLAS_")
# The models in large pages of memory: a process with few pages is forked and ends in less time.
_OF_THE_LAUNCHER = {"OPENBLAS_NUM_THREADS": "1", "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1"}
# The descriptors that keep the launcher running.
_kept: list[int] = []


def remem_process(
    *words: str, env: dict[str, str], module: str = "remem", **options: Any
) -> "subprocess.Popen[str]":
    """`python -m remem WORDS`, with the options of Popen."""
    return _process(["-m", module, *words], env, options)


def code_process(
    code: str, *words: str, env: dict[str, str], **options: Any
) -> "subprocess.Popen[str]":
    """`python -c CODE WORDS`, with the options of Popen."""
    return _process(["-c", code, *words], env, options)


def run_code(
    code: str,
    *words: str,
    env: dict[str, str] | None = None,
    timeout: float | None = None,
    **options: Any,
) -> "subprocess.CompletedProcess[str]":
    """Run `python -c CODE WORDS` to its end, in our environment and with our streams unless others
    are given."""
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
    """Run it to its end with what it reads, and give what it printed."""
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
    """Given as `preexec_fn`. It stands here because the new process imports its module, and that
    of the fixtures makes passwords quick."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (count, count))


def preloaded_command(*words: str) -> list[str]:
    """`python -m remem WORDS` for a program that starts it by itself."""
    if sys.platform != "linux":
        return [sys.executable, "-m", "remem", *words]
    client = Path(__file__).with_name("preloaded_client.py")
    return [sys.executable, "-I", "-S", str(client), _launcher(), "-m", "remem", *words]


def _process(
    arguments: list[str], env: dict[str, str], options: dict[str, Any]
) -> "subprocess.Popen[str]":
    kind = _Forked if _can_be_forked(env) else subprocess.Popen
    return kind([sys.executable, *arguments], env=env, **options)


def _can_be_forked(env: dict[str, str]) -> bool:
    return sys.platform == "linux" and _interpreter(env) == _interpreter(os.environ)


def _interpreter(env: Any) -> dict[str, str]:
    return {name: value for name, value in env.items() if name.startswith(_OF_THE_INTERPRETER)}


@functools.cache
def _launcher() -> str:
    """The address of the launcher that all workers of a run share; it ends with the last."""
    with Path(__file__).open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        folder = _joined() or _started()
    return str(folder / "launcher")


def _joined() -> Path | None:
    """The folder of the launcher that another worker has started, as long as it runs."""
    try:
        folder = _shared().resolve(strict=True)
        _stay(folder)
    except OSError:
        return None
    return folder


def _shared() -> Path:
    """Leads to the folder of the launcher of this run."""
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID") or f"of-{os.getpid()}"
    return Path(tempfile.gettempdir(), f"remem-launcher-{run}")


def _stay(folder: Path) -> None:
    """Until our end: the launcher reads from a pipe, and ends when nobody can write to it."""
    _kept.append(os.open(folder / "kept", os.O_WRONLY | os.O_NONBLOCK))


def _started() -> Path:
    folder, shared = new_folder(), _shared()
    os.mkfifo(folder / "kept")
    reading = os.open(folder / "kept", os.O_RDONLY | os.O_NONBLOCK)
    _stay(folder)
    process = subprocess.Popen(
        [sys.executable, "-m", LAUNCHER, str(folder / "launcher"), str(shared)],
        stdin=reading,
        stdout=subprocess.PIPE,
        env={**os.environ, **_OF_THE_LAUNCHER},
        cwd=ROOT,
    )
    os.close(reading)
    assert process.stdout and process.stdout.read(5) == b"ready"
    shared.unlink(missing_ok=True)
    shared.symlink_to(folder)
    atexit.register(_leave, process)
    return folder


def _leave(process: "subprocess.Popen[bytes]") -> None:
    """Others may still need it."""
    os.close(_kept.pop())
    if "PYTEST_XDIST_TESTRUNUID" not in os.environ:
        process.wait()


class _Forked(subprocess.Popen):
    """A Popen whose process is the launcher's child: the launcher says how it ended."""

    def _execute_child(self, args: list[str], *options: Any) -> None:
        _, before, _, _, cwd, env = options[:6]
        pipes, new_session = options[9:15], options[20]
        streams = [
            own if given == -1 else given for own, given in enumerate((pipes[0], *pipes[3::2]))
        ]
        request = {
            "kind": args[1],
            "program": args[2],
            "words": args[3:],
            "env": env,
            "cwd": os.fspath(cwd or Path.cwd()),
            "before": before,
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
