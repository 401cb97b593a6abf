"""The OAuth routes. They need no credential, because they create credentials."""

from importlib.resources import files

from fastapi import APIRouter, Response
from fastapi.routing import APIRoute

from remem.surfaces.oauth import authorize, metadata, register, token
from remem.surfaces.routes import collect_routes

STYLE = "/oauth/style.css"
_style = APIRouter(include_in_schema=False)


@_style.get(STYLE)
async def style() -> Response:
    content = files("remem.surfaces.oauth").joinpath("looks", "style.css").read_bytes()
    return Response(content, media_type="text/css", headers={"Cache-Control": "max-age=3600"})


def oauth() -> tuple[APIRoute, ...]:
    modules = (metadata, register, authorize, token)
    return tuple(collect_routes([*(module.router for module in modules), _style]))


PUBLIC = frozenset(route.path for route in oauth())
