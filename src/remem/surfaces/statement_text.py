"""A statement as one line of text, with its speaker and time."""

from typing import Any

from remem.surfaces.hit_notes import stored_times


def with_speaker(statement: dict[str, Any]) -> str:
    """Return "Ann: I live in Rome", so that it is clear who "I" is. The user's own statements have
    no prefix. Stored times that the text does not mention are appended."""
    speaker = statement.get("speaker")
    has_prefix = speaker and speaker.casefold() != "user"
    text = f"{speaker}: {statement['content']}" if has_prefix else statement["content"]
    times = "" if statement.get("dates") else stored_times(statement)
    return f"{text} ({times})" if times else text
