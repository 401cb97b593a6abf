"""Transcribe speech on this machine, with the weights that are part of our wheel."""

import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from remem.adapters.asr.sound import read_samples
from remem.core.errors import CannotStart, Unreadable
from remem.core.extraction_ports import Spoken

if TYPE_CHECKING:
    from remem.adapters.asr.pauses import Detector
    from remem.adapters.asr.whisper import Transcriber

MAX_S = 4 * 3_600.0
HOW_TO_FIX = "run `make setup`, or reinstall the package"


@dataclass(frozen=True, slots=True)
class SpeechModels:
    """The loaded models: one detects speech, the other one transcribes it."""

    detector: "Detector"
    transcriber: "Transcriber"


class LocalAsr:
    """A Whisper model in CTranslate2's format: English tiny.en, unless `folder` contains another,
    which may be multilingual.
    Anything after `max_s` seconds is ignored."""

    def __init__(
        self, *, threads: int = 1, folder: Path | str | None = None, max_s: float = MAX_S
    ) -> None:
        models = Path(str(files("remem.models")))
        self._folder = Path(folder).expanduser() if folder else models / "whisper-tiny-en"
        self._fix = "set REMEM_ASR_MODEL to the right folder" if folder else HOW_TO_FIX
        self._detector = models / "silero-vad" / "silero_vad_v6.onnx"
        self._threads = threads
        self._max_s = max_s
        self._loading = threading.Lock()
        self._models: SpeechModels | None = None

    def transcribe(self, path: Path) -> list[Spoken]:
        from remem.adapters.asr.pauses import split_at_pauses

        models = self._load_once()
        frames = models.detector.probabilities(read_samples(path, self._max_s))
        spoken = (
            sentence
            for window in split_at_pauses(frames)
            for sentence in models.transcriber.transcribe(window)
        )
        return list(_without_overlaps(spoken))

    def _load_once(self) -> SpeechModels:
        with self._loading:
            if self._models is None:
                self._models = _load(self._detector, self._folder, self._threads, self._fix)
            return self._models


def _without_overlaps(spoken: Iterable[Spoken]) -> Iterator[Spoken]:
    """Remove overlaps: the time stamps of two windows may overlap by a tick."""
    ended_s = 0.0
    for sentence in spoken:
        start_s = max(sentence.start_s, ended_s)
        ended_s = max(sentence.end_s, start_s)
        yield replace(sentence, start_s=start_s, end_s=ended_s)


def _load(detector: Path, folder: Path, threads: int, fix: str) -> SpeechModels:
    # Imported here because it is slow to load, and optional for users without audio.
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
    from remem.adapters.asr.whisper import Transcriber

    for path in (detector, folder / "model.bin", folder / "tokenizer.json"):
        if not path.is_file():
            raise CannotStart(f"The speech model lacks {path}; {fix}.")
    try:
        tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        model = Whisper(str(folder), compute_type="int8", intra_threads=threads)
        return SpeechModels(Detector(detector), Transcriber(model, tokenizer))
    except Exception as error:  # Each library raises types of its own, and bare Exception.
        raise CannotStart(f"The speech model in {folder} is damaged; {fix}.") from error
