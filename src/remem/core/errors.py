"""The errors of remem.

RememError
├── Invalid            a field is wrong; names the field and the fix
├── Unauthenticated    no credential, or one that is not valid
├── Forbidden          the credential lacks a scope, or the role a right
├── NotFound           it does not exist, or belongs to another tenant
├── Conflict           it exists already, or its state does not allow this
├── LimitExceeded      the plan's limit is reached
│   └── WaitsForRoom   a job stored what fits; it runs again when the plan has room
├── RateLimited        too many requests; says when to retry
├── TooLarge           more bytes or characters than the limit
├── Unreadable         no text can be extracted; says why and how to fix it
│   └── FetchFailed    a page could not be fetched; saving it again retries
├── CannotShow         a stored item has a value that cannot be shown; says which
├── AnalysisStopped    a text took too long to analyse; it is saved and found by word
├── WorkRemains        a job did its share; the rest is done after other jobs
├── Unavailable        a dependency is down; accepted data is safe
│   └── TextRefused    the embedding model refuses one of these texts; others may be embedded
└── CannotStart        the machine or its configuration is not ready; says how to fix it
"""

import errno
from typing import Any

NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


class RememError(Exception):
    """The base class: a message a person can act on, and a stable code for programs."""

    code = "error"

    def __init__(self, message: str, *, code: str | None = None, details: Any = None) -> None:
        super().__init__(message)
        self.message = message
        self.code = code or type(self).code
        self.details = details


class Invalid(RememError):
    code = "invalid"

    def __init__(self, field: str, message: str, *, code: str | None = None) -> None:
        super().__init__(f"{field}: {message}", code=code, details={"field": field})
        self.field = field


class Unauthenticated(RememError):
    code = "unauthenticated"


class Forbidden(RememError):
    code = "forbidden"


class NotFound(RememError):
    code = "not_found"

    def __init__(self, noun: str, name: object = None, *, hint: str | None = None) -> None:
        suffix = f" {name}" if name is not None else ""
        hint = hint or "check the id, or list what there is"
        super().__init__(f"There is no {noun}{suffix} here; {hint}.")


class Conflict(RememError):
    code = "conflict"


class LimitExceeded(RememError):
    code = "limit_exceeded"

    def __init__(self, count: int, limit: int) -> None:
        super().__init__(
            f"The plan's limit of {limit} memories is reached; delete some, or raise the plan.",
            details={"count": count, "limit": limit},
        )
        self.count, self.limit = count, limit


class WaitsForRoom(LimitExceeded):
    def __init__(self, message: str, count: int, limit: int) -> None:
        super().__init__(count, limit)
        self.args, self.message = (message,), message


class RateLimited(RememError):
    code = "rate_limited"

    def __init__(self, limit: int, retry_after_s: int, per: str = "a minute") -> None:
        super().__init__(
            f"More than {limit} requests {per}; wait {retry_after_s} s and try again.",
            details={"limit": limit, "retry_after_s": retry_after_s},
        )
        self.limit = limit
        self.retry_after_s = retry_after_s


class TooLarge(RememError):
    code = "too_large"


class Unreadable(RememError):
    code = "unreadable"


class FetchFailed(Unreadable):
    code = "fetch_failed"


class CannotShow(RememError):
    code = "unreadable"

    def __init__(self, reason: str) -> None:
        super().__init__(f"This item cannot be shown: {reason}. Change or delete it.")


class AnalysisStopped(RememError):
    code = "analysis_stopped"


class WorkRemains(RememError):
    """Raised by a job that has kept what it did."""

    code = "work_remains"

    def __init__(self) -> None:
        super().__init__("The rest is done after other jobs.")


class Unavailable(RememError):
    """`service` names the service that is down, if its calls are watched: jobs that wait for it are
    retried when it is back."""

    code = "unavailable"
    service: str | None = None


class Deadlocked(Unavailable):
    """Two transactions waited for each other, and this one was rolled back."""

    code = "busy"

    def __init__(self) -> None:
        super().__init__("Two changes waited for each other; this one was not made, try again.")


class ReaderBusy(Unavailable):
    """The reader has no time; whether the texts contain an answer is unknown."""

    code = "busy"

    def __init__(self) -> None:
        super().__init__("Too many questions are being answered; try again in a minute.")


class TextRefused(Unavailable):
    code = "embedding_refused"


class CannotStart(RememError):
    code = "cannot_start"


def no_room(error: OSError) -> str:
    place = f" for {error.filename}" if error.filename else ""
    return f"There is no room left{place} ({error.strerror}); make room and try again."
