"""`/api/v3/…` is another name of `/v3/…`."""

from starlette.types import ASGIApp, Receive, Scope, Send

ALIAS = "/api/v3/"
MEANT = "/v3/"


class Alias:
    """ASGI middleware, outermost: all that follows sees the address that is meant, so that limits,
    rights and the addresses that tokens are for are the same by both names."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"].startswith(ALIAS):
            scope = {**scope, "path": MEANT + scope["path"].removeprefix(ALIAS)}
            raw: bytes | None = scope.get("raw_path")
            if raw and raw.startswith(ALIAS.encode()):
                scope["raw_path"] = MEANT.encode() + raw.removeprefix(ALIAS.encode())
        await self.app(scope, receive, send)
