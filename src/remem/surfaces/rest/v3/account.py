"""Registration, signing in and out, and the user's own account."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Request, Response
from pydantic import Field, model_validator

from remem.core.errors import Forbidden, Invalid
from remem.core.identity import account
from remem.core.identity.attempts import count_registration
from remem.core.identity.model import SignIn, Tenant, User
from remem.core.identity.register import has_given_name, register
from remem.core.identity.secrets import csrf_token
from remem.core.identity.sign_in import open_session, sign_in, sign_in_with_key, sign_out
from remem.settings import Settings
from remem.surfaces.cookies import clear_cookies, session_token, set_cookies, visitor_of
from remem.surfaces.rest.deps import Admin, Caller, PortsDep, Reader, SettingsDep
from remem.surfaces.rest.fields import Described, Email, Password
from remem.surfaces.rest.guard import Guarded
from remem.surfaces.rest.shapes import Body, Moment, Reply

public = APIRouter(prefix="/v3", tags=["account"])
router = APIRouter(prefix="/v3", tags=["account"], route_class=Guarded)


class RegisterIn(Body):
    email: Email
    password: Password
    name: str | None = None


class LoginIn(Body):
    email: Email | None = None
    password: str | None = None
    api_key: str | None = Field(default=None, description="Sign in with a key instead.")
    organization_id: UUID | None = Field(
        default=None, description="The space to work in; your own if absent."
    )

    @model_validator(mode="after")
    def _one_way(self) -> "LoginIn":
        if not self.api_key and not (self.email and self.password):
            raise Invalid("email", "send email and password, or api_key")
        return self


class SignedIn(Reply):
    user_id: UUID
    email: str
    name: str
    organization_id: UUID
    organization_name: str
    csrf_token: str
    expires_at: Moment


class WhoAmI(Reply):
    user_id: UUID
    email: str
    name: str
    name_given: bool = Field(
        description="Whether you gave the name; otherwise it is made from the e-mail address."
    )
    organization_id: UUID
    organization_name: str
    role: str | None
    scopes: list[str]


class AccountOut(Reply):
    user_id: UUID
    email: str
    name: str
    has_password: bool
    created_at: Moment


class AccountChange(Body):
    email: Email | None = None
    name: Annotated[str, Described(minLength=1)] | None = None


class PasswordChange(Body):
    current_password: str | None = None
    new_password: Password
    keep_grants: bool = Field(default=False, description="Keep the grants of OAuth clients.")


@public.post("/auth/register", status_code=201, response_model=SignedIn)
async def sign_up(
    body: RegisterIn, ports: PortsDep, settings: SettingsDep, request: Request, response: Response
) -> SignedIn:
    """Create an account with its own space, and sign in."""
    _require_registration(settings)
    visitor = visitor_of(settings, request)
    await count_registration(ports, visitor, body.email)
    user, _ = await register(ports, body.email, body.password, body.name)
    session = await open_session(ports, user.id, visitor)
    set_cookies(settings, request, response, session)
    return _signed_in(session)


def _require_registration(settings: Settings) -> None:
    if settings.is_registration_open:
        return
    reason = "It is off by default if the server can be reached from other machines; "
    raise Forbidden(
        "Registration is disabled on this server; ask its administrator for an account. "
        + (reason if settings.registration is None else "")
        + "REMEM_REGISTRATION=true enables it."
    )


@public.post("/auth/login", response_model=SignedIn)
async def log_in(
    body: LoginIn, ports: PortsDep, settings: SettingsDep, request: Request, response: Response
) -> SignedIn:
    """Sign a browser in. Later requests that change something send csrf_token in X-CSRF-Token."""
    visitor = visitor_of(settings, request)
    if body.api_key:
        session = await sign_in_with_key(ports, body.api_key, visitor)
    else:
        session = await sign_in(
            ports, body.email or "", body.password or "", visitor, body.organization_id
        )
    set_cookies(settings, request, response, session)
    return _signed_in(session)


@router.post("/auth/logout", status_code=204)
async def log_out(
    ports: PortsDep, settings: SettingsDep, caller: Caller, request: Request, response: Response
) -> None:
    """Sign this browser out."""
    if token := session_token(request):
        await sign_out(ports, caller.user_id, token)
    clear_cookies(settings, response)


@router.get("/whoami", response_model=WhoAmI)
async def who_am_i(ports: PortsDep, caller: Reader) -> WhoAmI:
    """The user, the organization and the scopes of the credential."""
    user, tenant = await account.who_am_i(ports, caller)
    return WhoAmI.of(
        user,
        user_id=user.id,
        name_given=has_given_name(user),
        organization_id=tenant.id,
        organization_name=tenant.name,
        role=tenant.role,
        scopes=sorted(str(right) for right in caller.rights),
    )


@router.get("/account", response_model=AccountOut)
async def read(ports: PortsDep, caller: Reader) -> AccountOut:
    """Get your account."""
    user, _ = await account.who_am_i(ports, caller)
    return _account(user)


@router.patch("/account", response_model=AccountOut)
async def change(body: AccountChange, ports: PortsDep, caller: Admin) -> AccountOut:
    """Change the e-mail address or name."""
    return _account(await account.change_account(ports, caller, body.email, body.name))


@router.post("/account/password", status_code=204)
async def change_password(body: PasswordChange, ports: PortsDep, caller: Admin) -> None:
    """Set a password. Every browser is signed out, and the grants of OAuth clients are revoked."""
    await account.change_password(
        ports, caller, body.current_password, body.new_password, keep_grants=body.keep_grants
    )


@router.delete("/account", status_code=204)
async def delete(ports: PortsDep, settings: SettingsDep, caller: Admin, response: Response) -> None:
    """Erase the account, its own space and everything in it. This cannot be undone."""
    await account.delete_account(ports, caller)
    clear_cookies(settings, response)


def _account(user: User) -> AccountOut:
    return AccountOut.of(user, user_id=user.id)


def _signed_in(session: SignIn) -> SignedIn:
    user: User = session.user
    tenant: Tenant = session.tenant
    return SignedIn.of(
        user,
        user_id=user.id,
        organization_id=tenant.id,
        organization_name=tenant.name,
        csrf_token=csrf_token(session.token),
        expires_at=session.expires_at,
    )
