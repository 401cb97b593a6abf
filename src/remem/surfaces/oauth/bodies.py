"""Read OAuth request bodies: small, up to a limit, each field once."""

import json
from collections.abc import Sequence
from typing import Any
from urllib.parse import parse_qsl

from fastapi import Request

from remem.core.text import unstorable
from remem.surfaces.oauth.answers import Refusal

BODY_LIMIT_BYTES = 20_000
FIELDS_LIMIT = 50


async def read_form(request: Request) -> dict[str, str]:
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/x-www-form-urlencoded":
        raise Refusal("invalid_request", "Send a form: application/x-www-form-urlencoded.")
    body = (await _read(request)).decode(errors="replace")
    try:
        pairs = parse_qsl(body, keep_blank_values=True, max_num_fields=FIELDS_LIMIT)
    except ValueError as error:
        raise Refusal("invalid_request", f"Send at most {FIELDS_LIMIT} fields.") from error
    return single(pairs)


def single(pairs: Sequence[tuple[str, str]]) -> dict[str, str]:
    """Fields by name. One that came twice could mean two things to two readers."""
    found: dict[str, str] = {}
    for name, value in pairs:
        if name in found:
            raise Refusal("invalid_request", f"{name[:100]} came more than once; send it once.")
        if reason := unstorable(value):
            raise Refusal("invalid_request", f"{name[:100]} {reason}.")
        found[name] = value
    return {name: value for name, value in found.items() if value}


async def read_json(request: Request) -> dict[str, Any]:
    body = await _read(request)
    try:
        found = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise Refusal("invalid_client_metadata", "The body is not JSON; send an object.") from error
    if not isinstance(found, dict):
        raise Refusal("invalid_client_metadata", "The body is not a JSON object; send one.")
    return found


async def _read(request: Request) -> bytes:
    taken = b""
    async for block in request.stream():
        taken += block
        if len(taken) > BODY_LIMIT_BYTES:
            message = f"The body is larger than {BODY_LIMIT_BYTES:,} bytes; send less."
            raise Refusal("invalid_request", message, 413)
    return taken
