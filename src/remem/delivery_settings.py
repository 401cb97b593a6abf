"""The settings of the mail server that morning pages are sent by."""

from typing import Literal

from pydantic import Field, SecretStr, field_validator
from pydantic_settings import BaseSettings


class DeliverySettings(BaseSettings):
    """A part of `Settings`."""

    smtp_host: str | None = Field(
        default=None, description="The server that sends mail; none is sent if absent."
    )
    smtp_port: int = Field(default=587, ge=1, le=65_535, description="Its port.")
    smtp_security: Literal["starttls", "tls", "none"] = Field(
        default="starttls",
        description="How it is encrypted: `starttls` (port 587), `tls` (port 465) or `none`.",
    )
    smtp_user: str | None = Field(default=None, description="The user there; none if absent.")
    smtp_password: SecretStr | None = Field(default=None, description="The user's password.")
    smtp_from: str | None = Field(
        default=None, description="Who the mail is from; required with REMEM_SMTP_HOST."
    )

    @field_validator("smtp_from")
    @classmethod
    def _check_sender(cls, value: str | None) -> str | None:
        if value is not None and ("@" not in value or not value.isprintable()):
            raise ValueError("is not a mail address")
        return value
