"""The addresses of the web app: its pages, all of which are `index.html`, and its files."""

import asyncio
from collections.abc import Callable, Mapping
from functools import partial

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse
from fastapi.routing import APIRoute

from remem.core.errors import NotFound
from remem.surfaces.routes import routes_of
from remem.surfaces.web import extension, headers, link
from remem.surfaces.web.files import ASSET_FOLDER, WebFile, WebFiles, built_files

# Every page of the app. Any other address is a 404: for a browser with the app's own page.
PAGES = (
    "/",
    "/login",
    "/register",
    "/dashboard",
    "/search",
    "/ask",
    "/library",
    "/memory/{id}",
    "/memories",
    "/memories/{id}",
    "/graph",
    "/timeline",
    "/projects",
    "/projects/{slug}",
    "/projects/{slug}/settings",
    "/connect",
    "/extension",
    "/activity",
    "/evolution",
    "/settings",
    "/settings/{section}",
)
ASSET_PATH = f"/{ASSET_FOLDER}/{{name}}"
# The app for computers that have not built it, such as a wheel made without Node.
_NOT_BUILT = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>remem</title></head>
<body>
  <h1>The web app is not part of this installation</h1>
  <p>It was installed without Node. Run <code>make serve</code> in the source folder, or
  install remem again with Node 20 or newer. The API works: see <a href="/docs">/docs</a>.</p>
</body>
</html>
"""


def web() -> tuple[APIRoute, ...]:
    router, built = APIRouter(include_in_schema=False), built_files()
    for path in PAGES:
        router.add_api_route(path, partial(page, built), methods=["GET"])
    router.add_api_route(ASSET_PATH, partial(_asset, built), methods=["GET"])
    for name in built.names_at_the_top():
        router.add_api_route(f"/{name}", partial(_fixed, built, name), methods=["GET"])
    return tuple(routes_of([router, link.router, extension.router]))


def public_paths() -> frozenset[str]:
    """Public files: the app's own assets, which contain no user data."""
    fixed = (f"/{name}" for name in built_files().names_at_the_top())
    return frozenset({*PAGES, ASSET_PATH, link.LINK_PATH, extension.FILE_PATH, *fixed})


async def page(built: WebFiles, request: Request) -> Response:
    found = await asyncio.to_thread(built.index)
    if found is None:
        return HTMLResponse(_NOT_BUILT, 503, headers.PAGE)
    return _reply(request, found, headers.PAGE)


async def _asset(built: WebFiles, request: Request, name: str) -> Response:
    return await _file(request, partial(built.asset, name), name, headers.ASSET)


async def _fixed(built: WebFiles, name: str, request: Request) -> Response:
    return await _file(request, partial(built.at_the_top, name), name, headers.FIXED_NAME)


async def _file(
    request: Request, read: Callable[[], WebFile | None], name: str, given: Mapping[str, str]
) -> Response:
    found = await asyncio.to_thread(read)
    if found is None:
        raise NotFound("file", name)
    return _reply(request, found, given)


def _reply(request: Request, file: WebFile, given: Mapping[str, str]) -> Response:
    sent = {**given, "Vary": "Accept-Encoding"}
    if file.gzipped is None or "gzip" not in request.headers.get("accept-encoding", ""):
        return Response(file.content, media_type=file.media_type, headers=sent)
    sent["Content-Encoding"] = "gzip"
    return Response(file.gzipped, media_type=file.media_type, headers=sent)
