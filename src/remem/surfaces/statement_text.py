"""A statement as one line of text, with its speaker and time."""

from typing import Any

from remem.surfaces.hit_notes import stored_times


def with_speaker(statement: dict[str, Any]) -> str:
    """Return "Ann: I live in Rome", so that it is clear who "I" is, or "Imported from mem0: Likes
    tea". The user's own statements have no prefix. Stored times that the text does not mention are
    appended."""
    source, product = statement.get("speaker"), statement.get("imported_from")
    if not source or source.casefold() == "user":
        source = f"Imported from {product}" if product else None
    text = f"{source}: {statement['content']}" if source else statement["content"]
    times = "" if statement.get("dates") else stored_times(statement)
    return f"{text} ({times})" if times else text
