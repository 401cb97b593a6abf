"""Transcribe speech with any server that speaks OpenAI's transcription protocol."""

import io
import math
import wave
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import httpx2
import numpy as np

from remem.adapters.asr.sound import RATE, Samples, read_samples
from remem.adapters.openai_api import RetryingClient, Server
from remem.adapters.retries import WAITS_S
from remem.core.extraction_ports import Spoken

TIMEOUT_S = 600.0
MAX_S = 4 * 3_600.0
# The limit of OpenAI for one request; a larger file is sent in parts of ten minutes.
MAX_BYTES = 25_000_000
PART_S = 600


class OpenAiAsr:
    """POST {base_url}/audio/transcriptions, retried after 0, 1 and 2 s."""

    def __init__(
        self,
        base_url: str,
        api_key: str | None,
        model: str,
        *,
        timeout_s: float = TIMEOUT_S,
        waits_s: Sequence[float] = WAITS_S,
        max_s: float = MAX_S,
        max_bytes: int = MAX_BYTES,
    ) -> None:
        self._server = Server("speech", model, subject="sound")
        self._max_s = max_s
        self._max_bytes = max_bytes
        url = self._server.endpoint(base_url, "/audio/transcriptions")
        self._client = RetryingClient(self._server, url, api_key, timeout_s, waits_s)

    def transcribe(self, path: Path) -> list[Spoken]:
        if path.stat().st_size <= self._max_bytes:
            return self._transcribe_part(path.name, path.read_bytes(), 0.0)
        return [
            sentence
            for number, part in enumerate(_parts(path, self._max_s))
            for sentence in self._transcribe_part("part.wav", part, number * PART_S)
        ]

    def close(self) -> None:
        self._client.close()

    def _transcribe_part(self, name: str, sound: bytes, offset_s: float) -> list[Spoken]:
        """Return the segments, or the whole text as one if the server returns none."""
        response = self._ask(name, sound)
        try:
            answer = response.json()
            segments = answer.get("segments") or [
                {"start": 0.0, "end": answer.get("duration") or 0.0, "text": answer["text"]}
            ]
            sentences = [_segment(segment, offset_s) for segment in segments]
        except (ValueError, LookupError, TypeError, AttributeError) as error:
            raise self._server.misread_error("something that is not a transcript") from error
        return [sentence for sentence in sentences if sentence.text]

    def _ask(self, name: str, sound: bytes) -> httpx2.Response:
        fields = {
            "model": self._server.model,
            "response_format": "verbose_json",
            "timestamp_granularities[]": "segment",
        }
        return self._client.post(data=fields, files={"file": (name, sound)})


def _segment(segment: Any, offset_s: float) -> Spoken:
    start_s, end_s = float(segment["start"]), float(segment["end"])
    if not (math.isfinite(start_s) and math.isfinite(end_s)):
        raise ValueError("a time that is no number")
    return Spoken(offset_s + start_s, offset_s + max(start_s, end_s), str(segment["text"]).strip())


def _parts(path: Path, max_s: float) -> Iterator[bytes]:
    seconds = read_samples(path, max_s)
    while part := list(islice(seconds, PART_S)):
        yield _wav(np.concatenate(part))


def _wav(samples: Samples) -> bytes:
    output = io.BytesIO()
    with wave.open(output, "wb") as file:
        file.setparams((1, 2, RATE, 0, "NONE", ""))
        file.writeframes((np.clip(samples, -1, 1) * 32_767).astype("<i2").tobytes())
    return output.getvalue()
