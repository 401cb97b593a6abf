"""The documentation of the API. All of its assets are served from this machine."""

from importlib.resources import files

from fastapi import APIRouter
from fastapi.responses import HTMLResponse, Response

from remem.core.errors import NotFound

router = APIRouter(include_in_schema=False)

_ASSETS = {
    "swagger-ui-bundle.js": "text/javascript; charset=utf-8",
    "swagger-ui.css": "text/css; charset=utf-8",
}
_START = """
window.ui = SwaggerUIBundle({
  url: 'openapi.json', dom_id: '#docs', deepLinking: true, persistAuthorization: true,
  tryItOutEnabled: true, validatorUrl: null,
})
"""
_PAGE = """<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>remem API</title>
  <link rel="icon" href="data:,">
  <link rel="stylesheet" href="docs/swagger-ui.css">
</head>
<body>
  <main id="docs"></main>
  <script src="docs/swagger-ui-bundle.js"></script>
  <script src="docs/start.js"></script>
</body>
</html>
"""


@router.get("/docs")
async def page() -> HTMLResponse:
    return HTMLResponse(
        _PAGE,
        headers={
            "Content-Security-Policy": "default-src 'self'; img-src 'self' data:;"
            " style-src 'self' 'unsafe-inline'; frame-ancestors 'none'"
        },
    )


@router.get("/docs/{name}")
async def asset(name: str) -> Response:
    if name == "start.js":
        return Response(_START, media_type="text/javascript; charset=utf-8")
    if name not in _ASSETS:
        raise NotFound("file", name)
    content = files("fastapi_swagger").joinpath("resources", name).read_bytes()
    return Response(
        content, media_type=_ASSETS[name], headers={"Cache-Control": "public, max-age=86400"}
    )
