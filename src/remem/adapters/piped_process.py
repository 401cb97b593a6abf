"""A process of ours that answers one message after the other, over pipes."""

import asyncio
import contextlib
import os
import signal
import sys
import tempfile
from collections.abc import Sequence

from remem.adapters.pipes import LENGTH_BYTES, framed

# All that such a process may know of our surroundings: no key, no address.
KNOWN = frozenset(
    "PATH HOME LANG LC_ALL LC_CTYPE TZ TMPDIR TEMP TMP SYSTEMROOT LD_LIBRARY_PATH "
    "DYLD_LIBRARY_PATH PYTHONPATH PYTHONHOME VIRTUAL_ENV TESSDATA_PREFIX XDG_CACHE_HOME".split()
)
# One thread each, and no memory set aside for more.
FRUGAL = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "RAYON_NUM_THREADS": "1",
    "MALLOC_ARENA_MAX": "2",
    "PYTHONDONTWRITEBYTECODE": "1",
}


class PipedProcess:
    """One process and the pipes to it."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self.served = 0
        self.rest: asyncio.TimerHandle | None = None

    @property
    def is_alive(self) -> bool:
        return self._process.returncode is None

    @property
    def pid(self) -> int:
        return self._process.pid

    def tell(self, message: bytes) -> None:
        """Send a message that has no answer."""
        assert self._process.stdin is not None
        self._process.stdin.write(framed(message))

    async def ask(self, message: bytes) -> bytes:
        """Its answer; raises EOFError when it ends instead."""
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None and stdout is not None
        self.served += 1
        try:
            stdin.write(framed(message))
            await stdin.drain()
            length = await stdout.readexactly(LENGTH_BYTES)
            return await stdout.readexactly(int.from_bytes(length))
        except (asyncio.IncompleteReadError, ConnectionError) as error:
            raise EOFError from error

    async def end(self) -> int:
        """Kill it, with the programs it may have started, and say how it ended."""
        if self.rest is not None:
            self.rest.cancel()
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        return await self._process.wait()


async def start(module: str, arguments: Sequence[str]) -> PipedProcess:
    process = await asyncio.create_subprocess_exec(
        *(*command(module), *arguments),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        env={**{key: os.environ[key] for key in KNOWN & os.environ.keys()}, **FRUGAL},
        cwd=tempfile.gettempdir(),
        start_new_session=True,
    )
    return PipedProcess(process)


def command(module: str) -> tuple[str, ...]:
    # -P: a file called json.py in the folder we were started in is not ours to run.
    return (sys.executable, "-P", "-m", module)
