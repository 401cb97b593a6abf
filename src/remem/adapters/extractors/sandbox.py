"""Run extraction in separate processes, limited in memory and time and without our secrets."""

import asyncio
import contextlib
import signal
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import structlog

from remem.adapters import piped_process
from remem.adapters.circuit import FAILURE_LIMIT, Circuit
from remem.adapters.extractors import wire
from remem.adapters.extractors.child import OUT_OF_MEMORY
from remem.adapters.extractors.engines import LOCAL_ASR, LOCAL_OCR, Engine, Engines
from remem.adapters.extractors.fair_semaphore import FairSemaphore
from remem.adapters.extractors.kinds import extract
from remem.adapters.extractors.limits import HTML_CHARS, MEGABYTE
from remem.adapters.extractors.sniff import ZIP_MAGIC, read_head, sniff
from remem.adapters.piped_process import PipedProcess
from remem.core import telemetry
from remem.core.content_kinds import KINDS
from remem.core.errors import Unavailable, Unreadable
from remem.core.extraction_ports import Extracted, Original

log = structlog.get_logger()

# A process is replaced after this many files, in case it leaks memory.
FILES_PER_CHILD = 50
IDLE_S = 60.0
# Transcribing takes a tenth of the recording's length: four hours fit into four times the limit.
SOUND_TIMEOUT_FACTOR = 4
# These only need decoding and tidying, which is not worth starting a process.
PLAIN_KINDS = frozenset(kind.name for kind in KINDS.values() if kind.extract.startswith("text:"))
PLAIN_BYTES = 1 * MEGABYTE
# A text or a grammar that takes longer is stuck, while a request is waiting.
QUICK_S, QUICK_S_A_BYTE = 5.0, 5e-6
# Allowed ratio of wall-clock time to CPU time.
CLOCK_FACTOR = 4
TOO_SLOW = "too_slow"


class SandboxedExtractor:
    """Extracts the text of any file; see core.ports.Extractor. Processes start when needed, are
    reused, and end after being idle for a minute. At most `processes` run at once, and as many
    again for requests that wait; FairSemaphore decides the order."""

    def __init__(
        self,
        processes: int = 2,
        timeout_s: float = 600,
        memory_bytes: int = 1_000_000_000,
        ocr: Engine = LOCAL_OCR,
        asr: Engine = LOCAL_ASR,
        html_chars: int = HTML_CHARS,
        circuits: Mapping[str, Circuit] | None = None,
    ) -> None:
        # Circuits of remote providers, by the name of their port: ocr, asr.
        self._circuits = circuits or {}
        self._timeout_s = timeout_s
        self._memory_bytes = memory_bytes
        self._limits = ("--memory-bytes", str(memory_bytes), "--html-chars", str(html_chars))
        self._engines = wire.pack({"ocr": asdict(ocr), "asr": asdict(asr)})
        self._semaphore = FairSemaphore(processes)
        # Files whose sender waits must not queue after an hour of speech.
        self._quick_semaphore = FairSemaphore(processes)
        self._idle: list[PipedProcess] = []
        self._busy: set[PipedProcess] = set()
        self._ending: set[asyncio.Task[int]] = set()
        self._is_closed = False

    async def extract(
        self, original: Original, *, owner: str = "", waits: bool = False
    ) -> Extracted:
        kind = await asyncio.to_thread(_kind_by_head, original)
        if kind in PLAIN_KINDS:
            return await asyncio.to_thread(extract, original, Engines(), kind)
        if kind == "code":
            async with self._quick_semaphore.slot(owner):
                return await self._extract_code(original)
        if waits:
            async with self._quick_semaphore.slot(owner):
                return await self._extract_quickly(original)
        factor = SOUND_TIMEOUT_FACTOR if kind in ("audio", "video") else 1
        async with self._semaphore.slot(owner):
            return await self._extract_in_child(original, factor * self._timeout_s)

    async def close(self) -> None:
        self._is_closed = True
        children = [*self._idle, *self._busy]
        self._idle.clear()
        await asyncio.gather(*(child.end() for child in children), *self._ending)

    async def _extract_quickly(self, original: Original) -> Extracted:
        """Extract within a few seconds of CPU time, which take longer on a busy machine."""
        cpu_s = min(self._timeout_s, _quick_limit_s(original.path))
        return await self._extract_in_child(
            original, min(self._timeout_s, CLOCK_FACTOR * cpu_s), cpu_s=cpu_s
        )

    async def _extract_code(self, original: Original) -> Extracted:
        """Extract code with its grammar; if that fails, without it."""
        timeout_s = min(self._timeout_s, _quick_limit_s(original.path))
        try:
            return await self._extract_in_child(original, timeout_s, grammars=True)
        except Unreadable as error:
            log.info("code_read_without_grammar", error=error.code)
            return await self._extract_in_child(original, self._timeout_s)

    async def _extract_in_child(
        self,
        original: Original,
        timeout_s: float,
        *,
        cpu_s: float | None = None,
        grammars: bool = False,
    ) -> Extracted:
        paused = self._paused_providers()
        admitted = [circuit for name, circuit in self._circuits.items() if name not in paused]
        request = wire.build_request(original, cpu_s or timeout_s, paused=paused, grammars=grammars)
        try:
            return await self._run_in_child(request, timeout_s)
        except Unavailable as error:
            error.service = self._failing_provider()
            raise
        finally:
            for circuit in admitted:
                circuit.abandon()

    async def _run_in_child(self, request: dict[str, Any], timeout_s: float) -> Extracted:
        if (idle_child := self._take_idle()) is not None:
            # A failure may be caused by earlier files, so try again in a new process.
            with contextlib.suppress(EOFError, MemoryError):
                return _parse_response(await self._send(idle_child, request, timeout_s))
        if self._is_closed:
            raise _stopping_error()
        new_child = await self._start()
        try:
            return _parse_response(await self._send(new_child, request, timeout_s))
        except MemoryError:
            raise self._too_large() from None
        except EOFError:
            code = await new_child.end()
            raise (_stopping_error() if self._is_closed else self._crash_error(code)) from None

    async def _send(
        self, child: PipedProcess, request: dict[str, Any], timeout_s: float
    ) -> dict[str, Any]:
        self._busy.add(child)
        succeeded = False
        try:
            response = wire.unpack(await asyncio.wait_for(child.ask(wire.pack(request)), timeout_s))
            if response.get("code") == OUT_OF_MEMORY:
                raise MemoryError
            self._record_calls(response["calls"])
            succeeded = True
            return response
        except TimeoutError:
            raise Unreadable(
                f"Reading the file took longer than {timeout_s:,.0f} s;"
                " split it into smaller ones.",
                code=TOO_SLOW,
            ) from None
        finally:
            self._busy.discard(child)
            if succeeded:
                self._put_back(child)
            else:
                await child.end()

    def _paused_providers(self) -> dict[str, str]:
        paused = {}
        for name, circuit in self._circuits.items():
            try:
                circuit.admit()
            except Unavailable as error:
                paused[name] = error.message
        return paused

    def _failing_provider(self) -> str | None:
        states = {name: circuit.state().state for name, circuit in self._circuits.items()}
        return next((name for name, state in states.items() if state != "ok"), None)

    def _record_calls(self, calls: Mapping[str, Mapping[str, Any]]) -> None:
        """Record provider calls. The process has already retried a call before it reports a
        failure, so a failure opens the circuit at once."""
        for name, circuit in self._circuits.items():
            report = calls[name]
            if report["calls"]:
                result = "failed" if report["failure"] else "ok"
                telemetry.record(
                    "provider_request", report["seconds"], provider=name, result=result
                )
            if report["failure"]:
                circuit.fail(report["failure"], weight=FAILURE_LIMIT)
            elif report["calls"]:
                circuit.succeed()

    def _take_idle(self) -> PipedProcess | None:
        while self._idle:
            child = self._idle.pop()
            if child.idle_timer is not None:
                child.idle_timer.cancel()
            if child.is_alive:
                return child
        return None

    def _put_back(self, child: PipedProcess) -> None:
        if child.served >= FILES_PER_CHILD or self._is_closed:
            self._end_soon(child)
            return
        self._idle.append(child)
        child.idle_timer = asyncio.get_running_loop().call_later(IDLE_S, self._retire, child)

    def _retire(self, child: PipedProcess) -> None:
        if child in self._idle:
            self._idle.remove(child)
            self._end_soon(child)

    def _end_soon(self, child: PipedProcess) -> None:
        task = asyncio.get_running_loop().create_task(child.end())
        self._ending.add(task)
        task.add_done_callback(self._ending.discard)

    async def _start(self) -> PipedProcess:
        child = await piped_process.start("remem.adapters.extractors.child", self._limits)
        child.tell(self._engines)
        return child

    def _crash_error(self, returncode: int) -> Unreadable:
        log.warning("extractor ended", returncode=returncode)
        if returncode == -signal.SIGXCPU:
            return Unreadable(
                "Reading the file took too much computing; split it into smaller files.",
                code=TOO_SLOW,
            )
        if returncode in (-signal.SIGKILL, -signal.SIGABRT):
            return self._too_large()
        return Unreadable(
            "Reading the file ended in a crash: it is damaged, or made to do harm; "
            "open it in its program and save it again."
        )

    def _too_large(self) -> Unreadable:
        return Unreadable(
            f"The file needs more memory than the {self._memory_bytes / MEGABYTE:,.0f} MB it may "
            "take; split it into smaller files."
        )


def _stopping_error() -> Unavailable:
    return Unavailable("The server is stopping; the file is kept and read when it is back.")


def _parse_response(response: dict[str, Any]) -> Extracted:
    if "content" in response:
        return wire.parse_extracted(response)
    if response.get("is_down"):
        # The file is fine; it is read when the provider works again.
        raise Unavailable(response["message"], code=response["code"])
    raise Unreadable(response["message"], code=response["code"])


def _kind_by_head(original: Original) -> str:
    """Determine the kind of a file from its first bytes; archives are only opened in a child."""
    if read_head(original.path).startswith(ZIP_MAGIC):
        return "archive"
    kind = sniff(original)
    return kind if _is_small(original.path) or kind not in PLAIN_KINDS else "large"


def _quick_limit_s(path: Path) -> float:
    return QUICK_S + QUICK_S_A_BYTE * path.stat().st_size


def _is_small(path: Path) -> bool:
    return path.stat().st_size <= PLAIN_BYTES
