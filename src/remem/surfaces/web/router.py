"""The routes of the web app: its pages, all of which are `index.html`, and its files."""

import asyncio
from collections.abc import Callable, Mapping
from functools import partial

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse
from fastapi.routing import APIRoute

from remem.core.errors import NotFound
from remem.surfaces.routes import collect_routes
from remem.surfaces.web import extension, headers, link
from remem.surfaces.web.files import ASSET_FOLDER, WebFile, WebFiles, built_files

# All pages of the app. Other URLs are a 404, for which browsers get the app's own page.
PAGES = (
    "/",
    "/login",
    "/register",
    "/dashboard",
    "/search",
    "/ask",
    "/library",
    "/memory/{id}",
    "/memory/{id}/read",
    "/tags/{tag}",
    "/memories",
    "/memories/{id}",
    "/graph",
    "/timeline",
    "/projects",
    "/projects/{slug}",
    "/projects/{slug}/settings",
    "/connect",
    "/share",
    "/people",
    "/today",
    "/extension",
    "/activity",
    "/trash",
    "/evolution",
    "/operator",
    "/settings",
    "/settings/{section}",
)
ASSET_PATH = f"/{ASSET_FOLDER}/{{name}}"
SHARE_PATH = "/share"
# Shown if the app was not built, for example in a wheel made without Node.
_NOT_BUILT = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>remem</title></head>
<body>
  <h1>The web app is not part of this installation</h1>
  <p>It was installed without Node. Run <code>make serve</code> in the source folder, or
  install remem again with Node 20 or newer. The API works: see <a href="{0}/docs">{0}/docs</a>.</p>
</body>
</html>
"""


def web() -> tuple[APIRoute, ...]:
    router, built = APIRouter(include_in_schema=False), built_files()
    for path in PAGES:
        router.add_api_route(path, partial(page, built), methods=["GET"])
    router.add_api_route(SHARE_PATH, _shared_without_worker, methods=["POST"])
    router.add_api_route(ASSET_PATH, partial(_asset, built), methods=["GET"])
    for name in built.root_file_names():
        router.add_api_route(f"/{name}", partial(_root_file, built, name), methods=["GET"])
    return tuple(collect_routes([router, link.router, extension.router]))


def public_paths() -> frozenset[str]:
    """Paths that need no credential: the app's own files, which contain no user data."""
    root_files = (f"/{name}" for name in built_files().root_file_names())
    return frozenset({*PAGES, ASSET_PATH, link.LINK_PATH, extension.FILE_PATH, *root_files})


async def page(built: WebFiles, request: Request) -> Response:
    public_path = request.app.state.settings.public_path
    index = await asyncio.to_thread(built.index, public_path)
    if index is None:
        return HTMLResponse(_NOT_BUILT.format(public_path), 503, headers.PAGE)
    return _reply(request, index, headers.PAGE)


async def _shared_without_worker(request: Request) -> Response:
    """Other apps share with the service worker. Without it, nothing is stored: any site could send
    this form."""
    public_path = request.app.state.settings.public_path
    return RedirectResponse(f"{public_path}{SHARE_PATH}", 303, headers.PAGE)


async def _asset(built: WebFiles, request: Request, name: str) -> Response:
    return await _file(request, partial(built.asset, name), name, headers.ASSET)


async def _root_file(built: WebFiles, name: str, request: Request) -> Response:
    return await _file(request, partial(built.root_file, name), name, headers.FIXED_NAME)


async def _file(
    request: Request, read: Callable[[], WebFile | None], name: str, sent_headers: Mapping[str, str]
) -> Response:
    file = await asyncio.to_thread(read)
    if file is None:
        raise NotFound("file", name)
    return _reply(request, file, sent_headers)


def _reply(request: Request, file: WebFile, sent_headers: Mapping[str, str]) -> Response:
    all_headers = {**sent_headers, "Vary": "Accept-Encoding"}
    if file.gzipped is None or "gzip" not in request.headers.get("accept-encoding", ""):
        return Response(file.content, media_type=file.media_type, headers=all_headers)
    all_headers["Content-Encoding"] = "gzip"
    return Response(file.gzipped, media_type=file.media_type, headers=all_headers)
