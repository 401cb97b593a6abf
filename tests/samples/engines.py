"""OCR and speech engines for the sandbox that return fixed text or misbehave."""

import json
import os
import time
from pathlib import Path

from remem.core.extraction_ports import PictureText, Spoken


class FixedOcr:
    """Return the same text for every image."""

    def read(self, image: bytes) -> PictureText:
        return PictureText("The lighthouse keeper wrote every evening.")


class FixedAsr:
    def transcribe(self, path: Path) -> list[Spoken]:
        return [
            Spoken(0.0, 2.5, "How many ships?"),
            Spoken(2.5, 6.0, "The harbour master counted seven."),
        ]


class SilentAsr:
    def transcribe(self, path: Path) -> list[Spoken]:
        return []


class EnvironmentOcr:
    """Return the process id and the names of the environment variables."""

    def read(self, image: bytes) -> PictureText:
        return PictureText(json.dumps({"pid": os.getpid(), "environment": sorted(os.environ)}))


class WaitingOcr:
    """Wait for a file, then return the process id."""

    def __init__(self, path: str) -> None:
        self._path = Path(path)

    def read(self, image: bytes) -> PictureText:
        while not self._path.exists():
            time.sleep(0.01)
        return PictureText(json.dumps({"pid": os.getpid()}))


class SleepingOcr:
    def read(self, image: bytes) -> PictureText:
        time.sleep(60)
        return PictureText("")


class GreedyOcr:
    def read(self, image: bytes) -> PictureText:
        return PictureText(str(len(bytearray(3_000_000_000))))


class AbortingOcr:
    def read(self, image: bytes) -> PictureText:
        os.abort()


class PrintingOcr:
    """Print to the stream that carries the reply."""

    def read(self, image: bytes) -> PictureText:
        print("garbage", flush=True)
        os.write(1, b"more garbage")
        return PictureText("Words on a picture.")


class SpinningOcr:
    """Use CPU time, where SleepingOcr only lets time pass."""

    def read(self, image: bytes) -> PictureText:
        while True:
            pass
