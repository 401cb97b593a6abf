"""The port that gets tokens from a service after a person has consented there."""

from dataclasses import dataclass, field
from typing import Protocol

from remem.core.connectors.errors import NeedsAuth
from remem.core.connectors.provider import OAuthApp


@dataclass(frozen=True, slots=True)
class IssuedTokens:
    """`email` is the account's, if the service sends it."""

    access: str = field(repr=False)
    refresh: str | None = field(default=None, repr=False)
    expires_in_s: int | None = None
    email: str | None = None


@dataclass(frozen=True, slots=True)
class DeviceCode:
    """A person enters `user_code` at `address`; `secret` is used to poll for the result."""

    user_code: str
    address: str
    secret: str = field(repr=False)
    interval_s: int
    expires_in_s: int


class GrantRefused(NeedsAuth):
    """The service refuses an earlier grant, or the person refused to consent."""


class OAuthClient(Protocol):
    """OAuth 2 by RFC 6749, 7009, 7636 and 8628. Raises GrantRefused when the service refuses, and
    Unavailable when it cannot be reached: a network failure is no refusal."""

    async def exchange(
        self, app: OAuthApp, code: str, verifier: str, redirect_uri: str
    ) -> IssuedTokens: ...

    async def refresh(self, app: OAuthApp, refresh_token: str) -> IssuedTokens: ...

    async def begin_device(self, app: OAuthApp) -> DeviceCode: ...

    async def poll_device(self, app: OAuthApp, secret: str) -> IssuedTokens | None:
        """Return None while the person has not answered yet."""
        ...

    async def revoke(self, app: OAuthApp, token: str) -> None:
        """Do nothing if the service has no revocation endpoint."""
        ...

    async def close(self) -> None: ...
