"""Writes down speech on this machine, with the weights that came in our own wheel."""

import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from remem.adapters.asr.sound import listen
from remem.core.errors import CannotStart, Unreadable
from remem.core.extraction_ports import Spoken

if TYPE_CHECKING:
    from remem.adapters.asr.pauses import Detector
    from remem.adapters.asr.whisper import Scribe

MAX_S = 4 * 3_600.0
HOW_TO_FIX = "run `make setup`, or reinstall the package"


@dataclass(frozen=True, slots=True)
class Hearing:
    """The loaded models: one that knows speech from silence, and one that knows words."""

    detector: "Detector"
    scribe: "Scribe"


class LocalAsr:
    """A Whisper model in CTranslate2's format: English tiny.en, unless a folder with another is
    named. What lies beyond `max_s` is not listened to."""

    def __init__(
        self, *, threads: int = 1, folder: Path | None = None, max_s: float = MAX_S
    ) -> None:
        models = Path(str(files("remem.models")))
        self._folder = folder or models / "whisper-tiny-en"
        self._detector = models / "silero-vad" / "silero_vad_v6.onnx"
        self._threads = threads
        self._max_s = max_s
        self._loading = threading.Lock()
        self._hearing: Hearing | None = None

    def transcribe(self, path: Path) -> list[Spoken]:
        from remem.adapters.asr.pauses import windows

        hearing = self._loaded()
        heard = hearing.detector.chances(listen(path, self._max_s))
        spoken = (one for window in windows(heard) for one in hearing.scribe.write_down(window))
        return list(_in_order(spoken))

    def _loaded(self) -> Hearing:
        with self._loading:
            if self._hearing is None:
                self._hearing = _load(self._detector, self._folder, self._threads)
            return self._hearing


def _in_order(spoken: Iterable[Spoken]) -> Iterator[Spoken]:
    """The model's time stamps of two windows may overlap by a tick; no sentence does."""
    ended_s = 0.0
    for one in spoken:
        start_s = max(one.start_s, ended_s)
        ended_s = max(one.end_s, start_s)
        yield Spoken(start_s, ended_s, one.text)


def _load(detector: Path, folder: Path, threads: int) -> Hearing:
    # Imported here because who reads no sound should not wait for it, or need not have it.
    try:
        from ctranslate2.models import Whisper
    except ImportError as error:
        raise Unreadable(
            "Speech is written down by ctranslate2, which is not installed: run "
            "`pip install ctranslate2`.",
            code="speech_missing",
        ) from error
    from tokenizers import Tokenizer

    from remem.adapters.asr.pauses import Detector
    from remem.adapters.asr.whisper import Scribe

    for path in (detector, folder / "model.bin", folder / "tokenizer.json"):
        if not path.is_file():
            raise CannotStart(f"The speech model lacks {path}; {HOW_TO_FIX}.")
    try:
        tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        model = Whisper(str(folder), compute_type="int8", intra_threads=threads)
        return Hearing(Detector(detector), Scribe(model, tokenizer))
    except Exception as error:  # Each library raises types of its own, and bare Exception.
        raise CannotStart(f"The speech model in {folder} is damaged; {HOW_TO_FIX}.") from error
