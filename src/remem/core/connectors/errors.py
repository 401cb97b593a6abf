"""Why a service cannot be read, now or ever again."""

from datetime import datetime

from remem.core.errors import Conflict


class NeedsAuth(Conflict):
    """The service no longer accepts the credential; the message says what the user must do."""

    code = "needs_auth"


class AskedTooOften(Exception):
    """The service has rate-limited us until a moment."""

    def __init__(self, until: datetime) -> None:
        super().__init__(f"not before {until.isoformat()}")
        self.until = until


class MarkExpired(Exception):
    """The service no longer knows what changed since a mark; everything must be listed again."""


class Ended(Exception):
    """The service says that the source is permanently gone."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


# Raised when a response does not have the shape its service documents.
WRONG_SHAPE = (KeyError, TypeError, AttributeError, ValueError, IndexError, RecursionError)
