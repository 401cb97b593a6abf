"""Read the samples of an audio or video file.

WAV is read with the standard library, MP3, FLAC, Ogg and Opus with libsndfile, everything else with
the ffmpeg program, which is run separately."""

import math
import subprocess
import tempfile
import wave
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from remem.adapters.asr.ffmpeg import INSTALL_FFMPEG, find_ffmpeg
from remem.core.errors import Unreadable

if TYPE_CHECKING:
    from soundfile import SoundFile

Samples: TypeAlias = NDArray[np.float32]

RATE = 16_000
DECODE_TIMEOUT_S = 600
RATES = range(1_000, 400_000)
# Input samples on each side of an output sample; more would be finer than speech needs.
FILTER_RADIUS = 32
# Formats that contain sound themselves. Playlists, which name other files, are excluded.
FORMATS = (
    "aac,ac3,aiff,amr,asf,au,avi,caf,flac,flv,matroska,webm,mov,mp4,m4a,3gp,3g2,mj2,"
    "mp3,mpeg,mpegts,ogg,wav,w64"
)


def read_samples(path: Path, max_s: float) -> Iterator[Samples]:
    """Yield the first `max_s` seconds in blocks of a second: mono, 16 kHz, from -1 to 1."""
    if _is_wav(path):
        with wave.open(str(path), "rb") as file:
            yield from _from_wav(file, max_s)
    elif (sound := open_sound(path)) is not None:
        with sound:
            yield from _from_library(sound, max_s)
    else:
        with tempfile.TemporaryFile() as decoded:
            _decode(path, max_s, decoded)
            yield from _from_raw(decoded)


def open_sound(path: Path) -> "SoundFile | None":
    """Open a file with libsndfile; None for formats it does not read, such as AAC and video."""
    try:
        import soundfile

        return soundfile.SoundFile(str(path))
    except (ImportError, OSError, RuntimeError):
        # The package may lack its library, and the library raises RuntimeError.
        return None


def _from_library(file: "SoundFile", max_s: float) -> Iterator[Samples]:
    rate = file.samplerate
    if rate not in RATES:
        raise Unreadable(f"The sound has {rate} samples a second, which is not a valid rate.")
    seconds = (block.mean(axis=1) for block in _blocks(file, rate))
    yield from islice(_resampled(seconds, rate), math.ceil(max_s))


def _blocks(file: "SoundFile", rate: int) -> Iterator[Samples]:
    """Yield blocks of a second. A truncated file yields everything before its end."""
    try:
        while len(block := file.read(rate, dtype="float32", always_2d=True)):
            yield np.asarray(block, np.float32)
    except RuntimeError:
        return


def _is_wav(path: Path) -> bool:
    try:
        with wave.open(str(path), "rb") as file:
            return file.getsampwidth() in (1, 2, 3, 4)
    except (wave.Error, EOFError):
        return False


def _from_wav(file: wave.Wave_read, max_s: float) -> Iterator[Samples]:
    rate = file.getframerate()
    if rate not in RATES:
        raise Unreadable(f"The sound has {rate} samples a second, which is not a valid rate.")
    for number, block in enumerate(_resampled(_seconds(file, rate), rate)):
        if number >= max_s:
            return
        yield block


def _seconds(file: wave.Wave_read, rate: int) -> Iterator[Samples]:
    width, channels = file.getsampwidth(), file.getnchannels()
    while raw := file.readframes(rate):
        complete = len(raw) - len(raw) % (width * channels)
        yield _amplitudes(raw[:complete], width).reshape(-1, channels).mean(axis=1)


def _amplitudes(raw: bytes, width: int) -> Samples:
    """Convert PCM to floats. 8-bit samples are unsigned; 24-bit ones are widened for numpy."""
    if width == 1:
        return ((np.frombuffer(raw, np.uint8) - 128.0) / 128).astype(np.float32)
    if width == 3:
        parts = np.frombuffer(raw, np.uint8).reshape(-1, 3)
        raw = np.pad(parts, ((0, 0), (1, 0))).tobytes()
        width = 4
    return (np.frombuffer(raw, f"<i{width}") / 2.0 ** (8 * width - 1)).astype(np.float32)


def _resampled(seconds: Iterator[Samples], rate: int) -> Iterator[Samples]:
    """Resample with a windowed sinc, which also removes frequencies too high for 16 kHz.

    Every second begins at a sample of both rates, so that all seconds can use one table."""
    if rate == RATE:
        yield from seconds
        return
    indexes, weights = _filter_table(rate)
    previous = np.zeros(FILTER_RADIUS, np.float32)
    for block, following in _with_next(seconds):
        padded = np.concatenate([previous, block, following[:FILTER_RADIUS]])
        padded = np.pad(padded, (0, max(0, rate + 2 * FILTER_RADIUS - len(padded))))
        length = -(-len(block) * RATE // rate)
        yield np.einsum("ij,ij->i", padded[indexes[:length]], weights[:length])
        previous = padded[len(block) : len(block) + FILTER_RADIUS]


def _filter_table(rate: int) -> tuple[NDArray[np.int64], Samples]:
    """The input samples of each output sample of a second, and their weights."""
    positions = np.arange(RATE) * (rate / RATE)
    indexes = np.floor(positions).astype(np.int64)[:, None] + np.arange(1, 2 * FILTER_RADIUS + 1)
    distance = indexes - FILTER_RADIUS - positions[:, None]
    # Downsampling needs a lower cutoff, with some room for the slope of the filter.
    cutoff = min(1.0, 0.95 * RATE / rate)
    window = 0.5 + 0.5 * np.cos(np.pi * distance / FILTER_RADIUS)
    weights = cutoff * np.sinc(cutoff * distance) * window
    return indexes, (weights / weights.sum(axis=1, keepdims=True)).astype(np.float32)


def _with_next(blocks: Iterator[Samples]) -> Iterator[tuple[Samples, Samples]]:
    block = next(blocks, None)
    while block is not None:
        following = next(blocks, None)
        yield block, np.zeros(0, np.float32) if following is None else following
        block = following


def _decode(path: Path, max_s: float, output: IO[bytes]) -> None:
    program = find_ffmpeg()
    if program is None:
        raise Unreadable(
            "Video, and sound in this format, cannot be read without the ffmpeg program: "
            f"{INSTALL_FFMPEG}, or save it as WAV, MP3, FLAC, Ogg or Opus.",
            code="ffmpeg_missing",
        )
    # The file is not trusted: it must not open other files or use the network.
    arguments = (
        *("-nostdin", "-v", "error", "-threads", "1"),
        *("-protocol_whitelist", "file", "-format_whitelist", FORMATS),
        *("-i", f"file:{path.absolute()}", "-map", "0:a:0", "-t", str(max_s)),
        *("-ac", "1", "-ar", str(RATE), "-c:a", "pcm_s16le", "-f", "s16le", "pipe:1"),
    )
    try:
        completed = subprocess.run(
            [program, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.PIPE,
            timeout=DECODE_TIMEOUT_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise Unreadable(f"The sound could not be decoded in {DECODE_TIMEOUT_S} s.") from None
    # A truncated file still yields everything before its end.
    if completed.returncode and not output.tell():
        raise Unreadable("ffmpeg cannot decode this file, or it has no audio track.")


def _from_raw(file: IO[bytes]) -> Iterator[Samples]:
    file.seek(0)
    while raw := file.read(2 * RATE):
        yield _amplitudes(raw[: len(raw) - len(raw) % 2], 2)
