"""Read the content given to a command: words, or standard input."""

import sys

from remem.surfaces.cli.output import MISUSED, fail


def content_of(words: list[str] | None, command: str) -> str:
    """Return the words, or standard input for `-` or nothing."""
    if words and words != ["-"]:
        return " ".join(words)
    if sys.stdin.isatty():
        fail(f'Nothing to save; write `{command} "…"`, or pipe text into it.', MISUSED)
    piped = sys.stdin.buffer.read().decode("utf-8", errors="replace").replace("\x00", "")
    if not piped.strip():
        fail("content: is empty; standard input had no text. Nothing was saved.", MISUSED)
    return piped
