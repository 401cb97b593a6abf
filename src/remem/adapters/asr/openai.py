"""Writes down speech by any server that speaks OpenAI's transcription protocol."""

import io
import math
import wave
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import httpx2
import numpy as np

from remem.adapters.asr.sound import RATE, Samples, listen
from remem.adapters.openai_api import PatientClient, Server
from remem.adapters.retries import WAITS_S
from remem.core.extraction_ports import Spoken

TIMEOUT_S = 600.0
MAX_S = 4 * 3_600.0
# What OpenAI takes in one request; a larger file is sent in parts of ten minutes.
MAX_BYTES = 25_000_000
PART_S = 600


class OpenAiAsr:
    """POST {base_url}/audio/transcriptions, tried again after 0, 1 and 2 s."""

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
        self._client = PatientClient(self._server, url, api_key, timeout_s, waits_s)

    def transcribe(self, path: Path) -> list[Spoken]:
        if path.stat().st_size <= self._max_bytes:
            return self._heard(path.name, path.read_bytes(), 0.0)
        return [
            spoken
            for number, part in enumerate(_parts(path, self._max_s))
            for spoken in self._heard("part.wav", part, number * PART_S)
        ]

    def close(self) -> None:
        self._client.close()

    def _heard(self, name: str, sound: bytes, offset_s: float) -> list[Spoken]:
        """The segments; of a server that gives none, all of the text as one."""
        response = self._ask(name, sound)
        try:
            answer = response.json()
            segments = answer.get("segments") or [
                {"start": 0.0, "end": answer.get("duration") or 0.0, "text": answer["text"]}
            ]
            found = [_segment(one, offset_s) for one in segments]
        except (ValueError, LookupError, TypeError, AttributeError) as error:
            raise self._server.misread("something that is no transcript") from error
        return [spoken for spoken in found if spoken.text]

    def _ask(self, name: str, sound: bytes) -> httpx2.Response:
        fields = {
            "model": self._server.model,
            "response_format": "verbose_json",
            "timestamp_granularities[]": "segment",
        }
        return self._client.post(data=fields, files={"file": (name, sound)})


def _segment(one: Any, offset_s: float) -> Spoken:
    start_s, end_s = float(one["start"]), float(one["end"])
    if not (math.isfinite(start_s) and math.isfinite(end_s)):
        raise ValueError("a time that is no number")
    return Spoken(offset_s + start_s, offset_s + max(start_s, end_s), str(one["text"]).strip())


def _parts(path: Path, max_s: float) -> Iterator[bytes]:
    seconds = listen(path, max_s)
    while part := list(islice(seconds, PART_S)):
        yield _wav(np.concatenate(part))


def _wav(samples: Samples) -> bytes:
    written = io.BytesIO()
    with wave.open(written, "wb") as file:
        file.setparams((1, 2, RATE, 0, "NONE", ""))
        file.writeframes((np.clip(samples, -1, 1) * 32_767).astype("<i2").tobytes())
    return written.getvalue()
