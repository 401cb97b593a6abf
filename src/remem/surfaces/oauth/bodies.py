"""Read the bodies of OAuth requests, with limits of size and number of fields."""

import json
from collections.abc import Sequence
from typing import Any
from urllib.parse import parse_qsl

from fastapi import Request

from remem.core.text import unstorable_reason
from remem.surfaces.oauth.answers import OAuthError

BODY_LIMIT_BYTES = 20_000
FIELDS_LIMIT = 50


async def read_form(request: Request) -> dict[str, str]:
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/x-www-form-urlencoded":
        raise OAuthError("invalid_request", "Send a form: application/x-www-form-urlencoded.")
    body = (await _read(request)).decode(errors="replace")
    try:
        pairs = parse_qsl(body, keep_blank_values=True, max_num_fields=FIELDS_LIMIT)
    except ValueError as error:
        raise OAuthError("invalid_request", f"Send at most {FIELDS_LIMIT} fields.") from error
    return unique_fields(pairs)


def unique_fields(pairs: Sequence[tuple[str, str]]) -> dict[str, str]:
    """Fields by name. Repeated fields are refused, because they are ambiguous."""
    fields: dict[str, str] = {}
    for name, value in pairs:
        if name in fields:
            raise OAuthError(
                "invalid_request", f"{name[:100]} was sent more than once; send it once."
            )
        if reason := unstorable_reason(value):
            raise OAuthError("invalid_request", f"{name[:100]} {reason}.")
        fields[name] = value
    return {name: value for name, value in fields.items() if value}


async def read_json(request: Request) -> dict[str, Any]:
    body = await _read(request)
    try:
        fields = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise OAuthError(
            "invalid_client_metadata", "The body is not JSON; send an object."
        ) from error
    if not isinstance(fields, dict):
        raise OAuthError("invalid_client_metadata", "The body is not a JSON object; send one.")
    return fields


async def _read(request: Request) -> bytes:
    body = b""
    async for block in request.stream():
        body += block
        if len(body) > BODY_LIMIT_BYTES:
            message = f"The body is larger than {BODY_LIMIT_BYTES:,} bytes; send less."
            raise OAuthError("invalid_request", message, 413)
    return body
