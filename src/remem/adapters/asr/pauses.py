"""Detect speech, and split it at pauses into windows for the model."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from onnxruntime import InferenceSession, SessionOptions

from remem.adapters.asr.sound import RATE, Samples

FRAME = 512
FRAME_S = FRAME / RATE
# How many samples of the previous frame the detector gets.
CONTEXT = 64
SPEECH = 0.5
SILENCE = 0.35
MAX_FRAMES = 30 * RATE // FRAME
# A longer pause ends a window; shorter ones stay in, as part of a sentence.
END_FRAMES = round(2 / FRAME_S)
PAD_FRAMES = round(0.4 / FRAME_S)
# A click is not a word.
MIN_SPEECH_FRAMES = 4


@dataclass(frozen=True, slots=True)
class Window:
    """At most 30 seconds of speech, its start, and the probability of speech in each frame."""

    start_s: float
    samples: Samples
    probabilities: tuple[float, ...]

    def after(self, seconds: float) -> "Window | None":
        """The rest of the window after some seconds, if it contains speech."""
        frame = max(1, round(seconds / FRAME_S))
        rest = self.probabilities[frame:]
        if not _contains_speech(rest):
            return None
        return Window(self.start_s + frame * FRAME_S, self.samples[frame * FRAME :], rest)


class Detector:
    """Silero VAD: the probability, from 0 to 1, that a frame contains speech."""

    def __init__(self, weights: Path) -> None:
        options = SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        providers = ["CPUExecutionProvider"]
        self._session = InferenceSession(str(weights), options, providers=providers)

    def probabilities(self, blocks: Iterable[Samples]) -> Iterator[tuple[Samples, float]]:
        """Yield frames of 512 samples with their probabilities; silence pads the last one."""
        h = c = np.zeros((1, 1, 128), np.float32)
        last = np.zeros(FRAME, np.float32)
        for frames in _split_into_frames(blocks):
            context = np.vstack([last, frames[:-1]])[:, -CONTEXT:]
            inputs = {"input": np.hstack([context, frames]), "h": h, "c": c}
            probabilities, h, c = (np.asarray(out) for out in self._session.run(None, inputs))
            yield from zip(frames, probabilities.ravel().tolist(), strict=True)
            last = frames[-1]


def split_at_pauses(scored_frames: Iterable[tuple[Samples, float]]) -> Iterator[Window]:
    """Split at long pauses; without one for 30 seconds, at the best shorter one."""
    frames: list[Samples] = []
    probabilities: list[float] = []
    offset = 0

    def cut(end: int, keep_from: int) -> Iterator[Window]:
        nonlocal offset
        if _contains_speech(probabilities[:end]):
            yield Window(offset * FRAME_S, np.concatenate(frames[:end]), tuple(probabilities[:end]))
        del frames[:keep_from], probabilities[:keep_from]
        offset += keep_from

    for frame, probability in scored_frames:
        frames.append(frame)
        probabilities.append(probability)
        quiet = _quiet_frames(probabilities)
        if quiet == len(probabilities):
            if quiet > PAD_FRAMES:
                yield from cut(0, quiet - PAD_FRAMES)
        elif quiet >= END_FRAMES:
            yield from cut(len(frames) - quiet + PAD_FRAMES, len(frames) - PAD_FRAMES)
        elif len(frames) == MAX_FRAMES:
            middle = _best_pause(probabilities)
            yield from cut(middle, middle)
    yield from cut(len(frames), len(frames))


def _contains_speech(probabilities: Sequence[float]) -> bool:
    return sum(probability >= SPEECH for probability in probabilities) >= MIN_SPEECH_FRAMES


def _split_into_frames(blocks: Iterable[Samples]) -> Iterator[Samples]:
    rest = np.zeros(0, np.float32)
    for block in blocks:
        rest = np.concatenate([rest, block])
        complete = len(rest) - len(rest) % FRAME
        if complete:
            yield rest[:complete].reshape(-1, FRAME)
            rest = rest[complete:]
    if len(rest):
        yield np.pad(rest, (0, FRAME - len(rest))).reshape(1, FRAME)


def _quiet_frames(probabilities: Sequence[float]) -> int:
    """Count the frames without speech at the end."""
    for count, probability in enumerate(reversed(probabilities)):
        if probability >= SILENCE:
            return count
    return len(probabilities)


def _best_pause(probabilities: Sequence[float]) -> int:
    """The middle of the longest pause in the second half, or its least likely frame."""
    half = len(probabilities) // 2
    best, run = (0, half + int(np.argmin(probabilities[half:]))), 0
    for frame in range(half, len(probabilities)):
        run = run + 1 if probabilities[frame] < SILENCE else 0
        best = max(best, (run, frame - run // 2))
    return best[1]
