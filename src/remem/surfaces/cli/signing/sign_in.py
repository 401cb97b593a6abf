"""A sign-in at one server, and the errors of signing in."""

from dataclasses import dataclass

from remem.core.errors import RememError


@dataclass(frozen=True, slots=True)
class SignIn:
    """`secret` is a key, or the access token of a grant that `refresh_token` renews."""

    url: str
    secret: str
    refresh_token: str | None = None
    expires_at_s: float | None = None
    client_id: str | None = None
    token_endpoint: str | None = None
    revocation_endpoint: str | None = None
    resource: str | None = None
    name: str | None = None

    @property
    def is_grant(self) -> bool:
        return self.client_id is not None


class SignInFailed(RememError):
    """Not signed in, or the sign-in has expired."""

    code = "sign_in_failed"
    status = 0


class SignedOut(SignInFailed):
    code = "signed_out"
    status = 401
