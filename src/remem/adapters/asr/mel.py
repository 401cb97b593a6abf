"""Whisper's input: the logarithm of a mel spectrogram of thirty seconds."""

from functools import cache

import numpy as np

from remem.adapters.asr.sound import RATE, Samples

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
