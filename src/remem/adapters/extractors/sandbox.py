"""Runs extraction in processes of its own: bounded in memory and time, and none of our secrets."""

import asyncio
import contextlib
import signal
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import structlog

from remem.adapters import piped_process
from remem.adapters.circuit import FAILURES, Circuit
from remem.adapters.extractors import wire
from remem.adapters.extractors.child import OUT_OF_MEMORY
from remem.adapters.extractors.engines import LOCAL_ASR, LOCAL_OCR, Engine, Engines
from remem.adapters.extractors.kinds import extract
from remem.adapters.extractors.limits import HTML_CHARS, MEGABYTE
from remem.adapters.extractors.sniff import ZIP_MAGIC, read_head, sniff
from remem.adapters.extractors.turns import Turns
from remem.adapters.piped_process import PipedProcess
from remem.core import telemetry
from remem.core.errors import Unavailable, Unreadable
from remem.core.extraction_ports import Extracted, Original

log = structlog.get_logger()

# A process that read this many files is replaced, with whatever it may have leaked.
FILES_PER_CHILD = 50
IDLE_S = 60.0
# Speech takes a tenth of its length: four hours fit into four times the usual time.
SOUND_PATIENCE = 4
# Decoding and tidying is all that these need, so that no child is worth its start.
PLAIN = frozenset(("text", "markdown", "note", "tweet"))
PLAIN_BYTES = 1 * MEGABYTE
# A text or a grammar that takes longer is stuck; a request is waiting.
QUICK_S, QUICK_S_A_BYTE = 5.0, 5e-6
# How much longer than its processor time it may take by the clock.
BUSY = 4
TOO_SLOW = "too_slow"


class SandboxedExtractor:
    """Makes text of any file; see core.ports.Extractor. Children start when first needed, are
    used again, rest for a minute and end: `processes` at once, and as many again for what somebody
    waits for; see Turns for who comes first."""

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
        # Of remote providers, by the name of their port: ocr, asr.
        self._circuits = circuits or {}
        self._timeout_s = timeout_s
        self._memory_bytes = memory_bytes
        self._limits = ("--memory-bytes", str(memory_bytes), "--html-chars", str(html_chars))
        self._engines = wire.pack({"ocr": asdict(ocr), "asr": asdict(asr)})
        self._turns = Turns(processes)
        # What is read while its sender waits must not queue behind an hour of speech.
        self._quick_turns = Turns(processes)
        self._idle: list[PipedProcess] = []
        self._busy: set[PipedProcess] = set()
        self._ending: set[asyncio.Task[int]] = set()
        self._is_closed = False

    async def extract(
        self, original: Original, *, owner: str = "", waits: bool = False
    ) -> Extracted:
        kind = await asyncio.to_thread(_quick_look, original)
        if kind in PLAIN:
            return await asyncio.to_thread(extract, original, Engines(), kind)
        if kind == "code":
            async with self._quick_turns.turn(owner):
                return await self._code(original)
        if waits:
            async with self._quick_turns.turn(owner):
                return await self._quickly(original)
        patience = SOUND_PATIENCE if kind in ("audio", "video") else 1
        async with self._turns.turn(owner):
            return await self._in_child(original, patience * self._timeout_s)

    async def close(self) -> None:
        self._is_closed = True
        children = [*self._idle, *self._busy]
        self._idle.clear()
        await asyncio.gather(*(child.end() for child in children), *self._ending)

    async def _quickly(self, original: Original) -> Extracted:
        """In a few seconds of processor time; on a busy machine they take longer to pass."""
        cpu_s = min(self._timeout_s, _patience_s(original.path))
        return await self._in_child(original, min(self._timeout_s, BUSY * cpu_s), cpu_s=cpu_s)

    async def _code(self, original: Original) -> Extracted:
        """With what its grammar says of it; a grammar that fails is done without."""
        timeout_s = min(self._timeout_s, _patience_s(original.path))
        try:
            return await self._in_child(original, timeout_s, grammars=True)
        except Unreadable as error:
            log.info("code_read_without_grammar", error=error.code)
            return await self._in_child(original, self._timeout_s)

    async def _in_child(
        self,
        original: Original,
        timeout_s: float,
        *,
        cpu_s: float | None = None,
        grammars: bool = False,
    ) -> Extracted:
        paused = self._paused()
        admitted = [circuit for name, circuit in self._circuits.items() if name not in paused]
        question = wire.ask(original, cpu_s or timeout_s, paused=paused, grammars=grammars)
        try:
            return await self._answer(question, timeout_s)
        except Unavailable as error:
            error.service = self._failing()
            raise
        finally:
            for circuit in admitted:
                circuit.abandon()

    async def _answer(self, question: dict[str, Any], timeout_s: float) -> Extracted:
        if (used := self._rested()) is not None:
            # What fails here may be the fault of files before this one: a fresh child will tell.
            with contextlib.suppress(EOFError, MemoryError):
                return _understood(await self._ask(used, question, timeout_s))
        if self._is_closed:
            raise _stopping()
        fresh = await self._start()
        try:
            return _understood(await self._ask(fresh, question, timeout_s))
        except MemoryError:
            raise self._too_large() from None
        except EOFError:
            code = await fresh.end()
            raise (_stopping() if self._is_closed else self._explained(code)) from None

    async def _ask(
        self, child: PipedProcess, question: dict[str, Any], timeout_s: float
    ) -> dict[str, Any]:
        self._busy.add(child)
        is_well = False
        try:
            answer = wire.unpack(await asyncio.wait_for(child.ask(wire.pack(question)), timeout_s))
            if answer.get("code") == OUT_OF_MEMORY:
                raise MemoryError
            self._count(answer["calls"])
            is_well = True
            return answer
        except TimeoutError:
            raise Unreadable(
                f"Reading the file took longer than {timeout_s:,.0f} s;"
                " split it into smaller ones.",
                code=TOO_SLOW,
            ) from None
        finally:
            self._busy.discard(child)
            if is_well:
                self._put_back(child)
            else:
                await child.end()

    def _paused(self) -> dict[str, str]:
        paused = {}
        for name, circuit in self._circuits.items():
            try:
                circuit.admit()
            except Unavailable as error:
                paused[name] = error.message
        return paused

    def _failing(self) -> str | None:
        states = {name: circuit.state().state for name, circuit in self._circuits.items()}
        return next((name for name, state in states.items() if state != "ok"), None)

    def _count(self, calls: Mapping[str, Mapping[str, Any]]) -> None:
        """A child has tried a call again as often as one is tried before it says that it failed."""
        for name, circuit in self._circuits.items():
            report = calls[name]
            if report["calls"]:
                result = "failed" if report["failure"] else "ok"
                telemetry.record(
                    "provider_request", report["seconds"], provider=name, result=result
                )
            if report["failure"]:
                circuit.fail(report["failure"], weight=FAILURES)
            elif report["calls"]:
                circuit.succeed()

    def _rested(self) -> PipedProcess | None:
        while self._idle:
            child = self._idle.pop()
            if child.rest is not None:
                child.rest.cancel()
            if child.is_alive:
                return child
        return None

    def _put_back(self, child: PipedProcess) -> None:
        if child.served >= FILES_PER_CHILD or self._is_closed:
            self._end_soon(child)
            return
        self._idle.append(child)
        child.rest = asyncio.get_running_loop().call_later(IDLE_S, self._retire, child)

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

    def _explained(self, returncode: int) -> Unreadable:
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


def _stopping() -> Unavailable:
    return Unavailable("The server is stopping; the file is kept and read when it is back.")


def _understood(answer: dict[str, Any]) -> Extracted:
    if "content" in answer:
        return wire.parse_extracted(answer)
    if answer.get("is_down"):
        # The file is good: it is read when what is down is back.
        raise Unavailable(answer["message"], code=answer["code"])
    raise Unreadable(answer["message"], code=answer["code"])


def _quick_look(original: Original) -> str:
    """What the file is, as far as its first bytes tell; archives are for the child to open."""
    if read_head(original.path).startswith(ZIP_MAGIC):
        return "archive"
    kind = sniff(original)
    return kind if _is_small(original.path) or kind not in PLAIN else "large"


def _patience_s(path: Path) -> float:
    return QUICK_S + QUICK_S_A_BYTE * path.stat().st_size


def _is_small(path: Path) -> bool:
    return path.stat().st_size <= PLAIN_BYTES
