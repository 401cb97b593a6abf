"""What this server offers to agents: metadata that anyone may read, without anything secret."""

from importlib.metadata import metadata

from fastapi import APIRouter, Request, Response
from pydantic import Field

from remem.core.scope import Right
from remem.surfaces.address import AGENT_CARDS, ISSUER, WELL_KNOWN, base_url
from remem.surfaces.dependencies import SettingsDep
from remem.surfaces.rest.guard import Public
from remem.surfaces.rest.shapes import Camel
from remem.surfaces.toolsets import TOOLSETS

MAX_AGE_S = 3_600
_HEADERS = {
    "Cache-Control": f"public, max-age={MAX_AGE_S}",
    # The addresses are those of the host that was asked.
    "Vary": "Host",
    "Access-Control-Allow-Origin": "*",
}
_CAPABILITIES = (
    "documents", "uploads", "recall", "ask", "streaming", "memories", "timeline", "foresight",
    "derive", "graph", "sessions", "projects", "feeds", "connections", "evolution", "import",
    "export",
)  # fmt: skip
_PACKAGE = metadata("remem")

router = APIRouter(tags=["agents: metadata"], route_class=Public)


class Toolset(Camel):
    name: str
    url: str


class McpOut(Camel):
    url: str = Field(description="The default tools; each toolset has an endpoint of its own.")
    transport: str = "streamable-http"
    toolsets: list[Toolset]


class AuthenticationOut(Camel):
    schemes: list[str] = Field(
        description="`bearer`: `Authorization: Bearer` with an API key or a token; `apiKey`:"
        " `X-API-Key` with an API key; `oauth2`: tokens from the authorization server."
    )
    scopes: list[str]
    resource_metadata_url: str = Field(description="RFC 9728.")
    authorization_server_url: str = Field(description="RFC 8414.")


class AgentCard(Camel):
    name: str
    description: str
    version: str
    url: str = Field(description="The public address of the server.")
    documentation_url: str
    openapi_url: str
    api_urls: list[str] = Field(description="Where each dialect of the API begins.")
    health_url: str
    diagnostics_url: str = Field(description="Needs a credential.")
    mcp: McpOut
    authentication: AuthenticationOut
    capabilities: list[str]


async def agent_card(request: Request, response: Response, settings: SettingsDep) -> AgentCard:
    """What the server offers to agents: its endpoints, toolsets and ways to sign in. Needs no
    credential."""
    base = base_url(settings, request)
    response.headers.update(_HEADERS)
    return AgentCard(
        name=_PACKAGE["Name"],
        description=_PACKAGE["Summary"],
        version=_PACKAGE["Version"],
        url=base,
        documentation_url=f"{base}/docs",
        openapi_url=f"{base}/openapi.json",
        api_urls=[f"{base}/v3", f"{base}/v1", f"{base}/api"],
        health_url=f"{base}/health",
        diagnostics_url=f"{base}/api/agent/diagnostics",
        mcp=McpOut(
            url=f"{base}/mcp",
            toolsets=[Toolset(name=name, url=f"{base}/mcp/{name}") for name in TOOLSETS],
        ),
        authentication=AuthenticationOut(
            schemes=["bearer", "apiKey", "oauth2"],
            scopes=list(Right),
            resource_metadata_url=base + WELL_KNOWN,
            authorization_server_url=base + ISSUER,
        ),
        capabilities=list(_CAPABILITIES),
    )


for _path in AGENT_CARDS:
    router.add_api_route(_path, agent_card, methods=["GET"], response_model=AgentCard)
