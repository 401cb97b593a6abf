"""Makes samples of a sound or video file.

WAV is read by ourselves, MP3, FLAC, Ogg and Opus by libsndfile, all else by the ffmpeg program."""

import math
import shutil
import subprocess
import tempfile
import wave
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from remem.core.errors import Unreadable

if TYPE_CHECKING:
    from soundfile import SoundFile

Samples: TypeAlias = NDArray[np.float32]

RATE = 16_000
DECODE_TIMEOUT_S = 600
RATES = range(1_000, 400_000)
# Samples on each side of the one asked for; more would be finer than speech needs.
REACH = 32
# Formats that contain sound themselves: a playlist, which names other files, is none of them.
FORMATS = (
    "aac,ac3,aiff,amr,asf,au,avi,caf,flac,flv,matroska,webm,mov,mp4,m4a,3gp,3g2,mj2,"
    "mp3,mpeg,mpegts,ogg,wav,w64"
)


def listen(path: Path, max_s: float) -> Iterator[Samples]:
    """The first `max_s` seconds in blocks of a second, one channel, 16 kHz, from -1 to 1."""
    if _is_wav(path):
        with wave.open(str(path), "rb") as file:
            yield from _from_wav(file, max_s)
    elif (found := open_sound(path)) is not None:
        with found:
            yield from _from_library(found, max_s)
    else:
        with tempfile.TemporaryFile() as decoded:
            _decode(path, max_s, decoded)
            yield from _from_raw(decoded)


def open_sound(path: Path) -> "SoundFile | None":
    """None for what libsndfile does not read: AAC, WMA, video."""
    try:
        import soundfile

        return soundfile.SoundFile(str(path))
    except (ImportError, OSError, RuntimeError):
        # The package may be without its library, and what the library raises is a RuntimeError.
        return None


def _from_library(file: "SoundFile", max_s: float) -> Iterator[Samples]:
    rate = file.samplerate
    if rate not in RATES:
        raise Unreadable(f"The sound has {rate} samples a second, which is not a valid rate.")
    seconds = (block.mean(axis=1) for block in _blocks(file, rate))
    yield from islice(_resampled(seconds, rate), math.ceil(max_s))


def _blocks(file: "SoundFile", rate: int) -> Iterator[Samples]:
    """A file that breaks off still gives what stands before the break."""
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
        whole = len(raw) - len(raw) % (width * channels)
        yield _amplitudes(raw[:whole], width).reshape(-1, channels).mean(axis=1)


def _amplitudes(raw: bytes, width: int) -> Samples:
    """Samples of 8 bits have no sign; those of 24 are widened, as numpy has no such number."""
    if width == 1:
        return ((np.frombuffer(raw, np.uint8) - 128.0) / 128).astype(np.float32)
    if width == 3:
        parts = np.frombuffer(raw, np.uint8).reshape(-1, 3)
        raw = np.pad(parts, ((0, 0), (1, 0))).tobytes()
        width = 4
    return (np.frombuffer(raw, f"<i{width}") / 2.0 ** (8 * width - 1)).astype(np.float32)


def _resampled(seconds: Iterator[Samples], rate: int) -> Iterator[Samples]:
    """Each second by a windowed sinc, which also keeps out what 16 kHz cannot carry.

    Every second begins on a sample of both rates, so that one table serves them all."""
    if rate == RATE:
        yield from seconds
        return
    places, weights = _table(rate)
    before = np.zeros(REACH, np.float32)
    for block, after in _with_next(seconds):
        padded = np.concatenate([before, block, after[:REACH]])
        padded = np.pad(padded, (0, max(0, rate + 2 * REACH - len(padded))))
        length = -(-len(block) * RATE // rate)
        yield np.einsum("ij,ij->i", padded[places[:length]], weights[:length])
        before = padded[len(block) : len(block) + REACH]


def _table(rate: int) -> tuple[NDArray[np.int64], Samples]:
    """For each of a second's new samples, which old ones it is made of and how much of each."""
    exact = np.arange(RATE) * (rate / RATE)
    places = np.floor(exact).astype(np.int64)[:, None] + np.arange(1, 2 * REACH + 1)
    distance = places - REACH - exact[:, None]
    # A downward step needs a lower corner, with some room for the filter to fall.
    corner = min(1.0, 0.95 * RATE / rate)
    window = 0.5 + 0.5 * np.cos(np.pi * distance / REACH)
    weights = corner * np.sinc(corner * distance) * window
    return places, (weights / weights.sum(axis=1, keepdims=True)).astype(np.float32)


def _with_next(blocks: Iterator[Samples]) -> Iterator[tuple[Samples, Samples]]:
    block = next(blocks, None)
    while block is not None:
        after = next(blocks, None)
        yield block, np.zeros(0, np.float32) if after is None else after
        block = after


def _decode(path: Path, max_s: float, into: IO[bytes]) -> None:
    program = shutil.which("ffmpeg")
    if program is None:
        raise Unreadable(
            "Video, and sound in this format, cannot be read without the ffmpeg program: install "
            "ffmpeg (Debian: apt install ffmpeg; macOS: brew install ffmpeg), or save it as WAV, "
            "MP3, FLAC, Ogg or Opus.",
            code="ffmpeg_missing",
        )
    # The file is a stranger's: it may name no other file and reach no network.
    asked = (
        *("-nostdin", "-v", "error", "-threads", "1"),
        *("-protocol_whitelist", "file", "-format_whitelist", FORMATS),
        *("-i", f"file:{path.absolute()}", "-map", "0:a:0", "-t", str(max_s)),
        *("-ac", "1", "-ar", str(RATE), "-c:a", "pcm_s16le", "-f", "s16le", "pipe:1"),
    )
    try:
        done = subprocess.run(
            [program, *asked],
            stdin=subprocess.DEVNULL,
            stdout=into,
            stderr=subprocess.PIPE,
            timeout=DECODE_TIMEOUT_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise Unreadable(f"The sound could not be decoded in {DECODE_TIMEOUT_S} s.") from None
    # A file that breaks off still gives what stands before the break.
    if done.returncode and not into.tell():
        raise Unreadable("ffmpeg cannot decode this file, or it has no audio track.")


def _from_raw(file: IO[bytes]) -> Iterator[Samples]:
    file.seek(0)
    while raw := file.read(2 * RATE):
        yield _amplitudes(raw[: len(raw) - len(raw) % 2], 2)
