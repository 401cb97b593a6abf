"""The port that asks a service for tokens, after a person has consented there."""

from dataclasses import dataclass, field
from typing import Protocol

from remem.core.connectors.errors import NeedsAuth
from remem.core.connectors.provider import OAuthApp


@dataclass(frozen=True, slots=True)
class GivenTokens:
    """`email` is whose they are, where the service says that."""

    access: str = field(repr=False)
    refresh: str | None = field(default=None, repr=False)
    lasts_s: int | None = None
    email: str | None = None


@dataclass(frozen=True, slots=True)
class DeviceCode:
    """A person types `user_code` in at `address`; `secret` asks whether they did."""

    user_code: str
    address: str
    secret: str = field(repr=False)
    interval_s: int
    lasts_s: int


class GrantRefused(NeedsAuth):
    """The service refuses what it had granted, or the person refused it there."""


class OAuthClient(Protocol):
    """OAuth 2 as RFC 6749, 7009, 7636 and 8628 have it. Raises GrantRefused when the service says
    no, and Unavailable when it cannot be asked: a failure of the network is no refusal."""

    async def exchange(
        self, app: OAuthApp, code: str, verifier: str, redirect_uri: str
    ) -> GivenTokens: ...

    async def refresh(self, app: OAuthApp, refresh_token: str) -> GivenTokens: ...

    async def begin_device(self, app: OAuthApp) -> DeviceCode: ...

    async def poll_device(self, app: OAuthApp, secret: str) -> GivenTokens | None:
        """None while the person has not answered yet."""
        ...

    async def revoke(self, app: OAuthApp, token: str) -> None:
        """Nothing where the service has no address for it."""
        ...

    async def close(self) -> None: ...
