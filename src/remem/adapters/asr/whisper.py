"""Transcribe a window with a Whisper model, and discard unreliable results."""

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np
from ctranslate2 import StorageView
from ctranslate2.models import Whisper
from tokenizers import Tokenizer

from remem.adapters.asr.pauses import Window
from remem.adapters.asr.sound import RATE, Samples
from remem.core.extraction_ports import Spoken

TICK_S = 0.02
BEAM_SIZE = 5
# Whisper's own limits: text that compresses better than this is repetitive, and text that is less
# likely than this counts only if the model detects speech at all.
MAX_COMPRESSION_RATIO = 2.4
MIN_LOG_PROBABILITY = -1.0
MAX_NO_SPEECH = 0.6
# A less likely text may be invented: the English model writes fluent English whatever it hears.
# Synthetic English scored -0.25 to -0.5, twelve other languages mostly -0.76 to -1.16.
MIN_SURE_LOG_PROBABILITY = -0.7


@dataclass(frozen=True, slots=True)
class Segment:
    """The tokens between two time stamps, in seconds from the start of the window. `end_s` is None
    if the window cut the segment off."""

    start_s: float
    end_s: float | None
    tokens: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A possible transcript of a window, and how confident the model is."""

    tokens: Sequence[int]
    text: str
    log_probability: float
    no_speech: float

    @property
    def is_repetitive(self) -> bool:
        compressed = zlib.compress(self.text.encode())
        return len(self.text.encode()) > MAX_COMPRESSION_RATIO * len(compressed)

    @property
    def is_sure(self) -> bool:
        return self.log_probability >= MIN_SURE_LOG_PROBABILITY and not self.is_repetitive

    @property
    def is_silence(self) -> bool:
        return self.no_speech > MAX_NO_SPEECH and self.log_probability < MIN_LOG_PROBABILITY


@dataclass(frozen=True, slots=True)
class Heard:
    """The tokens of a window, whether they are what was said, and in which language."""

    tokens: Sequence[int]
    is_sure: bool
    language: str | None


class Transcriber:
    """A loaded model with its tokenizer."""

    def __init__(self, model: Whisper, tokenizer: Tokenizer) -> None:
        self._model = model
        self._tokenizer = tokenizer
        no_timestamps = tokenizer.token_to_id("<|notimestamps|>")
        if no_timestamps is None:
            raise ValueError("this tokenizer is not Whisper's")
        self._first_stamp = no_timestamps + 1

    def transcribe(self, window: Window) -> Iterator[Spoken]:
        """Yield the sentences of a window; unreliable ones are left out."""
        rest: Window | None = window
        while rest is not None:
            length_s = len(rest.samples) / RATE
            heard = self._hear(rest)
            tokens = heard.tokens
            segments = _split_segments(tokens, self._first_stamp)
            transcribed_s = _transcribed_s(segments, tokens, self._first_stamp, length_s)
            for segment in segments:
                if segment.start_s < transcribed_s:
                    for spoken in self._to_spoken(segment, rest.start_s, length_s):
                        yield replace(spoken, is_sure=heard.is_sure, language=heard.language)
            rest = rest.after(transcribed_s)

    def _to_spoken(self, segment: Segment, offset_s: float, length_s: float) -> Iterator[Spoken]:
        text = self._tokenizer.decode(list(segment.tokens)).strip()
        end_s = min(length_s, segment.end_s or length_s)
        if any(char.isalnum() for char in text):
            start_s = min(segment.start_s, end_s)
            yield Spoken(round(offset_s + start_s, 2), round(offset_s + end_s, 2), text)

    def _hear(self, window: Window) -> Heard:
        """What is said in a window; no tokens if the result is unreliable."""
        mel = log_mel(window.samples, self._model.n_mels)
        encoded = self._model.encode(StorageView.from_array(mel[None]))
        prompt = self._prompt(encoded)
        hypothesis = self._generate(encoded, prompt)
        is_sure = hypothesis.is_sure
        if hypothesis.is_repetitive:
            hypothesis = self._generate(
                encoded, prompt, no_repeat_ngram_size=3, repetition_penalty=1.2
            )
        is_dropped = hypothesis.is_repetitive or hypothesis.is_silence
        language = prompt[1].strip("<|>") if len(prompt) > 1 else None
        return Heard(() if is_dropped else hypothesis.tokens, is_sure, language)

    def _prompt(self, encoded: StorageView) -> list[str]:
        """The prompt; for a multilingual model it names the detected language."""
        if not self._model.is_multilingual:
            return ["<|startoftranscript|>"]
        language = self._model.detect_language(encoded)[0][0][0]
        return ["<|startoftranscript|>", language, "<|transcribe|>"]

    def _generate(self, encoded: StorageView, prompt: list[str], **options: Any) -> Hypothesis:
        [result] = self._model.generate(
            encoded,
            [prompt],
            beam_size=BEAM_SIZE,
            return_scores=True,
            return_no_speech_prob=True,
            **options,
        )
        tokens = result.sequences_ids[0]
        # The score is a mean over the tokens and the end of the text.
        log_probability = result.scores[0] * len(tokens) / (len(tokens) + 1)
        text = self._tokenizer.decode(tokens).strip()
        return Hypothesis(tokens, text, log_probability, result.no_speech_prob)


def _split_segments(tokens: Sequence[int], first_stamp: int) -> list[Segment]:
    segments: list[Segment] = []
    start_s, text = 0.0, []
    for token in tokens:
        if token < first_stamp:
            text.append(token)
            continue
        stamp_s = (token - first_stamp) * TICK_S
        if text:
            segments.append(Segment(start_s, stamp_s, tuple(text)))
        start_s, text = stamp_s, []
    if text:
        segments.append(Segment(start_s, None, tuple(text)))
    return segments


def _transcribed_s(
    segments: Sequence[Segment], tokens: Sequence[int], first_stamp: int, length_s: float
) -> float:
    """How many seconds of the window are done. A segment that was cut off, or begun but not
    written, is transcribed again from its start, unless that would repeat the whole window."""
    is_unfinished = len(tokens) > 1 and tokens[-1] >= first_stamp and tokens[-2] >= first_stamp
    if is_unfinished and segments:
        return min(length_s, (tokens[-1] - first_stamp) * TICK_S) or length_s
    if segments and segments[-1].end_s is None:
        return segments[-1].start_s or length_s
    return length_s


# Whisper's input: the logarithm of a mel spectrogram of thirty seconds.


WINDOW_S = 30
HOP = 160
FRAME = 400
FRAMES = WINDOW_S * RATE // HOP


def log_mel(samples: Samples, bands: int) -> Samples:
    """Compute a spectrogram of shape (bands, 3,000); shorter sound is padded with silence."""
    padded = np.zeros(WINDOW_S * RATE + FRAME, np.float32)
    padded[FRAME // 2 : FRAME // 2 + len(samples)] = samples[: WINDOW_S * RATE]
    frames = np.lib.stride_tricks.sliding_window_view(padded, FRAME)[::HOP][:FRAMES]
    power = np.abs(np.fft.rfft(frames * _hann())) ** 2
    mel = np.log10(np.maximum(_filters(bands) @ power.T, 1e-10))
    return ((np.maximum(mel, mel.max() - 8) + 4) / 4).astype(np.float32)


@cache
def _hann() -> Samples:
    return np.hanning(FRAME + 1)[:-1].astype(np.float32)


@cache
def _filters(bands: int) -> Samples:
    """Triangles of equal area, evenly spaced on Slaney's mel scale up to half the rate."""
    edges = _hertz(np.linspace(0, _mel(RATE / 2), bands + 2))
    bins = np.fft.rfftfreq(FRAME, 1 / RATE)
    rise = (bins - edges[:-2, None]) / np.diff(edges)[:-1, None]
    fall = (edges[2:, None] - bins) / np.diff(edges)[1:, None]
    area = 2 / (edges[2:] - edges[:-2])[:, None]
    return (np.maximum(0, np.minimum(rise, fall)) * area).astype(np.float32)


# Linear up to 1,000 Hz (mel 15), logarithmic above: 27 steps to 6,400 Hz.
_LOG_STEP = np.log(6.4) / 27


def _mel(hertz: float) -> float:
    return hertz * 3 / 200 if hertz < 1_000 else 15 + float(np.log(hertz / 1_000)) / _LOG_STEP


def _hertz(mels: np.ndarray) -> np.ndarray:
    return np.where(mels < 15, mels * 200 / 3, 1_000 * np.exp(_LOG_STEP * (mels - 15)))
