"""The OAuth routes; none needs a credential, because they create credentials."""

from importlib.resources import files

from fastapi import APIRouter, Response
from fastapi.routing import iter_route_contexts

from remem.surfaces.oauth import authorize, metadata, register, token

STYLE = "/oauth/style.css"
_style = APIRouter(include_in_schema=False)


@_style.get(STYLE)
async def style() -> Response:
    content = files("remem.surfaces.oauth").joinpath("looks", "style.css").read_bytes()
    return Response(content, media_type="text/css", headers={"Cache-Control": "max-age=3600"})


def oauth() -> APIRouter:
    everything = APIRouter(include_in_schema=False)
    for module in (metadata, register, authorize, token):
        everything.include_router(module.router)
    everything.include_router(_style)
    return everything


PUBLIC = frozenset(route.path or "" for route in iter_route_contexts(oauth().routes))
