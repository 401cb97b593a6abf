"""Errors as responses of each API: status, name and body."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, TypeVar

from remem.core import errors

Dialect: TypeAlias = Literal["rest", "oauth", "mcp"]
Kind: TypeAlias = type[errors.RememError]
Value = TypeVar("Value")

# REST under /v3, /v1 and /api: {"error": message, "code": code, "details": …}.
_REST: Mapping[Kind, int] = {
    errors.Invalid: 400,
    errors.Unauthenticated: 401,
    errors.Forbidden: 403,
    errors.LimitExceeded: 403,
    errors.NotFound: 404,
    errors.Conflict: 409,
    errors.TooLarge: 413,
    errors.Unreadable: 400,
    errors.CannotShow: 422,
    errors.RateLimited: 429,
    errors.Unavailable: 503,
    errors.CannotStart: 503,
}
# OAuth, RFC 6749: {"error": name, "error_description": message}.
_OAUTH: Mapping[Kind, tuple[str, int]] = {
    errors.RateLimited: ("temporarily_unavailable", 429),
    errors.Unavailable: ("temporarily_unavailable", 503),
    errors.RememError: ("invalid_request", 400),
}
# MCP: a JSON-RPC error, {"code": number, "message": message}. Errors of tools are the text of the
# result instead, because models read that.
_MCP: Mapping[Kind, tuple[int, int]] = {
    errors.RateLimited: (-32_000, 429),
    errors.RememError: (-32_603, 500),
}


@dataclass(frozen=True, slots=True)
class ErrorReply:
    status: int
    body: dict[str, Any]
    headers: dict[str, str]


def error_reply(dialect: Dialect, error: errors.RememError) -> ErrorReply:
    """The response for an error in an API of this dialect."""
    match dialect:
        case "rest":
            status = _look_up(_REST, error, 500)
            body = rest_body(error.message, error.code, error.details)
        case "oauth":
            name, status = _look_up(_OAUTH, error, ("server_error", 500))
            body = oauth_body(name, error.message)
        case "mcp":
            code, status = _look_up(_MCP, error, (-32_603, 500))
            body = mcp_body(code, error.message)
    return ErrorReply(status, body, _headers(error, status))


def rest_body(message: str, code: str, details: Any = None) -> dict[str, Any]:
    body: dict[str, Any] = {"error": message, "code": code}
    return body if details is None else {**body, "details": details}


def oauth_body(name: str, message: str) -> dict[str, Any]:
    return {"error": name, "error_description": message}


def mcp_body(code: int, message: str) -> dict[str, Any]:
    return {"code": code, "message": message}


def _look_up(table: Mapping[Kind, Value], error: errors.RememError, default: Value) -> Value:
    return next((table[kind] for kind in type(error).__mro__ if kind in table), default)


def _headers(error: errors.RememError, status: int) -> dict[str, str]:
    if isinstance(error, errors.RateLimited):
        return {
            "Retry-After": str(error.retry_after_s),
            "RateLimit-Limit": str(error.limit),
            "RateLimit-Remaining": "0",
            "RateLimit-Reset": str(error.retry_after_s),
        }
    return {"Retry-After": "2"} if status == 503 else {}
