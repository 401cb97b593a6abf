"""Analysis in a few processes, started on demand and replaced when a call takes too long."""

import asyncio
import os
import pickle
from collections.abc import Callable
from typing import Any

from remem.adapters import piped_process
from remem.adapters.analysis.deadline import Deadline, check_is_named
from remem.adapters.piped_process import PipedProcess
from remem.core.errors import AnalysisStopped, Unavailable
from remem.core.ports import Answer

MEMORY_BYTES = 1_000_000_000
# A process is replaced after this many calls, in case it leaks memory.
CALLS_PER_PROCESS = 20_000
IDLE_S = 300.0
MAX_WAITING = 1_000
# A call also ends after this many times its CPU limit in wall-clock time.
WALL_FACTOR = 12


class ProcessAnalysis:
    """See core.ports.Analysis. Runs `processes` calls concurrently; others wait."""

    def __init__(
        self,
        processes: int = 2,
        deadline: Deadline | None = None,
        package: str = "remem.core",
        niceness: int = 0,
    ) -> None:
        # Only functions of this package are called.
        self._package = package
        self._niceness = niceness
        self._deadline = deadline or Deadline()
        self._slots = asyncio.Semaphore(processes)
        self._waiting = 0
        self._idle: list[PipedProcess] = []
        self._busy: set[PipedProcess] = set()
        self._ending: set[asyncio.Task[int]] = set()
        self._is_closed = False

    async def run(self, function: Callable[..., Answer], *arguments: Any) -> Answer:
        check_is_named(function)
        if self._waiting >= MAX_WAITING:
            raise Unavailable("Too many texts are being analysed; try again in a minute.")
        self._waiting += 1
        try:
            async with self._slots:
                return await self._call(function, arguments)
        finally:
            self._waiting -= 1

    async def close(self) -> None:
        self._is_closed = True
        processes = [*self._idle, *self._busy]
        self._idle.clear()
        await asyncio.gather(*(process.end() for process in processes), *self._ending)

    async def _call(self, function: Callable[..., Answer], arguments: tuple[Any, ...]) -> Answer:
        cpu_s = self._deadline.seconds(arguments)
        call = (function.__module__, function.__name__, arguments, cpu_s)
        question = pickle.dumps(call, pickle.HIGHEST_PROTOCOL)
        if self._is_closed:
            raise Unavailable("The server is stopping; try again when it is back.")
        process = self._take_idle() or await self._start()
        succeeded, result = pickle.loads(await self._ask(process, question, cpu_s))
        if not succeeded:
            raise AnalysisStopped(f"The analysis failed ({result}).", code="failed")
        return result

    async def _ask(self, process: PipedProcess, question: bytes, cpu_s: float) -> bytes:
        self._busy.add(process)
        is_healthy = False
        try:
            answer = await asyncio.wait_for(process.ask(question), WALL_FACTOR * cpu_s)
            is_healthy = True
            return answer
        except (TimeoutError, EOFError) as error:
            is_late = isinstance(error, TimeoutError)
            raise AnalysisStopped(
                f"The analysis took longer than {cpu_s:,.0f} s, or its process ended.",
                code="deadline" if is_late else "ended",
            ) from None
        finally:
            self._busy.discard(process)
            if is_healthy:
                self._put_back(process)
            else:
                self._end_soon(process)

    def _take_idle(self) -> PipedProcess | None:
        while self._idle:
            process = self._idle.pop()
            if process.idle_timer is not None:
                process.idle_timer.cancel()
            if process.is_alive:
                return process
        return None

    def _put_back(self, process: PipedProcess) -> None:
        if process.served >= CALLS_PER_PROCESS or self._is_closed:
            self._end_soon(process)
            return
        self._idle.append(process)
        process.idle_timer = asyncio.get_running_loop().call_later(IDLE_S, self._retire, process)

    def _retire(self, process: PipedProcess) -> None:
        if process in self._idle:
            self._idle.remove(process)
            self._end_soon(process)

    def _end_soon(self, process: PipedProcess) -> None:
        task = asyncio.get_running_loop().create_task(process.end())
        self._ending.add(task)
        task.add_done_callback(self._ending.discard)

    async def _start(self) -> PipedProcess:
        arguments = (
            *("--memory-bytes", str(MEMORY_BYTES)),
            *("--parent", str(os.getpid())),
            *("--package", self._package),
            *("--niceness", str(self._niceness)),
        )
        return await piped_process.start("remem.adapters.analysis.child", arguments)
