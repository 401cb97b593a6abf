"""Detect speech, and split it at pauses into windows for the model."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from onnxruntime import InferenceSession, SessionOptions

from remem.adapters.asr.sound import RATE, Samples

FRAME = 512
FRAME_S = FRAME / RATE
# What the detector is shown of the frame before.
CONTEXT = 64
SPEECH = 0.5
SILENCE = 0.35
MAX_FRAMES = 30 * RATE // FRAME
# A longer pause ends a window; shorter ones stay in, as part of a sentence.
END_FRAMES = round(2 / FRAME_S)
PAD_FRAMES = round(0.4 / FRAME_S)
# A click is no word.
MIN_SPEECH_FRAMES = 4


@dataclass(frozen=True, slots=True)
class Window:
    """At most 30 seconds of speech, its start, and the confidence of each frame."""

    start_s: float
    samples: Samples
    chances: tuple[float, ...]

    def after(self, seconds: float) -> "Window | None":
        """What is left after some seconds, if anything is said in it."""
        frame = max(1, round(seconds / FRAME_S))
        left = self.chances[frame:]
        if not _holds_speech(left):
            return None
        return Window(self.start_s + frame * FRAME_S, self.samples[frame * FRAME :], left)


class Detector:
    """Silero VAD: the chance, from 0 to 1, that a frame contains speech."""

    def __init__(self, weights: Path) -> None:
        options = SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        providers = ["CPUExecutionProvider"]
        self._session = InferenceSession(str(weights), options, providers=providers)

    def chances(self, blocks: Iterable[Samples]) -> Iterator[tuple[Samples, float]]:
        """Each frame of 512 samples with its chance; the last is filled up with silence."""
        h = c = np.zeros((1, 1, 128), np.float32)
        last = np.zeros(FRAME, np.float32)
        for frames in _framed(blocks):
            before = np.vstack([last, frames[:-1]])[:, -CONTEXT:]
            fed = {"input": np.hstack([before, frames]), "h": h, "c": c}
            chances, h, c = (np.asarray(out) for out in self._session.run(None, fed))
            yield from zip(frames, chances.ravel().tolist(), strict=True)
            last = frames[-1]


def windows(heard: Iterable[tuple[Samples, float]]) -> Iterator[Window]:
    """Cut at long pauses; where there is none for 30 seconds, at the best there is."""
    frames: list[Samples] = []
    chances: list[float] = []
    passed = 0

    def cut(end: int, keep_from: int) -> Iterator[Window]:
        nonlocal passed
        if _holds_speech(chances[:end]):
            yield Window(passed * FRAME_S, np.concatenate(frames[:end]), tuple(chances[:end]))
        del frames[:keep_from], chances[:keep_from]
        passed += keep_from

    for frame, chance in heard:
        frames.append(frame)
        chances.append(chance)
        quiet = _quiet_frames(chances)
        if quiet == len(chances):
            if quiet > PAD_FRAMES:
                yield from cut(0, quiet - PAD_FRAMES)
        elif quiet >= END_FRAMES:
            yield from cut(len(frames) - quiet + PAD_FRAMES, len(frames) - PAD_FRAMES)
        elif len(frames) == MAX_FRAMES:
            middle = _best_pause(chances)
            yield from cut(middle, middle)
    yield from cut(len(frames), len(frames))


def _holds_speech(chances: Sequence[float]) -> bool:
    return sum(chance >= SPEECH for chance in chances) >= MIN_SPEECH_FRAMES


def _framed(blocks: Iterable[Samples]) -> Iterator[Samples]:
    rest = np.zeros(0, np.float32)
    for block in blocks:
        rest = np.concatenate([rest, block])
        whole = len(rest) - len(rest) % FRAME
        if whole:
            yield rest[:whole].reshape(-1, FRAME)
            rest = rest[whole:]
    if len(rest):
        yield np.pad(rest, (0, FRAME - len(rest))).reshape(1, FRAME)


def _quiet_frames(chances: Sequence[float]) -> int:
    """How many of the last frames contain no speech."""
    for count, chance in enumerate(reversed(chances)):
        if chance >= SILENCE:
            return count
    return len(chances)


def _best_pause(chances: Sequence[float]) -> int:
    """The middle of the longest pause in the second half, or its least likely frame."""
    half = len(chances) // 2
    best, run = (0, half + int(np.argmin(chances[half:]))), 0
    for place in range(half, len(chances)):
        run = run + 1 if chances[place] < SILENCE else 0
        best = max(best, (run, place - run // 2))
    return best[1]
