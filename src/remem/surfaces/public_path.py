"""The path of the public URL: a proxy may publish the server at `https://home.example/remem`."""

from starlette.types import ASGIApp, Receive, Scope, Send

from remem.surfaces.address import ISSUER, WELL_KNOWN


class PublicPath:
    """Outermost ASGI middleware that removes the public path from requests. Everything after it
    sees the same paths whether or not the proxy strips them, and at the server's own address.

    Metadata of a URL with a path is requested at `/.well-known/<name>/<path>` (RFC 8414, 9728)."""

    def __init__(self, app: ASGIApp, path: str) -> None:
        self.app = app
        self._prefixes = [(path, ""), *((name + path, name) for name in (ISSUER, WELL_KNOWN))]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            scope = self._without_prefix(scope)
        await self.app(scope, receive, send)

    def _without_prefix(self, scope: Scope) -> Scope:
        for prefix, replacement in self._prefixes:
            if scope["path"] == prefix or scope["path"].startswith(f"{prefix}/"):
                path = (replacement + scope["path"].removeprefix(prefix)) or "/"
                raw: bytes | None = scope.get("raw_path")
                if raw and raw.startswith(prefix.encode()):
                    raw = (replacement.encode() + raw.removeprefix(prefix.encode())) or b"/"
                return {**scope, "path": path, "raw_path": raw}
        return scope
