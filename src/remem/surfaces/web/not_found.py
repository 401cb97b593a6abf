"""Serve the app for unknown URLs opened in a browser; it shows a page for this."""

from functools import partial
from typing import Any

from fastapi import FastAPI, Request, Response
from starlette.exceptions import HTTPException

from remem.surfaces.web.files import ASSET_FOLDER, WebFiles, built_files
from remem.surfaces.web.router import page

# These are for programs, even if they send a browser's headers.
_NO_PAGES = ("/v1/", "/v3/", "/api/", f"/{ASSET_FOLDER}/")


def install(app: FastAPI) -> None:
    """Install the handler; all other errors go to the previous one."""
    fallback = app.exception_handlers[HTTPException]
    app.add_exception_handler(HTTPException, partial(_reply, built_files(), fallback))


async def _reply(
    built: WebFiles, fallback: Any, request: Request, error: HTTPException
) -> Response:
    if error.status_code != 404 or not _is_opened_in_browser(request):
        return await fallback(request, error)
    reply = await page(built, request)
    reply.status_code = 404 if reply.status_code == 200 else reply.status_code
    return reply


def _is_opened_in_browser(request: Request) -> bool:
    asks_for_page = "text/html" in request.headers.get("accept", "")
    return asks_for_page and request.method == "GET" and not request.url.path.startswith(_NO_PAGES)
