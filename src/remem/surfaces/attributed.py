"""A statement in a line of text, with the name of who said it."""

from typing import Any


def attributed(statement: dict[str, Any]) -> str:
    """ "Ann: I live in Rome": who "I" is. The user's own words have no prefix."""
    speaker = statement.get("speaker")
    named = speaker and speaker.casefold() != "user"
    return f"{speaker}: {statement['content']}" if named else statement["content"]
