"""A child process that answers one message after the other, over pipes."""

import asyncio
import contextlib
import os
import signal
import sys
import tempfile
from collections.abc import Sequence

from remem.adapters.pipes import LENGTH_BYTES, add_length_prefix

# The only environment variables that such a process inherits: no keys, no addresses.
INHERITED_VARIABLES = frozenset(
    "PATH HOME LANG LC_ALL LC_CTYPE TZ TMPDIR TEMP TMP SYSTEMROOT LD_LIBRARY_PATH "
    "DYLD_LIBRARY_PATH PYTHONPATH PYTHONHOME VIRTUAL_ENV TESSDATA_PREFIX XDG_CACHE_HOME".split()
)
# One thread in each library, and no memory reserved for more.
LIMITING_VARIABLES = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "RAYON_NUM_THREADS": "1",
    "MALLOC_ARENA_MAX": "2",
    "PYTHONDONTWRITEBYTECODE": "1",
}


class PipedProcess:
    """One child process and its pipes."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self.served = 0
        self.idle_timer: asyncio.TimerHandle | None = None

    @property
    def is_alive(self) -> bool:
        return self._process.returncode is None

    @property
    def pid(self) -> int:
        return self._process.pid

    def tell(self, message: bytes) -> None:
        """Send a message that has no answer."""
        assert self._process.stdin is not None
        self._process.stdin.write(add_length_prefix(message))

    async def ask(self, message: bytes) -> bytes:
        """Send a message and return the answer. Raises EOFError if the process ends instead."""
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None and stdout is not None
        self.served += 1
        try:
            stdin.write(add_length_prefix(message))
            await stdin.drain()
            length = await stdout.readexactly(LENGTH_BYTES)
            return await stdout.readexactly(int.from_bytes(length))
        except (asyncio.IncompleteReadError, ConnectionError) as error:
            raise EOFError from error

    async def end(self) -> int:
        """Kill the process and the programs it may have started; return the exit status."""
        if self.idle_timer is not None:
            self.idle_timer.cancel()
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        return await self._process.wait()


async def start(module: str, arguments: Sequence[str]) -> PipedProcess:
    process = await asyncio.create_subprocess_exec(
        *(*command(module), *arguments),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        env={
            **{key: os.environ[key] for key in INHERITED_VARIABLES & os.environ.keys()},
            **LIMITING_VARIABLES,
        },
        cwd=tempfile.gettempdir(),
        start_new_session=True,
    )
    return PipedProcess(process)


def command(module: str) -> tuple[str, ...]:
    # -P keeps the working directory off sys.path: a file named json.py there must not be imported.
    return (sys.executable, "-P", "-m", module)
