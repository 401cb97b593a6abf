"""What extractors lean on for pictures and sound: plugs that are loaded when first used."""

from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

from remem.adapters.extractors.limits import HTML_CHARS
from remem.core.errors import Unreadable
from remem.core.ports import Asr, Ocr, Spoken

# A name of ours, or `module:Class` of somebody else's plug.
OCR_PLUGS = {"local": "remem.adapters.ocr.local:LocalOcr"}
ASR_PLUGS = {"local": "remem.adapters.asr.local:LocalAsr"}


class LateOcr:
    """An Ocr that costs nothing until there is something to read."""

    def __init__(self, plug: str = "local", before: Callable[[], None] | None = None) -> None:
        self._plug = OCR_PLUGS.get(plug, plug)
        self._before = before
        self._loaded: Ocr | None = None

    def read(self, image: bytes) -> str:
        self._loaded = self._loaded or _load(self._plug, "Reading pictures", self._before)
        return self._loaded.read(image)


class LateAsr:
    """An Asr that costs nothing until there is something to hear."""

    def __init__(self, plug: str = "local", before: Callable[[], None] | None = None) -> None:
        self._plug = ASR_PLUGS.get(plug, plug)
        self._before = before
        self._loaded: Asr | None = None

    def transcribe(self, path: Path) -> list[Spoken]:
        self._loaded = self._loaded or _load(self._plug, "Writing down speech", self._before)
        return self._loaded.transcribe(path)


@dataclass(frozen=True, slots=True)
class Engines:
    """`grammars`: whether code may be parsed, which only a process that may die can afford."""

    ocr: Ocr = field(default_factory=LateOcr)
    asr: Asr = field(default_factory=LateAsr)
    html_chars: int = HTML_CHARS
    grammars: bool = False


def _load(plug: str, purpose: str, before: Callable[[], None] | None) -> Any:
    module, _, name = plug.partition(":")
    if before is not None:
        before()
    try:
        return getattr(import_module(module), name)()
    except ImportError as error:
        raise Unreadable(
            f"{purpose} is not set up here ({error.name or plug} is missing); "
            "install it, or save the text itself."
        ) from error
