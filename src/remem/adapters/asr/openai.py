"""Writes down speech by any server that speaks OpenAI's transcription protocol."""

import io
import math
import time
import wave
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import httpx2
import numpy as np

from remem.adapters.asr.sound import RATE, Samples, listen
from remem.core.errors import CannotStart, Unavailable, Unreadable
from remem.core.ports import Spoken

TIMEOUT_S = 600.0
WAITS_S = (0.0, 1.0, 2.0)
MAX_S = 4 * 3_600.0
# What OpenAI takes in one request; a larger file is sent in parts of ten minutes.
MAX_BYTES = 25_000_000
PART_S = 600


class Passing(Exception):
    """A failure that may pass. It holds neither address nor body, because logs print it."""


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
        if not base_url.startswith(("http://", "https://")):
            raise CannotStart("The speech server's address must begin with http:// or https://.")
        self._url = f"{base_url.rstrip('/')}/audio/transcriptions"
        self._model = model
        self._waits_s = waits_s
        self._max_s = max_s
        self._max_bytes = max_bytes
        headers = {"Authorization": f"Bearer {api_key.strip()}"} if api_key else {}
        self._client = httpx2.Client(headers=headers, timeout=timeout_s)

    def transcribe(self, path: Path) -> list[Spoken]:
        if path.stat().st_size <= self._max_bytes:
            return _spoken(self._ask_patiently(path.name, path.read_bytes()), 0.0)
        return [
            spoken
            for number, part in enumerate(_parts(path, self._max_s))
            for spoken in _spoken(self._ask_patiently("part.wav", part), number * PART_S)
        ]

    def close(self) -> None:
        self._client.close()

    def _ask_patiently(self, name: str, sound: bytes) -> httpx2.Response:
        for wait_s in self._waits_s:
            try:
                return self._ask(name, sound)
            except Passing:
                time.sleep(wait_s)
        try:
            return self._ask(name, sound)
        except Passing as error:
            raise Unavailable(
                f"The speech server cannot answer now ({error}); try again later."
            ) from error

    def _ask(self, name: str, sound: bytes) -> httpx2.Response:
        fields = {
            "model": self._model,
            "response_format": "verbose_json",
            "timestamp_granularities[]": "segment",
        }
        try:
            response = self._client.post(self._url, data=fields, files={"file": (name, sound)})
        except httpx2.RequestError as error:
            raise Passing(type(error).__name__) from None
        status = response.status_code
        if status in (408, 429) or status >= 500:
            raise Passing(f"status {status}")
        self._refuse_failure(status)
        return response

    def _refuse_failure(self, status: int) -> None:
        if status in (401, 403):
            raise Unavailable(
                f"The speech key was refused (status {status}); set one that may use the model "
                f"{self._model}.",
                code="speech_key_refused",
            )
        if status in (400, 413, 415, 422):
            raise Unreadable(f"The speech server cannot read this sound (status {status}).")
        if not 200 <= status < 300:
            raise Unavailable(
                f"The speech server refused the request (status {status}); check its address and "
                f"that it has the model {self._model}.",
                code="speech_refused",
            )


def _spoken(response: httpx2.Response, offset_s: float) -> list[Spoken]:
    """The segments; of a server that gives none, all of the text as one."""
    try:
        answer = response.json()
        segments = answer.get("segments") or [
            {"start": 0.0, "end": answer.get("duration") or 0.0, "text": answer["text"]}
        ]
        found = [_segment(one, offset_s) for one in segments]
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise Unavailable(
            "The speech server gave something that is no transcript.", code="speech_misread"
        ) from error
    return [spoken for spoken in found if spoken.text]


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
