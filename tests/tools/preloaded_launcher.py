"""The process that has imported all of `remem` and forks itself for each request."""

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
from tests.tools.preloaded_client import HEAD, NUMBER
from tests.tools.store_template import use_store_template

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
# The interpreter's exit status when it cannot flush its output.
FLUSH_FAILED = 120


class Launcher:
    def __init__(self, address: str) -> None:
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(address)
        self._listening.listen()
        self._clients: dict[int, socket.socket] = {}
        self._ready = selectors.DefaultSelector()
        self._wakeup, wakeup_writer = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(wakeup_writer, warn_on_full_buffer=False)

    def next_request(self) -> dict[str, Any] | None:
        """Return in a forked process with the request to run, and in this one at the end with
        None."""
        for readable in (0, self._wakeup, self._listening):
            self._ready.register(readable, selectors.EVENT_READ)
        while True:
            for key, _ in self._ready.select():
                if key.fileobj == 0:
                    return None
                if key.fileobj == self._wakeup:
                    self._report_ended()
                elif key.fileobj != self._listening:
                    self._kill_child_of(key)
                elif request := self._fork():
                    return request

    def _report_ended(self) -> None:
        os.read(self._wakeup, 4_096)
        with contextlib.suppress(ChildProcessError):
            while (ended := os.waitpid(-1, os.WNOHANG))[0]:
                with self._clients.pop(ended[0]) as client, contextlib.suppress(OSError):
                    with contextlib.suppress(KeyError):
                        self._ready.unregister(client)
                    client.sendall(NUMBER.pack(ended[1]))

    def _kill_child_of(self, key: selectors.SelectorKey) -> None:
        """A client command was killed: kill the process that it started as well."""
        self._ready.unregister(key.fileobj)
        if key.data in self._clients:
            is_leader = os.getpgid(key.data) == key.data
            (os.killpg if is_leader else os.kill)(key.data, signal.SIGKILL)

    def _fork(self) -> dict[str, Any] | None:
        client, _ = self._listening.accept()
        head, streams, _, _ = socket.recv_fds(client, HEAD.size, 3)
        length, ends_with_client = HEAD.unpack(head)
        request = client.recv(length, socket.MSG_WAITALL)
        if pid := os.fork():
            self._clients[pid] = client
            client.sendall(NUMBER.pack(pid))
            if ends_with_client:
                self._ready.register(client, selectors.EVENT_READ, pid)
            for stream in streams:
                os.close(stream)
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
    """Import all modules and return the environment variables that imports have set."""
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
    return [module.name for module in pkgutil.walk_packages(path, f"{package}.")]


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
    _detect_terminal()
    if request["kind"] == "-c":
        exec(request["program"], {"__name__": "__main__"})
    else:
        runpy.run_module(request["program"], run_name="__main__", alter_sys=True)


def exit_status(request: dict[str, Any], imported: dict[str, str]) -> int:
    """Run the request and return the exit status that the interpreter would have."""
    try:
        run(request, imported)
    except SystemExit as error:
        if isinstance(error.code, int | None):
            return (error.code or 0) & 0xFF
        print(error.code, file=sys.stderr)
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
    """Exit as the interpreter does, but without tearing down the imported modules, which takes five
    times as long as a short command."""
    threading._shutdown()
    atexit._run_exitfuncs()
    gc.collect()
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        status = FLUSH_FAILED
    os._exit(status)


def _detect_terminal() -> None:
    """Repeat the detection that modules did when they were imported."""
    sys.stdout.reconfigure(line_buffering=sys.stdout.isatty())
    for stderr in (False, True):
        output._console(stderr).__init__(stderr=stderr)


def main() -> None:
    # Imported modules stay: having the garbage collector scan them repeatedly takes half a second.
    gc.disable()
    imported = import_everything()
    folder = Path(sys.argv[1]).parent
    use_store_template(folder)
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
    # The process that started us may have been killed before it could remove these.
    Path(sys.argv[2]).unlink(missing_ok=True)
    shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
