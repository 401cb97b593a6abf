"""Length-prefixed messages over pipes, and a child process's ends of these pipes."""

import os
from typing import IO

LENGTH_BYTES = 8


def add_length_prefix(message: bytes) -> bytes:
    return len(message).to_bytes(LENGTH_BYTES) + message


def read_message(pipe: IO[bytes]) -> bytes | None:
    """Read the next message; None when the other end is closed."""
    length = pipe.read(LENGTH_BYTES)
    return pipe.read(int.from_bytes(length)) if len(length) == LENGTH_BYTES else None


def write_message(pipe: IO[bytes], message: bytes) -> None:
    pipe.write(add_length_prefix(message))
    pipe.flush()


def take_over_stdio() -> tuple[IO[bytes], IO[bytes]]:
    """Reserve stdin and stdout for messages; anything else that reads or prints uses /dev/null."""
    questions, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    devnull = os.open(os.devnull, os.O_RDWR)
    os.dup2(devnull, 0)
    os.dup2(devnull, 1)
    return questions, answers
