"""Plugs for the sandbox's sockets: they say what they see, or misbehave as a hostile file would."""

import json
import os
import time
from pathlib import Path

from remem.core.extraction_ports import Spoken


class SaidOcr:
    """Reads the same words on every picture."""

    def read(self, image: bytes) -> str:
        return "The lighthouse keeper wrote every evening."


class SaidAsr:
    def transcribe(self, path: Path) -> list[Spoken]:
        return [
            Spoken(0.0, 2.5, "How many ships?"),
            Spoken(2.5, 6.0, "The harbour master counted seven."),
        ]


class SilentAsr:
    def transcribe(self, path: Path) -> list[Spoken]:
        return []


class TellingOcr:
    """Tells what its process knows of the world."""

    def read(self, image: bytes) -> str:
        return json.dumps({"pid": os.getpid(), "environment": sorted(os.environ)})


class SleepingOcr:
    def read(self, image: bytes) -> str:
        time.sleep(60)
        return ""


class GreedyOcr:
    def read(self, image: bytes) -> str:
        return str(len(bytearray(3_000_000_000)))


class DyingOcr:
    def read(self, image: bytes) -> str:
        os.abort()


class PrintingOcr:
    """Prints where the answer goes."""

    def read(self, image: bytes) -> str:
        print("garbage", flush=True)
        os.write(1, b"more garbage")
        return "Words on a picture."


class SpinningOcr:
    """Uses up the time of the processor, not of the clock."""

    def read(self, image: bytes) -> str:
        while True:
            pass
