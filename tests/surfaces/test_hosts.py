"""Allowed host names, web pages that may call the server, and client addresses behind proxies."""

import re
import socket
from typing import Any

import httpx2
import pytest
from fastapi.routing import iter_route_contexts

from remem.app import create_app
from remem.core.errors import Forbidden
from remem.settings import Settings
from remem.surfaces.hosts import AllowedHosts
from remem.surfaces.proxies import TrustedProxies, client_address
from tests.conftest import Person, Server

EVERYWHERE = {"host": "0.0.0.0"}
PUBLIC = {"public_url": "https://memory.example.org"}
ALLOWED = {"allowed_hosts": ["memory.example.org", "*.example.net", "192.0.2.7"]}


def request_to(host: str | None, origin: str | None = None, **more: Any) -> dict[str, Any]:
    headers = [(b"host", host.encode())] if host is not None else []
    if origin is not None:
        headers.append((b"origin", origin.encode()))
    scope = {"type": "http", "path": "/v3/whoami", "headers": headers, "scheme": "http"}
    return {**scope, "server": ("192.168.1.5", 8080), "client": ("192.0.2.1", 9), **more}


def code_of(settings: dict[str, Any], scope: dict[str, Any]) -> str | None:
    try:
        AllowedHosts(Settings(**settings)).check(scope)
    except Forbidden as error:
        assert "REMEM_ALLOWED_HOSTS" in error.message
        return error.code
    return None


@pytest.mark.parametrize(
    ("settings", "host"),
    [
        ({}, "localhost"),
        ({}, "LocalHost:8080"),
        ({}, "localhost."),
        ({}, "127.0.0.1:1"),
        ({}, "127.8.9.10"),
        ({}, "[::1]:65535"),
        (PUBLIC, "memory.example.org"),
        (PUBLIC, "Memory.Example.org:443"),
        (ALLOWED, "memory.example.org:80"),
        (ALLOWED, "a.b.example.net"),
        (ALLOWED, "192.0.2.7"),
        ({"mcp_hosts": ["memory.example.org"]}, "memory.example.org"),
        ({"allowed_hosts": ["*"]}, "anything.example"),
        (EVERYWHERE, "192.168.1.5:8080"),
        (EVERYWHERE, socket.gethostname()),
        (EVERYWHERE, "localhost"),
        ({"host": "10.0.0.9"}, "10.0.0.9"),
    ],
)
def test_own_host_names_are_accepted(settings: dict[str, Any], host: str) -> None:
    assert code_of(settings, request_to(host)) is None


@pytest.mark.parametrize(
    ("settings", "host"),
    [
        ({}, "rebound.example"),
        ({}, "127.0.0.1.rebound.example"),
        ({}, "localhost.rebound.example:8080"),
        ({}, "rebound.example@127.0.0.1"),
        ({}, "127.0.0.1, rebound.example"),
        ({}, "remem.local"),
        ({}, "192.168.1.5"),
        ({}, "0.0.0.0:8080"),
        ({}, ""),
        ({}, None),
        ({}, "["),
        ({}, socket.gethostname() + ".rebound.example"),
        (PUBLIC, "example.org"),
        (PUBLIC, "evil-memory.example.org"),
        (ALLOWED, "example.net"),
        (ALLOWED, "evilexample.net"),
        (EVERYWHERE, "memory.example.org"),
        (EVERYWHERE, "192.168.1.6"),
        (EVERYWHERE, "0.0.0.0"),
    ],
)
def test_foreign_host_names_are_refused(settings: dict[str, Any], host: str | None) -> None:
    assert code_of(settings, request_to(host)) == "foreign_host"


def test_two_host_headers_are_refused() -> None:
    scope = request_to("localhost")
    scope["headers"].append((b"host", b"rebound.example"))
    assert code_of({}, scope) == "foreign_host"


@pytest.mark.parametrize(
    ("settings", "origin", "is_allowed"),
    [
        ({}, "http://localhost:6274", True),
        ({}, "http://[::1]", True),
        ({}, "https://evil.example", False),
        ({}, "http://localhost.evil.example", False),
        ({}, "null", False),
        ({}, "http://[", False),
        ({"allowed_hosts": ["app.example"]}, "https://app.example", True),
        # An extension or an installed application: no web page can have such an origin.
        ({}, "chrome-extension://abcdefghijklmnop", True),
        ({}, "moz-extension://0a1b", True),
        ({}, "app://obsidian.md", True),
    ],
)
def test_origins_of_pages(settings: dict[str, Any], origin: str, is_allowed: bool) -> None:
    expected = None if is_allowed else "foreign_origin"
    assert code_of(settings, request_to("localhost:8080", origin)) == expected


@pytest.mark.parametrize(
    ("origin", "path", "cookie", "is_allowed"),
    [
        ("http://localhost:6274", "/v3/documents", "remem_session=x", False),
        ("http://127.0.0.1:9999", "/v3/auth/login", "", False),
        ("http://127.0.0.1:9999", "/api/v3/auth/register", "", False),
        ("http://localhost", "/v3/auth/login", "", False),
        ("http://127.0.0.1:8080", "/v3/auth/login", "remem_session=x", True),
        ("http://[::1]:8080", "/v3/auth/login", "", True),
        ("http://localhost:6274", "/v3/documents", "theme=dark", True),
    ],
)
def test_a_page_on_another_port_can_neither_sign_in_nor_send_cookies(
    origin: str, path: str, cookie: str, is_allowed: bool
) -> None:
    scope = request_to("localhost:8080", origin, path=path)
    scope["headers"].append((b"cookie", cookie.encode()))
    assert code_of({}, scope) == (None if is_allowed else "foreign_origin")


def test_a_page_may_call_the_server_it_came_from() -> None:
    scope = request_to("192.168.1.5:8080", "http://192.168.1.5:8080")
    assert code_of(EVERYWHERE, scope) is None


def test_no_route_accepts_a_foreign_host(server: Server) -> None:
    routes = iter_route_contexts(create_app(Settings()).routes)
    paths = {re.sub(r"{[^}]*}", "x", route.path or "") for route in routes}
    assert len(paths) > 100
    foreign = {"Host": "rebound.example"}
    with httpx2.Client(base_url=server.url, headers=foreign, timeout=60, verify=False) as http:
        for path in sorted(paths):
            for method in ("GET", "POST"):
                reply = http.request(method, path)
                answer = reply.json()
                assert (reply.status_code, answer["code"]) == (403, "foreign_host"), path
                assert "REMEM_PUBLIC_URL" in answer["error"], path


def test_authenticated_routes_refuse_a_foreign_origin(person: Person) -> None:
    for path in ("/v3/whoami", "/api/memories", "/v1/stats", "/mcp", "/health"):
        reply = person.http.get(path, headers={"Origin": "https://evil.example"})
        assert (reply.status_code, reply.json()["code"]) == (403, "foreign_origin")


def test_an_extension_calls_with_its_key(person: Person) -> None:
    reply = person.http.get("/v3/whoami", headers={"Origin": "chrome-extension://abcdefghijklmnop"})
    assert reply.status_code == 200


def test_metadata_is_open_to_every_page_and_repeats_no_foreign_host(server: Server) -> None:
    url = f"{server.url}/.well-known/oauth-authorization-server"
    reply = httpx2.get(
        url, headers={"Origin": "https://app.example", "X-Forwarded-Host": "rebound.example"}
    )
    assert reply.status_code == 200
    assert "rebound" not in reply.text
    assert "rebound" not in httpx2.get(url, headers={"Host": "rebound.example"}).headers.get(
        "WWW-Authenticate", ""
    )


# Proxies

FORWARDED = {
    b"x-forwarded-for": b"203.0.113.9",
    b"x-forwarded-host": b"memory.example.org",
    b"x-forwarded-proto": b"https",
}


def resolve(settings: dict[str, Any], peer: str, **changed: bytes) -> dict[str, Any]:
    forwarded = {**FORWARDED, **{name.replace("_", "-").encode(): v for name, v in changed.items()}}
    scope = request_to("127.0.0.1:8080", client=(peer, 5))
    scope["headers"] += list(forwarded.items())
    return dict(TrustedProxies(Settings(**settings)).resolve(scope))


def test_only_a_trusted_proxy_may_set_forwarded_headers() -> None:
    trusted = {"trusted_proxies": ["10.0.0.0/8", "::1"]}
    for settings, peer in (({}, "127.0.0.1"), (trusted, "192.0.2.1"), (trusted, "11.0.0.1")):
        scope = resolve(settings, peer)
        assert (scope["client"][0], scope["scheme"]) == (peer, "http")
        assert (b"host", b"127.0.0.1:8080") in scope["headers"]
    scope = resolve(trusted, "10.1.2.3")
    assert (scope["client"][0], scope["scheme"]) == ("203.0.113.9", "https")
    hosts = [value for name, value in scope["headers"] if name == b"host"]
    assert hosts == [b"memory.example.org"]


@pytest.mark.parametrize(
    ("settings", "forwarded_for", "client"),
    [
        ({"trusted_proxies": ["10.0.0.0/8"]}, b"6.6.6.6, 203.0.113.9", "203.0.113.9"),
        ({"trusted_proxies": ["10.0.0.0/8"]}, b"6.6.6.6, 203.0.113.9, 10.9.9.9", "203.0.113.9"),
        ({"trusted_proxies": ["10.0.0.0/8"]}, b"203.0.113.9:5555", "203.0.113.9"),
        ({"trusted_proxies": ["10.0.0.0/8"]}, b"[2001:db8::1]:5555", "2001:db8::1"),
        ({"trusted_proxies": ["10.0.0.0/8"]}, b"203.0.113.9, unknown", "10.1.2.3"),
        ({"trusted_proxies": ["10.0.0.0/8"]}, b"", "10.1.2.3"),
        ({"trust_proxy": True}, b"6.6.6.6, 203.0.113.9", "203.0.113.9"),
    ],
)
def test_the_client_is_the_one_that_the_nearest_trusted_proxy_saw(
    settings: dict[str, Any], forwarded_for: bytes, client: str
) -> None:
    assert resolve(settings, "10.1.2.3", x_forwarded_for=forwarded_for)["client"][0] == client


@pytest.mark.parametrize(
    ("peer", "expected"),
    [
        ("203.0.113.9", "203.0.113.9"),
        ("::ffff:203.0.113.9", "203.0.113.9"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
    ],
)
def test_limits_count_ipv6_clients_by_network(peer: str, expected: str) -> None:
    from starlette.requests import HTTPConnection

    assert client_address(HTTPConnection(request_to("localhost", client=(peer, 1)))) == expected


@pytest.mark.parametrize(
    ("settings", "is_open"),
    [
        ({}, True),
        ({"host": "localhost"}, True),
        ({"host": "::1"}, True),
        ({"host": "0.0.0.0"}, False),
        ({"host": "192.168.1.5"}, False),
        (PUBLIC, False),
        ({"public_url": "http://localhost:8080"}, True),
        ({"trusted_proxies": ["127.0.0.1"]}, False),
        ({"host": "0.0.0.0", "registration": True}, True),
        ({"registration": False}, False),
    ],
)
def test_registration_is_open_by_default_only_on_this_machine(
    settings: dict[str, Any], is_open: bool
) -> None:
    assert Settings(**settings).is_registration_open is is_open
