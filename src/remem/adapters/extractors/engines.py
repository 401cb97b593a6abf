"""OCR and speech recognition for the extractors, loaded when first used."""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from remem.adapters import asr, ocr
from remem.adapters.extractors.limits import HTML_CHARS
from remem.adapters.table import load
from remem.core.errors import Unavailable, Unreadable
from remem.core.extraction_ports import Asr, Ocr, PictureText, Spoken


@dataclass(frozen=True, slots=True)
class Engine:
    """An adapter to create in another process: `module:Class`, and its arguments."""

    target: str
    arguments: Mapping[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class CallReport:
    """State of a provider, exchanged between the server and an extraction process: whether calls
    are paused, and the result of the calls for one file."""

    paused: str | None = None
    calls: int = 0
    seconds: float = 0.0
    failure: str | None = None

    @contextmanager
    def call(self) -> Iterator[None]:
        if self.paused:
            raise Unavailable(self.paused)
        self.calls += 1
        started_s = time.monotonic()
        try:
            yield
        except Unavailable as error:
            self.failure = error.message
            raise
        finally:
            self.seconds += time.monotonic() - started_s


LOCAL_OCR = Engine(ocr.ADAPTERS["local"].target)
LOCAL_ASR = Engine(asr.ADAPTERS["local"].target)


class LazyOcr:
    """An Ocr that is loaded by its first call."""

    def __init__(
        self, engine: Engine = LOCAL_OCR, before_load: Callable[[], None] | None = None
    ) -> None:
        self._engine = engine
        self._before_load = before_load
        self._loaded: Ocr | None = None
        self.report = CallReport()

    def read(self, image: bytes) -> PictureText:
        with self.report.call():
            self._loaded = self._loaded or _load(
                self._engine, "Reading pictures", self._before_load
            )
            return self._loaded.read(image)


class LazyAsr:
    """An Asr that is loaded by its first call."""

    def __init__(
        self, engine: Engine = LOCAL_ASR, before_load: Callable[[], None] | None = None
    ) -> None:
        self._engine = engine
        self._before_load = before_load
        self._loaded: Asr | None = None
        self.report = CallReport()

    def transcribe(self, path: Path) -> list[Spoken]:
        with self.report.call():
            self._loaded = self._loaded or _load(
                self._engine, "Writing down speech", self._before_load
            )
            return self._loaded.transcribe(path)


@dataclass(frozen=True, slots=True)
class Engines:
    """The engines. `grammars` is whether code may be parsed, which is only safe in a process that
    may crash."""

    ocr: Ocr = field(default_factory=LazyOcr)
    asr: Asr = field(default_factory=LazyAsr)
    html_chars: int = HTML_CHARS
    grammars: bool = False


def _load(engine: Engine, purpose: str, before_load: Callable[[], None] | None) -> Any:
    if before_load is not None:
        before_load()
    try:
        return load(engine.target)(**engine.arguments)
    except ImportError as error:
        raise Unreadable(
            f"{purpose} is not set up here ({error.name or engine.target} is missing); "
            "install it, or save the text itself."
        ) from error
