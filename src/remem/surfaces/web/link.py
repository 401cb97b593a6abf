"""The one-time link that `remem serve` prints and `remem open` opens."""

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse

from remem.core.errors import RememError
from remem.core.identity.browsers import use_link
from remem.settings import Settings
from remem.surfaces.cookies import set_cookies, visitor_of
from remem.surfaces.dependencies import PortsDep, SettingsDep
from remem.surfaces.local_requests import is_from_this_computer
from remem.surfaces.web import headers

LINK_PATH = "/open/{token}"
router = APIRouter(include_in_schema=False)


@router.get(LINK_PATH)
async def open_by_link(
    token: str, ports: PortsDep, settings: SettingsDep, request: Request
) -> RedirectResponse:
    """Sign this browser in and go to the app; if the link does not work, show the problem on the
    sign-in page."""
    if not is_from_this_computer(settings, request) or not _is_opened_by_person(request):
        return _redirect(settings, "/login?problem=link_elsewhere")
    try:
        sign_in = await use_link(ports, token, visitor_of(settings, request))
    except RememError as error:
        return _redirect(settings, f"/login?problem={error.code}")
    reply = _redirect(settings, "/dashboard")
    set_cookies(settings, request, reply, sign_in)
    return reply


def _is_opened_by_person(request: Request) -> bool:
    """Whether a person opened the link. An image, frame or page of another site must not sign this
    browser in as somebody else. Clients other than browsers do not send these headers."""
    site = request.headers.get("sec-fetch-site", "none")
    return request.headers.get("sec-fetch-dest", "document") == "document" and site in (
        "none",
        "same-origin",
    )


def _redirect(settings: Settings, page: str) -> RedirectResponse:
    sent_headers = {**headers.PAGE, "Referrer-Policy": "no-referrer"}
    return RedirectResponse(settings.public_path + page, 303, sent_headers)
