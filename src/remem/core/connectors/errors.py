"""Why a service cannot be read now, or no longer."""

from datetime import datetime

from remem.core.errors import Conflict


class NeedsAuth(Conflict):
    """The service no longer takes the credential; the message says what the person does."""

    code = "needs_auth"


class AskedTooOften(Exception):
    """The service wants to be left alone until a moment."""

    def __init__(self, until: datetime) -> None:
        super().__init__(f"not before {until.isoformat()}")
        self.until = until


class MarkExpired(Exception):
    """The service no longer knows what changed since a mark; everything is listed again."""


class Ended(Exception):
    """The service says that what is read there is gone for good."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


# What comes of a reply that is not as its service describes it.
WRONG_SHAPE = (KeyError, TypeError, AttributeError, ValueError, IndexError, RecursionError)
