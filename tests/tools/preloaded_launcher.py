"""The process that has imported all of `remem` and forks itself for each that is asked for."""

import atexit
import contextlib
import gc
import importlib
import os
import pickle
import pkgutil
import runpy
import selectors
import shutil
import signal
import socket
import sys
import threading
import time
from pathlib import Path
from typing import Any

from remem.surfaces.cli import output
from remem.surfaces.rest.router import DIALECTS, rest_routes
from tests.tools.forked_children import use_forked_children
from tests.tools.loaded_models import use_loaded_models
from tests.tools.one_store import use_one_store
from tests.tools.preloaded_client import HEAD, NUMBER

PACKAGES = ("remem.core", "remem.client", "remem.surfaces", "remem.adapters")
MODULES = (
    "remem.app",
    "remem.embedded",
    "anyio._backends._asyncio",
    "fastapi.telemetry._runtime",
    "htmldate",
    "lxml.html",
    "onnxruntime",
    "packaging.requirements",
    "rich._emoji_codes",
    "rich.markdown",
    "rich.progress",
    "tokenizers",
    "trafilatura",
    "typer._adapters",
    "typer._click.decorators",
    "typer.rich_utils",
    "uvicorn.lifespan.on",
    "uvicorn.loops.uvloop",
)
# How the interpreter ends when it cannot print the rest.
STDOUT_IS_GONE = 120


class Launcher:
    def __init__(self, address: str) -> None:
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(address)
        self._listening.listen()
        self._asked_by: dict[int, socket.socket] = {}
        self._ready = selectors.DefaultSelector()
        self._woken, waking = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(waking, warn_on_full_buffer=False)

    def next_request(self) -> dict[str, Any] | None:
        """Returns in a forked process with what it is to run; in this one at the end, with None."""
        for readable in (0, self._woken, self._listening):
            self._ready.register(readable, selectors.EVENT_READ)
        while True:
            for key, _ in self._ready.select():
                if key.fileobj == 0:
                    return None
                if key.fileobj == self._woken:
                    self._tell_the_ended()
                elif key.fileobj != self._listening:
                    self._end_with(key)
                elif request := self._fork():
                    return request

    def _tell_the_ended(self) -> None:
        os.read(self._woken, 4_096)
        with contextlib.suppress(ChildProcessError):
            while (ended := os.waitpid(-1, os.WNOHANG))[0]:
                with self._asked_by.pop(ended[0]) as asker, contextlib.suppress(OSError):
                    with contextlib.suppress(KeyError):
                        self._ready.unregister(asker)
                    asker.sendall(NUMBER.pack(ended[1]))

    def _end_with(self, key: selectors.SelectorKey) -> None:
        """A command that was killed takes what it stands for with it."""
        self._ready.unregister(key.fileobj)
        if key.data in self._asked_by:
            is_leader = os.getpgid(key.data) == key.data
            (os.killpg if is_leader else os.kill)(key.data, signal.SIGKILL)

    def _fork(self) -> dict[str, Any] | None:
        asker, _ = self._listening.accept()
        head, streams, _, _ = socket.recv_fds(asker, HEAD.size, 3)
        length, ends_with_asker = HEAD.unpack(head)
        request = asker.recv(length, socket.MSG_WAITALL)
        if pid := os.fork():
            self._asked_by[pid] = asker
            asker.sendall(NUMBER.pack(pid))
            if ends_with_asker:
                self._ready.register(asker, selectors.EVENT_READ, pid)
            for one in streams:
                os.close(one)
            return None
        self._become_a_child(streams)
        return pickle.loads(request)

    def _become_a_child(self, streams: list[int]) -> None:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
        os.closerange(3, os.sysconf("SC_OPEN_MAX"))


def import_everything() -> dict[str, str]:
    """Gives what an import has put into the environment."""
    before = dict(os.environ)
    for name in (*MODULES, *(name for package in PACKAGES for name in _modules_of(package))):
        importlib.import_module(name)
    rest_routes()
    for dialects in ((), *((name,) for name in DIALECTS)):
        rest_routes(dialects)
    return {name: value for name, value in os.environ.items() if before.get(name) != value}


def _check_has_no_threads() -> None:
    threads = list(Path("/proc/self/task").iterdir())
    assert len(threads) == 1, "a process with threads cannot be forked"


def _modules_of(package: str) -> list[str]:
    path = importlib.import_module(package).__path__
    return [one.name for one in pkgutil.walk_packages(path, f"{package}.")]


def run(request: dict[str, Any], imported: dict[str, str]) -> None:
    os.environ.clear()
    os.environ.update({**request["env"], **imported})
    time.tzset()
    os.chdir(request["cwd"])
    if request.get("new_session"):
        os.setsid()
    if before := request.get("before"):
        before()
    if parent := request.get("parent"):
        os.getppid = lambda: parent
    sys.path[0] = request["cwd"]
    sys.argv = [request["kind"], *request["words"]]
    _look_at_the_terminal()
    if request["kind"] == "-c":
        exec(request["program"], {"__name__": "__main__"})
    else:
        runpy.run_module(request["program"], run_name="__main__", alter_sys=True)


def exit_status(request: dict[str, Any], imported: dict[str, str]) -> int:
    """Run it, and end as the interpreter would."""
    try:
        run(request, imported)
    except SystemExit as ended:
        if isinstance(ended.code, int | None):
            return (ended.code or 0) & 0xFF
        print(ended.code, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        sys.excepthook(*sys.exc_info())
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGINT)
    except BaseException:
        sys.excepthook(*sys.exc_info())
        return 1
    return 0


def end(status: int) -> None:
    """What the interpreter does at its end, but for taking apart what was imported, which takes
    five times as long as a short command."""
    threading._shutdown()
    atexit._run_exitfuncs()
    gc.collect()
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        status = STDOUT_IS_GONE
    os._exit(status)


def _look_at_the_terminal() -> None:
    """Again, for what did so when it was imported."""
    sys.stdout.reconfigure(line_buffering=sys.stdout.isatty())
    for stderr in (False, True):
        output._console(stderr).__init__(stderr=stderr)


def main() -> None:
    # What is imported stays: to look through it for garbage again and again takes half a second.
    gc.disable()
    imported = import_everything()
    folder = Path(sys.argv[1]).parent
    use_one_store(folder)
    use_forked_children(sys.argv[1])
    use_loaded_models()
    _check_has_no_threads()
    gc.collect()
    gc.freeze()
    gc.enable()
    launcher = Launcher(sys.argv[1])
    os.write(1, b"ready")
    if request := launcher.next_request():
        end(exit_status(request, imported))
    # Who started us may have been killed.
    Path(sys.argv[2]).unlink(missing_ok=True)
    shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
