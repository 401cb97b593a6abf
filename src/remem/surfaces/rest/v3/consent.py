"""Connect an account by giving consent at its service, in a browser or with a code."""

from typing import Annotated
from urllib.parse import urlencode
from uuid import UUID

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import RedirectResponse
from pydantic import BaseModel, Field

from remem.core.connections.consent import consent
from remem.core.connections.model import CHOSEN_LIMIT
from remem.core.errors import RememError
from remem.settings import Settings
from remem.surfaces.address import base_url
from remem.surfaces.rest.auth import recognise
from remem.surfaces.rest.deps import PortsDep, SettingsDep, Writer
from remem.surfaces.rest.guard import Guarded
from remem.surfaces.rest.shapes import Body, Moment, Reply
from remem.surfaces.rest.v3.connection_shapes import (
    ConnectionOut,
    Fields,
    Interval,
    Reference,
    connection_out,
)
from remem.surfaces.rest.v3.connector_shapes import redirect_uri

router = APIRouter(prefix="/v3", tags=["connections"], route_class=Guarded)
# Services add parameters of their own to the callback URL, so unknown ones must be accepted.
public = APIRouter(prefix="/v3", tags=["connections"])

PAGE = "/settings/connections"
_CHARS = 2_000
Word = Annotated[str, Field(min_length=1, max_length=_CHARS)]


class ConsentIn(Body):
    client_id: Word | None = Field(
        default=None, description="The client id of your own app, if you have one."
    )
    client_secret: Word | None = None
    chosen: list[Reference] = Field(default_factory=list, max_length=CHOSEN_LIMIT)
    project: str | None = Field(default=None, description="A name or path; created on first use.")
    interval_s: Interval | None = Field(default=None, description="Seconds between two syncs.")
    fields: Fields = Field(
        default_factory=dict, description="Optional fields of the provider, such as `code`."
    )


class ConsentOut(BaseModel):
    auth_url: str = Field(description="Open it in the browser in which you are signed in.")
    redirect_uri: str = Field(
        description="The redirect URI that your app at the service has to allow."
    )
    expires_at: Moment


class DeviceOut(Reply):
    user_code: str = Field(description="Type it in at `verification_url`.")
    verification_url: str
    id: UUID = Field(description="For `POST /v3/connections/sign-ins/{id}/poll`.")
    interval_s: int = Field(description="Seconds between two polls.")
    expires_at: Moment


class PollOut(BaseModel):
    connection: ConnectionOut | None = Field(description="Null until the code was typed in.")


@router.post("/connections/{provider}/authorize", response_model=ConsentOut)
async def authorize(
    provider: str,
    body: ConsentIn,
    ports: PortsDep,
    settings: SettingsDep,
    caller: Writer,
    request: Request,
) -> ConsentOut:
    """Start to connect an account by giving consent at its service."""
    callback_url = redirect_uri(base_url(settings, request), provider)
    url, expires_at = await consent.authorize(
        ports, caller, _consent_wish(provider, body), callback_url
    )
    return ConsentOut(auth_url=url, redirect_uri=callback_url, expires_at=expires_at)


@public.get("/connections/{provider}/callback", status_code=303, response_class=Response)
async def callback(
    provider: str,
    ports: PortsDep,
    settings: SettingsDep,
    request: Request,
    state: Annotated[str, Query(max_length=_CHARS)] = "",
    code: Annotated[str | None, Query(max_length=_CHARS)] = None,
    error: Annotated[str | None, Query(max_length=_CHARS)] = None,
    iss: Annotated[str | None, Query(max_length=_CHARS)] = None,
) -> Response:
    """The redirect target of a service. It requires the browser of the user who started, because
    one user's consent must not end up in another's store."""
    answer = consent.ConsentAnswer(state, code, error, iss)
    try:
        caller = await recognise(ports, settings, request)
        connection = await consent.finish(ports, caller, provider, answer)
    except RememError as problem:
        # Never show the service's own text.
        return _redirect_to_page(settings, failed=problem.code)
    return _redirect_to_page(settings, connected=str(connection.id))


@router.post("/connectors/{provider}/device", response_model=DeviceOut)
async def begin_device(
    provider: str, body: ConsentIn, ports: PortsDep, caller: Writer
) -> DeviceOut:
    """Start to connect an account with a code that is entered on another device; needs no
    callback."""
    code, id, expires_at = await consent.begin_device(ports, caller, _consent_wish(provider, body))
    return DeviceOut.of(code, verification_url=code.address, id=id, expires_at=expires_at)


@router.post("/connections/sign-ins/{id}/poll", response_model=PollOut)
async def poll_device(id: UUID, ports: PortsDep, caller: Writer) -> PollOut:
    """Check whether the code was entered; if so, the account is connected."""
    connection = await consent.finish_device(ports, caller, id)
    return PollOut(connection=connection_out(ports, connection) if connection else None)


def _consent_wish(provider: str, body: ConsentIn) -> consent.ConsentRequest:
    return consent.ConsentRequest(
        provider,
        body.client_id,
        body.client_secret,
        tuple(body.chosen),
        body.project,
        body.interval_s,
        body.fields,
    )


def _redirect_to_page(settings: Settings, **query: str) -> RedirectResponse:
    page = f"{settings.public_path}{PAGE}?{urlencode(query)}"
    return RedirectResponse(page, 303, {"Cache-Control": "no-store"})
