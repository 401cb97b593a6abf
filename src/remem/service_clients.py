"""The settings of OAuth apps at the services that can be connected."""

from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings


class ServiceClients(BaseSettings):
    """The id and secret of an app at each service; none by default."""

    github_client_id: str | None = Field(None, description="The id of your GitHub OAuth app.")
    github_client_secret: SecretStr | None = Field(
        default=None, description="The secret of that app; a sign-in by a code needs none."
    )
    google_drive_client_id: str | None = Field(None, description="The id of your app at Google.")
    google_drive_client_secret: SecretStr | None = Field(
        None, description="The secret of that app."
    )
    notion_client_id: str | None = Field(None, description="The id of your app at Notion.")
    notion_client_secret: SecretStr | None = Field(None, description="The secret of that app.")
    slack_client_id: str | None = Field(None, description="The id of your app at Slack.")
    slack_client_secret: SecretStr | None = Field(None, description="The secret of that app.")
    x_client_id: str | None = Field(None, description="The id of your app at X.")
    x_client_secret: SecretStr | None = Field(None, description="The secret of that app.")
    onedrive_client_id: str | None = Field(None, description="The id of your app at Microsoft.")
    onedrive_client_secret: SecretStr | None = Field(None, description="The secret of that app.")
    gmail_client_id: str | None = Field(None, description="The id of your app at Google, for mail.")
    gmail_client_secret: SecretStr | None = Field(None, description="The secret of that app.")
    outlook_client_id: str | None = Field(
        None, description="The id of your app at Microsoft, for mail."
    )
    outlook_client_secret: SecretStr | None = Field(None, description="The secret of that app.")
