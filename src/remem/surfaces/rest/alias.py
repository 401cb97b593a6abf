"""`/api/v3/…` is an alias of `/v3/…`."""

from starlette.types import ASGIApp, Receive, Scope, Send

ALIAS = "/api/v3/"
CANONICAL = "/v3/"


class Alias:
    """Outermost ASGI middleware that rewrites the path. Everything after it sees the canonical
    path, so that limits, permissions and token audiences are the same for both."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"].startswith(ALIAS):
            scope = {**scope, "path": CANONICAL + scope["path"].removeprefix(ALIAS)}
            raw: bytes | None = scope.get("raw_path")
            if raw and raw.startswith(ALIAS.encode()):
                scope["raw_path"] = CANONICAL.encode() + raw.removeprefix(ALIAS.encode())
        await self.app(scope, receive, send)
