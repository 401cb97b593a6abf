"""Audio and video: the speech line by line, each line with its start in seconds."""

import re
import subprocess
import wave
from collections import Counter
from pathlib import Path

from remem.adapters.asr.ffmpeg import find_ffmpeg
from remem.adapters.asr.sound import open_sound
from remem.adapters.extractors.draft import Draft
from remem.adapters.extractors.engines import Engines
from remem.adapters.extractors.limits import SOUND_S
from remem.core.chunking.model import Joint
from remem.core.errors import Unreadable
from remem.core.extraction_ports import Extracted, Original, Spoken

PROBE_TIMEOUT_S = 30
MAX_UNSURE_SHARE = 0.5
NOT_UNDERSTOOD = (
    "The speech was not understood: it is unclear, or in a language that the speech model does not "
    "know. The included model knows English only; for others set REMEM_ASR_MODEL to the folder of "
    "a multilingual Whisper model, or REMEM_ASR to openai, and try again."
)
PARTLY_UNDERSTOOD = (
    "Parts of the speech may be wrong: they are unclear, or in a language that the speech model "
    "does not know."
)
DURATION = re.compile(rb"^  Duration: (\d+):(\d\d):(\d\d\.\d+)", re.MULTILINE)


def extract(original: Original, engines: Engines) -> Extracted:
    return _extract(original.path, engines, "audio")


def extract_video(original: Original, engines: Engines) -> Extracted:
    return _extract(original.path, engines, "video")


def _extract(path: Path, engines: Engines, content_type: str) -> Extracted:
    duration_s = _duration_s(path)
    spoken = [line for line in engines.asr.transcribe(path) if line.text.strip()]
    if not spoken:
        raise Unreadable(
            f"No speech was found in the {_medium_name(content_type)}; describe it in words."
        )
    unsure_share = _unsure_share(spoken)
    if unsure_share > MAX_UNSURE_SHARE:
        raise Unreadable(NOT_UNDERSTOOD, code="speech_not_understood")
    draft = Draft()
    for line in _within_limit(spoken):
        draft.mark(Joint.TIME, number=round(line.start_s, 2))
        draft.add(line.text, separator="\n")
    is_longer = (duration_s or spoken[-1].end_s) > SOUND_S
    notes = [f"Only the first {SOUND_S // 3600} hours were listened to."] if is_longer else []
    notes += [PARTLY_UNDERSTOOD] if unsure_share else []
    metadata = {
        "duration_s": round(duration_s or spoken[-1].end_s, 2),
        "language": _language(spoken),
    }
    return draft.finish(content_type, metadata, " ".join(notes) or None)


def _unsure_share(spoken: list[Spoken]) -> float:
    """How much of the speech the model may have invented."""
    seconds = sum(line.end_s - line.start_s for line in spoken)
    unsure = sum(line.end_s - line.start_s for line in spoken if not line.is_sure)
    return unsure / seconds if seconds else float(not all(line.is_sure for line in spoken))


def _language(spoken: list[Spoken]) -> str | None:
    languages = Counter(line.language for line in spoken if line.language)
    return languages.most_common(1)[0][0] if languages else None


def _within_limit(spoken: list[Spoken]) -> list[Spoken]:
    return [line for line in spoken if line.start_s < SOUND_S]


def _medium_name(content_type: str) -> str:
    return "video" if content_type == "video" else "recording"


def _duration_s(path: Path) -> float | None:
    """Return the duration according to the WAV header, libsndfile or ffmpeg."""
    try:
        with wave.open(str(path), "rb") as file:
            return file.getnframes() / max(1, file.getframerate())
    except (wave.Error, EOFError, OSError):
        return _libsndfile_duration_s(path) or _ffmpeg_duration_s(path)


def _libsndfile_duration_s(path: Path) -> float | None:
    if (file := open_sound(path)) is None:
        return None
    with file:
        return file.frames / max(1, file.samplerate)


def _ffmpeg_duration_s(path: Path) -> float | None:
    program = find_ffmpeg()
    if program is None:
        return None
    # The file is not trusted: it may not refer to other files or the network.
    options = ("-nostdin", "-hide_banner", "-protocol_whitelist", "file")
    try:
        result = subprocess.run(
            [program, *options, "-i", f"file:{path.absolute()}"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=PROBE_TIMEOUT_S,
            check=False,
        )
    except (subprocess.SubprocessError, OSError):
        return None
    if not (duration := DURATION.search(result.stderr)):
        return None
    hours, minutes, seconds = map(float, duration.groups())
    return hours * 3600 + minutes * 60 + seconds
