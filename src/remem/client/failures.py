"""The errors of the client.

RememFailure        status, code, message and details, as the server sent them
├── Invalid         400: a field is wrong; the message names it and the fix
├── Refused         401, 403: the key is unknown, or lacks the right
├── NotFound        404: nothing has this id
├── Limited         413, 429, or the plan is full: too large, or too many
└── Unreachable     503, or no server responds (status 0)
"""

from typing import Any

import httpx2

from remem.core.errors import RememError


class RememFailure(RememError):
    """An error of the server, with its message."""

    def __init__(
        self,
        status: int,
        message: str,
        code: str,
        details: Any = None,
        retry_after_s: float | None = None,
    ) -> None:
        super().__init__(message, code=code, details=details)
        self.status = status
        self.retry_after_s = retry_after_s


class Invalid(RememFailure):
    pass


class Refused(RememFailure):
    pass


class NotFound(RememFailure):
    pass


class Limited(RememFailure):
    pass


class Unreachable(RememFailure):
    pass


_BY_STATUS: dict[int, type[RememFailure]] = {
    400: Invalid,
    401: Refused,
    403: Refused,
    404: NotFound,
    413: Limited,
    429: Limited,
    503: Unreachable,
}


def failure(response: httpx2.Response) -> RememFailure:
    body = _body(response)
    code = body.get("code", "http_error")
    kind = Limited if code == "limit_exceeded" else _BY_STATUS.get(response.status_code)
    return (kind or RememFailure)(
        response.status_code,
        body.get("error", f"The server answered {response.status_code}."),
        code,
        body.get("details"),
        _seconds(response.headers.get("Retry-After")),
    )


def _body(response: httpx2.Response) -> dict[str, Any]:
    try:
        body = response.json()
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}


def _seconds(text: str | None) -> float | None:
    """Parse Retry-After in seconds, as remem sends it. A date, which a proxy may send, is
    ignored."""
    return float(text) if text and text.isdigit() else None
