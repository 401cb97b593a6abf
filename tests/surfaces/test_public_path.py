"""The path of the public URL: which ones are accepted, and what is removed from requests."""

import pytest
from fastapi.routing import iter_route_contexts
from pydantic import ValidationError
from starlette.requests import Request
from starlette.types import Receive, Scope, Send

from remem.app import create_app
from remem.public_url import OWN_SEGMENTS
from remem.settings import Settings
from remem.surfaces.cli.browser import public_sign_in_page
from remem.surfaces.cookies import session_token
from remem.surfaces.public_path import PublicPath

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("url", "expected", "path"),
    [
        ("https://Home.Example", "https://home.example", ""),
        ("https://home.example/", "https://home.example", ""),
        ("https://home.example/remem/", "https://home.example/remem", "/remem"),
        ("http://Home.example:8443/Tools/remem", "http://home.example:8443/Tools/remem", None),
    ],
)
def test_a_public_url_may_have_a_path(url: str, expected: str, path: str | None) -> None:
    settings = Settings(public_url=url)
    assert settings.public_url == expected
    assert settings.public_path == ("/Tools/remem" if path is None else path)


@pytest.mark.parametrize(
    "path",
    ["/v3", "/mcp/", "/memory", "/.well-known", "/sw.js", "/a b", "/a?b", "/a#b", "/a//b", "/../a"],
)
def test_a_path_that_cannot_be_published_is_refused(path: str) -> None:
    with pytest.raises(ValidationError, match=r"give scheme, host and path|choose another path"):
        Settings(public_url=f"https://home.example{path}")


def test_the_first_segments_of_all_routes_are_refused() -> None:
    routes = iter_route_contexts(create_app(Settings()).routes)
    segments = {(route.path or "/").split("/")[1] for route in routes}
    assert {segment for segment in segments if segment and "." not in segment} == OWN_SEGMENTS


@pytest.mark.parametrize(
    ("requested", "seen"),
    [
        ("/remem", "/"),
        ("/remem/", "/"),
        ("/remem/v3/whoami", "/v3/whoami"),
        ("/v3/whoami", "/v3/whoami"),
        ("/remembered", "/remembered"),
        (
            "/.well-known/oauth-authorization-server/remem",
            "/.well-known/oauth-authorization-server",
        ),
        (
            "/.well-known/oauth-protected-resource/remem/mcp/all",
            "/.well-known/oauth-protected-resource/mcp/all",
        ),
        ("/remem/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource"),
    ],
)
async def test_the_path_is_removed_from_requests(requested: str, seen: str) -> None:
    scopes: list[Scope] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        scopes.append(scope)

    async def unused(*_: object) -> None: ...

    scope = {"type": "http", "path": requested, "raw_path": requested.encode()}
    await PublicPath(app, "/remem")(scope, unused, unused)  # pyrefly: ignore[bad-argument-type]
    assert [(scope["path"], scope["raw_path"]) for scope in scopes] == [(seen, seen.encode())]


def test_the_cookie_of_the_longest_path_counts() -> None:
    cookies = b"other=1; remem_session=below; remem_session=root"
    request = Request({"type": "http", "headers": [(b"cookie", cookies)]})
    assert session_token(request) == "below"


@pytest.mark.parametrize(
    ("public_url", "page"),
    [
        ("https://home.example/remem/", "https://home.example/remem/login"),
        ("http://localhost:9000/remem", None),
        ("", None),
    ],
)
def test_a_public_server_has_no_sign_in_links(
    monkeypatch: pytest.MonkeyPatch, public_url: str, page: str | None
) -> None:
    monkeypatch.setenv("REMEM_PUBLIC_URL", public_url)
    assert public_sign_in_page() == page
