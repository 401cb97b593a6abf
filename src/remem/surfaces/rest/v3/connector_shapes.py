"""The connectors, as they are listed."""

from pydantic import BaseModel, Field

from remem.core.connectors.port import Connector, ReceivesWebhooks
from remem.core.connectors.provider import Field as FieldAsked
from remem.core.connectors.provider import OAuthApp
from remem.surfaces.rest.shapes import Reply


class FieldOut(Reply):
    name: str
    label: str
    secret: bool
    required: bool
    example: str
    long: bool = Field(description="Whether it may have several lines.")


class ConsentWay(BaseModel):
    """How an account is connected by giving consent at its service."""

    ready: bool = Field(description="Whether the server has an OAuth client of its own there.")
    device: bool = Field(description="Whether signing in with a code on another device works.")
    redirect_uri: str = Field(
        description="The redirect URI that your own app at the service has to allow."
    )
    scopes: list[str]


class ConnectorOut(Reply):
    provider: str
    title: str
    about: str = Field(description="What is read there.")
    help: str = Field(description="Where to find the values of the fields.")
    fields: list[FieldOut]
    needs_admin: bool = Field(description="Whether connecting it needs the scope `admin`.")
    needs_choice: bool = Field(description="Whether you have to choose what to read.")
    choice: str | None = Field(description="What can be entered as a choice.")
    consent: ConsentWay | None
    webhooks: bool = Field(description="Whether it can send webhooks on changes.")
    manifest: str | None = Field(description="The manifest for an app of your own at the service.")
    docs: str = Field(description="Its documentation page.")


class ConnectorList(BaseModel):
    connectors: list[ConnectorOut]


def connector_out(name: str, connector: Connector, base: str) -> ConnectorOut:
    provider = connector.provider
    return ConnectorOut.of(
        provider,
        provider=name,
        fields=[field_out(field) for field in provider.fields],
        needs_choice=provider.selected is None,
        consent=consent_way(name, provider.oauth, base) if provider.oauth else None,
        webhooks=isinstance(connector, ReceivesWebhooks),
        manifest=provider.manifest or None,
        docs=f"docs/connectors/{name}.md",
    )


def field_out(field: FieldAsked) -> FieldOut:
    return FieldOut.of(
        field, secret=field.is_secret, required=field.is_required, long=field.is_long
    )


def consent_way(name: str, app: OAuthApp, base: str) -> ConsentWay:
    return ConsentWay(
        ready=bool(app.client_id),
        device=bool(app.device_url),
        redirect_uri=redirect_uri(base, name),
        scopes=list(app.scopes),
    )


def redirect_uri(base: str, provider: str) -> str:
    """Return the URL to which a service sends users back."""
    return f"{base}/v3/connections/{provider}/callback"
