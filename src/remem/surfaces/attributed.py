"""A statement in a line of text, with the name of who said it, and its time."""

from typing import Any

from remem.surfaces.hit_notes import stored_times


def attributed(statement: dict[str, Any]) -> str:
    """ "Ann: I live in Rome": who "I" is. The user's own words have no prefix. A time that is
    stored with the words, and not in them, follows."""
    speaker = statement.get("speaker")
    named = speaker and speaker.casefold() != "user"
    said = f"{speaker}: {statement['content']}" if named else statement["content"]
    times = "" if statement.get("dates") else stored_times(statement)
    return f"{said} ({times})" if times else said
