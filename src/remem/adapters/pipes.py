"""Messages over a pipe, each after its length, and the child's ends of such pipes."""

import os
from typing import IO

LENGTH_BYTES = 8


def framed(message: bytes) -> bytes:
    return len(message).to_bytes(LENGTH_BYTES) + message


def read_message(pipe: IO[bytes]) -> bytes | None:
    """The next message; None when the other end is closed."""
    length = pipe.read(LENGTH_BYTES)
    return pipe.read(int.from_bytes(length)) if len(length) == LENGTH_BYTES else None


def write_message(pipe: IO[bytes], message: bytes) -> None:
    pipe.write(framed(message))
    pipe.flush()


def private_pipes() -> tuple[IO[bytes], IO[bytes]]:
    """A child's own ends of the pipes; whatever a library prints or reads goes nowhere."""
    questions, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)
    os.dup2(nowhere, 1)
    return questions, answers
