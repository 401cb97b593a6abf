"""Dynamic client registration and its limits."""

from typing import Any

import httpx2
import pytest

from remem.core.identity.clients import register as clients
from remem.core.identity.clients.register import register_client
from remem.core.ports import Ports
from remem.core.scope import Bound
from tests.conftest import Server, start_server, stop_server
from tests.surfaces.oauth.protocol import LOOPBACK, Browser, Client, new_client, register, whoami

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    "uri",
    [
        "https://client.example/callback",
        "https://client.example:8443/callback?a=b",
        "http://127.0.0.1/callback",
        "http://localhost:1234/",
        "http://[::1]:1234/callback",
        "cursor://anysphere.cursor-mcp/oauth/callback",
        "com.example.app:/callback",
        "vscode://publisher.extension",
    ],
)
def test_good_addresses_are_registered_and_used(
    uri: str, http: httpx2.Client, browser: Browser
) -> None:
    client = new_client(http, redirect_uris=[uri])
    assert client.redirect_uri == uri
    reply = browser.decide(client.authorization_params())
    assert reply.headers["location"].startswith(uri)


@pytest.mark.parametrize(
    "uri",
    [
        "http://client.example/callback",
        "http://192.168.1.2/callback",
        "http://localhost.evil.example/callback",
        "http://127.0.0.1.evil.example/callback",
        "https://client.example/callback#fragment",
        "https://client.example/callback#",
        "https://user:pass@client.example/callback",
        "https:///callback",
        "javascript:alert(1)",
        "JavaScript:alert(1)",
        "data:text/html,x",
        "file:///etc/passwd",
        "blob:https://client.example/x",
        "/callback",
        "client.example",
        "https://client.example/a b",
        "https://client.example\\@evil.example",
        "https://clïent.example/",
        "https://client.example:99999/",
        "https://client.example/" + "x" * 2_000,
        "https://[::1/",
        "",
        None,
        7,
    ],
)
def test_bad_addresses_are_refused(uri: Any, http: httpx2.Client) -> None:
    for uris in ([uri], [LOOPBACK, uri]):
        reply = register(http, redirect_uris=uris)
        assert (reply.status_code, reply.json()["error"]) == (400, "invalid_redirect_uri")


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"redirect_uris": None}, "invalid_redirect_uri"),
        ({"redirect_uris": []}, "invalid_redirect_uri"),
        ({"redirect_uris": [LOOPBACK] * 11}, "invalid_redirect_uri"),
        ({"client_name": "n" * 101}, "invalid_client_metadata"),
        ({"client_name": {"a": 1}}, "invalid_client_metadata"),
        ({"token_endpoint_auth_method": "private_key_jwt"}, "invalid_client_metadata"),
        ({"token_endpoint_auth_method": ["none"]}, "invalid_client_metadata"),
        ({"grant_types": ["client_credentials"]}, "invalid_client_metadata"),
        ({"response_types": ["token"]}, "invalid_client_metadata"),
    ],
)
def test_unsupported_metadata_is_refused(
    fields: dict[str, Any], error: str, http: httpx2.Client
) -> None:
    reply = register(http, **fields)
    assert (reply.status_code, reply.json()["error"]) == (400, error)


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'"x"', b"[" * 9_000, b"\xff\xfe"])
def test_a_body_that_is_not_an_object_is_refused(body: bytes, http: httpx2.Client) -> None:
    reply = http.post("/oauth/register", content=body)
    assert (reply.status_code, reply.json()["error"]) == (400, "invalid_client_metadata")


def test_a_huge_body_is_not_read(http: httpx2.Client) -> None:
    for body in ({"client_name": "n" * 30_000}, {"jwks": ["k" * 1_000_000]}):
        reply = register(http, **body)
        assert (reply.status_code, reply.json()["error"]) == (413, "invalid_request")
    reply = http.post("/oauth/register", content=b"x" * 11_000_000)
    assert reply.status_code == 413


def test_a_confidential_client_gets_a_secret(http: httpx2.Client) -> None:
    public = register(http).json()
    assert "client_secret" not in public
    confidential = register(http, token_endpoint_auth_method=None).json()
    assert confidential["token_endpoint_auth_method"] == "client_secret_basic"
    assert confidential["client_secret_expires_at"] == 0
    assert len(confidential["client_secret"]) >= 32


def test_registration_is_rate_limited_and_can_be_switched_off(data_dir: Any) -> None:
    limited = start_server(data_dir, REMEM_CLIENT_REGISTRATIONS="3")
    try:
        with httpx2.Client(base_url=limited.url, verify=False, timeout=60) as http:
            replies = [register(http) for _ in range(5)]
        assert [reply.status_code for reply in replies] == [201, 201, 201, 429, 429]
        assert int(replies[-1].headers["Retry-After"]) > 0
    finally:
        stop_server(limited)
    closed = start_server(
        data_dir,
        REMEM_CLIENT_REGISTRATIONS="0",
        REMEM_PUBLIC_URL="https://Memory.example.org/",
    )
    try:
        with httpx2.Client(base_url=closed.url, verify=False, timeout=60) as http:
            assert register(http).status_code == 403
            metadata = http.get("/.well-known/oauth-authorization-server").json()
            refused = http.get("/v3/whoami", headers={"X-Forwarded-Host": "evil.example"})
        assert "registration_endpoint" not in metadata
        assert metadata["issuer"] == "https://memory.example.org"
        assert "https://memory.example.org/.well-known/" in refused.headers["WWW-Authenticate"]
    finally:
        stop_server(closed)


def test_proxy_headers_are_trusted_only_behind_a_proxy(server: Server, data_dir: Any) -> None:
    forwarded = {"X-Forwarded-Proto": "https", "X-Forwarded-Host": "memory.example.org"}
    path = "/.well-known/oauth-authorization-server"
    with httpx2.Client(base_url=server.url, verify=False, timeout=60) as http:
        assert http.get(path, headers=forwarded).json()["issuer"] == server.url
    proxied = start_server(
        data_dir, REMEM_TRUST_PROXY="true", REMEM_ALLOWED_HOSTS='["memory.example.org"]'
    )
    try:
        with httpx2.Client(base_url=proxied.url, verify=False, timeout=60) as http:
            issuer = http.get(path, headers=forwarded).json()["issuer"]
            assert issuer == "https://memory.example.org"
            unknown = {"X-Forwarded-Host": "rebound.example"}
            assert http.get(path, headers=unknown).json()["code"] == "foreign_host"
            malformed = {"X-Forwarded-Host": 'evil", x="'}
            assert (
                http.get(path, headers=malformed).json()["issuer"].startswith("http://127.0.0.1:")
            )
    finally:
        stop_server(proxied)


def test_no_secret_is_ever_logged(data_dir: Any, capfd: pytest.CaptureFixture[str]) -> None:
    verbose_server = start_server(data_dir, REMEM_LOG_LEVEL="debug")
    try:
        with httpx2.Client(base_url=verbose_server.url, verify=False, timeout=60) as http:
            client = new_client(http, token_endpoint_auth_method="client_secret_post")
            browser = Browser(http, verbose_server.url)
            browser.sign_in(client.authorization_params(), key=verbose_server.owner_key)
            code = client.code(browser)
            tokens = client.exchange(code).json()
            again = client.refresh(tokens["refresh_token"]).json()
            client.exchange(code)
            whoami(verbose_server.url, again["access_token"])
    finally:
        stop_server(verbose_server)
    output = "".join(capfd.readouterr())
    assert "/oauth/token" in output
    secrets = (code, client.verifier, client.secret, verbose_server.owner_key)
    for secret in (*secrets, *tokens.values(), *again.values(), *http.cookies.values()):
        assert len(str(secret)) < 20 or str(secret) not in output


# Unused clients


async def test_only_the_newest_unused_clients_are_kept(
    ports: Ports, client: Client, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    used = new_client(client.http)
    used.tokens(browser)
    monkeypatch.setattr(clients, "UNUSED_LIMIT", 3)
    ids = [
        (await register_client(ports, f"n{number}", None, [LOOPBACK], with_secret=False)).client.id
        for number in range(5)
    ]
    async with ports.db.transaction(Bound()) as tx:
        unused = await tx.fetch("SELECT id FROM oauth_clients WHERE used_at IS NULL ORDER BY id")
    assert [row["id"] for row in unused] == ids[2:]
    assert browser.open_page(used.authorization_params()).status_code == 200
