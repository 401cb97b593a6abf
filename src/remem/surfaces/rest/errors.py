"""Exception handlers that render every error of the REST APIs in the format of error_shapes."""

import json
import re
from typing import Any

import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from remem.core import errors
from remem.core.text import shorten
from remem.core.validate import name_of
from remem.surfaces.challenge import challenge
from remem.surfaces.error_shapes import error_reply, rest_body

# A part of an id that /v3/ids accepts: at least 8 digits, but not all of them.
_PARTIAL_ID = re.compile(r"(?=.*[0-9a-f]{8})[0-9a-f-]{8,35}", re.IGNORECASE)
_SHOWN_CHARS = 100

log = structlog.get_logger()


def install(app: FastAPI) -> None:
    app.add_exception_handler(errors.RememError, _handle_remem_error)
    app.add_exception_handler(RequestValidationError, _handle_validation_error)
    app.add_exception_handler(HTTPException, _handle_http_error)


def reply(error: errors.RememError, request: Request | None = None) -> JSONResponse:
    rendered = error_reply("rest", error)
    challenge_headers = challenge(request.app.state.settings, request, error) if request else {}
    return JSONResponse(rendered.body, rendered.status, {**rendered.headers, **challenge_headers})


async def _handle_remem_error(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, errors.RememError)
    return reply(error, request)


async def _handle_validation_error(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    problems = [_problem(details) for details in error.errors()]
    first = problems[0]
    return JSONResponse(
        rest_body(f"{first['field']}: {first['message']}", "invalid", {**first, "all": problems}),
        400,
    )


def _problem(error: dict[str, Any]) -> dict[str, str]:
    # The first item is the source (body, query, path). For invalid JSON the rest is an offset.
    location = () if error["type"] == "json_invalid" else error["loc"][1:]
    return {"field": name_of(".".join(str(part) for part in location)), "message": _message(error)}


def _message(error: dict[str, Any]) -> str:
    match error["type"]:
        case "missing":
            return "is required; send it"
        case "extra_forbidden":
            return "is not a field here; check its spelling, or leave it out"
        case "json_invalid":
            return "is not valid JSON; send a JSON object"
        case "model_attributes_type" | "model_type" | "dict_type":
            return "is not a JSON object; send one, as Content-Type: application/json"
        case "string_too_short":
            return "is empty; send at least one character"
        case "bool_type":
            return "is not a boolean; send true or false, without quotes"
        case "list_type" if isinstance(error["input"], str | int | float):
            return (
                f"is not a list; send {json.dumps([_shorten(error['input'])], ensure_ascii=False)}"
            )
        case kind if kind.startswith("uuid") and _is_partial_id(error):
            return (
                f"is not a complete id; GET /v3/ids/{error['input']} returns the id it is part of"
            )
        case kind if kind.startswith("uuid"):
            return "is not a UUID; send an id such as 01900000-0000-7000-8000-000000000000"
        case kind if kind.startswith("datetime"):
            return "is not a time; send ISO 8601 such as 2027-01-31T09:00:00Z"
        case _:
            return _limit_message(error) or str(error["msg"])


def _limit_message(error: dict[str, Any]) -> str | None:
    """Return what to send instead of a value that is too long, too large or not one of the
    choices."""
    limits = error.get("ctx", {})
    match error["type"]:
        case "string_too_long":
            return f"is too long; use at most {limits['max_length']:,} characters"
        case "too_long":
            return f"has too many items; send at most {limits['max_length']:,}"
        case "too_short":
            return f"has too few items; send at least {limits['min_length']:,}"
        case "greater_than_equal":
            return f"is too small; send one greater than or equal to {limits['ge']}"
        case "greater_than":
            return f"is too small; send one greater than {limits['gt']}"
        case "less_than_equal":
            return f"is too large; send one less than or equal to {limits['le']}"
        case "less_than":
            return f"is too large; send one less than {limits['lt']}"
        case "literal_error" | "enum":
            return f"is not one of the values here; send {limits['expected']}"
        case "string_type":
            return "is not text; send a valid string"
        case "string_pattern_mismatch":
            return "does not have the required format; see /docs"
        case kind if kind.startswith("int"):
            return "is not a whole number; send an integer"
        case kind if kind.startswith(("float", "decimal")):
            return "is not a number; send one"
        case kind if kind.startswith("bool"):
            return "is not a boolean; send true or false"
        case "url_too_long":
            return f"is too long; use at most {limits['max_length']:,} characters"
        case "url_scheme":
            return f"begins with another scheme; use {limits['expected_schemes']}"
        case kind if kind.startswith("url"):
            return "is not a valid URL; send one such as https://example.org/page"
        case _:
            return None


def _shorten(value: Any) -> Any:
    return shorten(value, _SHOWN_CHARS) if isinstance(value, str) else value


def _is_partial_id(error: dict[str, Any]) -> bool:
    return error["loc"][:1] == ("path",) and _PARTIAL_ID.fullmatch(str(error["input"])) is not None


async def _handle_http_error(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    if parse_error := _parse_error(error.__cause__):
        return reply(parse_error)
    if error.status_code == 404:
        message = "There is nothing at this address; see /docs for what there is."
        return JSONResponse(rest_body(message, "not_found"), 404)
    body = rest_body(str(error.detail), "http_error")
    return JSONResponse(body, error.status_code, error.headers)


def _parse_error(cause: BaseException | None) -> errors.RememError | None:
    """Return why a body could not be parsed, which FastAPI hides behind a plain 400."""
    match cause:
        case errors.RememError():
            return cause
        case UnicodeDecodeError():
            return errors.Invalid("body", "is not valid UTF-8 JSON; encode it as UTF-8")
        case RecursionError():
            return errors.Invalid("body", "is nested too deeply; flatten it")
        case ValueError():
            return errors.Invalid("body", "contains a number with too many digits; send it as text")
        case _:
            return None


def unexpected_error(error: Exception, request_id: str) -> JSONResponse:
    """Log the traceback, and give the caller the request id to report."""
    log.error("unexpected", request_id=request_id, exc_info=error)
    message = "Something went wrong here; it was logged. Try again, or report the request id."
    return JSONResponse(rest_body(message, "internal", {"request_id": request_id}), 500)
