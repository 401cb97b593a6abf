"""The one-time link that `remem serve` prints and `remem open` opens."""

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse

from remem.core.errors import RememError
from remem.core.identity.browsers import use_link
from remem.surfaces.cookies import set_cookies, visitor_of
from remem.surfaces.dependencies import PortsDep, SettingsDep
from remem.surfaces.nearby import is_from_here
from remem.surfaces.web import headers

LINK_PATH = "/open/{token}"
router = APIRouter(include_in_schema=False)


@router.get(LINK_PATH)
async def open_by_link(
    token: str, ports: PortsDep, settings: SettingsDep, request: Request
) -> RedirectResponse:
    """Sign this browser in and go to the app; a link that does not work leads to the sign-in page,
    which says so."""
    if not is_from_here(settings, request) or not _is_opened_by_person(request):
        return _to("/login?problem=link_elsewhere")
    try:
        signed = await use_link(ports, token, visitor_of(settings, request))
    except RememError as error:
        return _to(f"/login?problem={error.code}")
    reply = _to("/dashboard")
    set_cookies(settings, request, reply, signed)
    return reply


def _is_opened_by_person(request: Request) -> bool:
    """A picture, a frame or a page of another site must not sign this browser in as somebody
    else. Programs that are no browsers say nothing of this."""
    site = request.headers.get("sec-fetch-site", "none")
    return request.headers.get("sec-fetch-dest", "document") == "document" and site in (
        "none",
        "same-origin",
    )


def _to(address: str) -> RedirectResponse:
    return RedirectResponse(address, 303, {**headers.PAGE, "Referrer-Policy": "no-referrer"})
