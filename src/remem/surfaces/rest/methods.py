"""The methods that each path allows: HEAD, OPTIONS and 405 are answered before routing.

A router tries routes one by one, so `/documents/{id}` would match `/documents/list`. Here a literal
path allows only the methods declared for that path."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from fastapi.routing import iter_route_contexts
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

Allowed = frozenset[str]
# A route that declares no methods allows all of them.
ANY: Allowed = frozenset()


@dataclass(frozen=True, slots=True)
class PatternRoute:
    """A path with parameters; `takes_rest` if its last parameter may contain slashes."""

    pattern: re.Pattern[str]
    methods: Allowed
    takes_rest: bool


@dataclass(frozen=True, slots=True)
class MethodTable:
    literal: dict[str, Allowed]
    patterns: list[PatternRoute]

    def allowed(self, path: str) -> Allowed | None:
        """Return the methods of a path, or None when nothing is there."""
        if path in self.literal:
            return self.literal[path]
        matching = [route for route in self.patterns if route.pattern.match(path)]
        if not matching:
            return None
        # A single-segment parameter takes precedence over one that matches the rest of the path.
        exact = [route.methods for route in matching if not route.takes_rest]
        methods = exact or [route.methods for route in matching]
        return ANY if ANY in methods else frozenset().union(*methods)


def method_table(routes: Any) -> MethodTable:
    literal: dict[str, Allowed] = {}
    patterns: list[PatternRoute] = []
    for route in iter_route_contexts(routes):
        path, methods = route.path or "", _with_implied_methods(route.methods or ())
        if "{" in path:
            patterns.append(PatternRoute(route.path_regex, methods, path.endswith(":path}")))
        else:
            literal[path] = literal.get(path, frozenset()) | methods
    return MethodTable(literal, patterns)


def _with_implied_methods(methods: Iterable[str]) -> Allowed:
    declared = frozenset(methods)
    if not declared:
        return ANY
    return declared | {"OPTIONS"} | ({"HEAD"} if "GET" in declared else frozenset())


class Methods:
    """ASGI middleware inside Limits, so that its replies get the common headers."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self._table: MethodTable | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        allowed = self._allowed(scope) if scope["type"] == "http" else None
        if not allowed:
            slash = scope["type"] == "http" and scope["path"].endswith("/") and allowed is None
            reply = self._redirect_without_slash(scope) if slash else None
            await (reply or self.app)(scope, receive, send)
        elif scope["method"] not in allowed:
            await _method_not_allowed(allowed)(scope, receive, send)
        elif scope["method"] == "OPTIONS" and not self._is_routed(scope):
            await Response(status_code=204, headers=_allow_header(allowed))(scope, receive, send)
        elif scope["method"] == "HEAD" and not self._is_routed(scope):
            await self._head(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    def _allowed(self, scope: Scope) -> Allowed | None:
        if self._table is None:
            self._table = method_table(scope["app"].routes)
        return self._table.allowed(scope["path"])

    def _redirect_without_slash(self, scope: Scope) -> Response | None:
        """Redirect to the same path without its last slash, if that exists. The address is
        relative: behind a proxy, this server's own one is not that of the client."""
        path = scope["path"].rstrip("/")
        if self._allowed({**scope, "path": path}) is None:
            return None
        query = f"?{scope['query_string'].decode('latin-1')}" if scope["query_string"] else ""
        return Response(
            status_code=307, headers={"Location": f"../{quote(path.rpartition('/')[2])}{query}"}
        )

    def _is_routed(self, scope: Scope) -> bool:
        """Whether a route handles this method itself, as the OAuth routes handle OPTIONS."""
        return any(
            scope["method"] in (route.methods or ()) and route.path_regex.match(scope["path"])
            for route in iter_route_contexts(scope["app"].routes)
        )

    async def _head(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Reply as to GET, without the body. A stream is read to its end all the same, because a
        half-read one would keep its database connection."""

        async def without_body(message: Message) -> None:
            if message["type"] == "http.response.body":
                message = {**message, "body": b""}
            await send(message)

        await self.app({**scope, "method": "GET"}, receive, without_body)


def _method_not_allowed(allowed: Allowed) -> Response:
    message = f"This address allows {_allow_header(allowed)['Allow']}; see /docs."
    body = {"error": message, "code": "method_not_allowed"}
    return JSONResponse(body, 405, _allow_header(allowed))


def _allow_header(allowed: Allowed) -> dict[str, str]:
    return {"Allow": ", ".join(sorted(allowed))}
