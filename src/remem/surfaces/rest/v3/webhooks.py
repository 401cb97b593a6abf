"""Webhooks: requests of services that report changes."""

from uuid import UUID

from fastapi import APIRouter, Request, Response
from fastapi.responses import PlainTextResponse
from pydantic import BaseModel, Field

from remem.core.connections.hooks.receive import create_hook, receive
from remem.core.errors import TooLarge
from remem.surfaces.address import base_url
from remem.surfaces.rest.deps import PortsDep, SettingsDep, Writer
from remem.surfaces.rest.guard import Guarded

router = APIRouter(prefix="/v3", tags=["connections"], route_class=Guarded)
# A service may add parameters of its own to the URL.
public = APIRouter(prefix="/v3", tags=["connections"])

BODY_BYTES = 1_000_000


class HookOut(BaseModel):
    url: str = Field(description="The URL for the service to call; shown once.")
    secret: str = Field(description="The secret that signs its requests; shown once.")


@router.post("/connections/{id}/webhook", status_code=201, response_model=HookOut)
async def add(
    id: UUID, ports: PortsDep, settings: SettingsDep, caller: Writer, request: Request
) -> HookOut:
    """Create the webhook URL that a service calls on changes, replacing an earlier one."""
    hook = await create_hook(ports, caller, id)
    base = base_url(settings, request)
    return HookOut(url=f"{base}/v3/webhooks/{hook.provider}/{hook.key}", secret=hook.secret)


@public.post(
    "/webhooks/{provider}/{hook}",
    status_code=202,
    response_class=Response,
    responses={202: {"content": {"text/plain": {"schema": {"type": "string"}}}}},
)
async def called(provider: str, hook: str, ports: PortsDep, request: Request) -> Response:
    """For services: a signed request makes the next sync start sooner."""
    body = await _body(request)
    call = await receive(ports, provider, hook, dict(request.headers), body)
    if call.reply is not None:
        return PlainTextResponse(call.reply, 200)
    return PlainTextResponse("accepted", 202)


async def _body(request: Request) -> bytes:
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > BODY_BYTES:
            raise TooLarge("The request is larger than 1 MB; no service sends that much.")
    return body
