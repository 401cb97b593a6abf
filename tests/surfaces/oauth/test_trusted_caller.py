"""An endpoint in front of the API authenticates a caller, whose token is only for the endpoint."""

import httpx2
import pytest
from starlette.requests import Request

from remem.app import create_app
from remem.core.errors import Unauthenticated
from remem.core.identity.authenticate import authenticate_bearer
from remem.core.ports import Ports
from remem.settings import Settings
from remem.surfaces.challenge import challenge
from remem.surfaces.trusted_caller import trusted_caller
from tests.conftest import Server
from tests.surfaces.oauth.protocol import Browser, Client, whoami
from tests.tools.external import store_settings

pytestmark = pytest.mark.anyio


async def test_a_caller_authenticated_by_an_endpoint_reaches_the_api(
    client: Client, browser: Browser, server: Server, ports: Ports
) -> None:
    endpoint = f"{server.url}/mcp"
    token = client.tokens(browser, resource=endpoint, scope="read")["access_token"]
    assert whoami(server.url, token).status_code == 401
    with pytest.raises(Unauthenticated, match="is for"):
        await authenticate_bearer(ports, token, f"{server.url}/mcpx")
    caller = await authenticate_bearer(ports, token, f"{endpoint}/coding")
    app = create_app(Settings(**store_settings(server.data_dir)))
    app.state.ports = ports
    inside = httpx2.ASGITransport(app=trusted_caller(app, caller))
    async with httpx2.AsyncClient(transport=inside, base_url="http://inside") as http:
        assert (await http.get("/v3/whoami")).json()["email"] == "owner@localhost"
        refused = await http.post("/v3/memory", json={"content": "x"})
        assert refused.json()["code"] == "scope_missing"


@pytest.mark.parametrize(
    ("path", "resource_path"),
    [("/mcp", "/mcp"), ("/mcp/coding", "/mcp/coding"), ("/mcpx", ""), ("/v3/x", "")],
)
def test_a_refused_caller_gets_the_metadata_of_the_endpoint(path: str, resource_path: str) -> None:
    request = Request(
        {
            "type": "http",
            "method": "POST",
            "scheme": "http",
            "path": path,
            "query_string": b"",
            "headers": [(b"host", b"here.example:8080")],
            "server": ("127.0.0.1", 8080),
        }
    )
    header = challenge(Settings(), request)["WWW-Authenticate"]
    metadata_url = f"http://here.example:8080/.well-known/oauth-protected-resource{resource_path}"
    assert header == f'Bearer realm="remem", resource_metadata="{metadata_url}"'
