"""An OAuth 2.1 client: discovery, registration, authorization, tokens, revocation."""

import base64
import hashlib
from dataclasses import dataclass
from time import time
from typing import Any
from urllib.parse import urlencode, urlsplit

import httpx2

from remem.surfaces.cli.signing.callback import Callback
from remem.surfaces.cli.signing.sign_in import SignedOut, SignIn, SignInFailed

TIMEOUT_S = 30
METADATA = "/.well-known/oauth-authorization-server"
RESOURCE = "/.well-known/oauth-protected-resource"
SCOPES = ("read", "write", "admin")
NAME = "remem command line"
_LOOPBACK = ("127.0.0.1", "::1", "localhost")


@dataclass(frozen=True, slots=True)
class Server:
    """The metadata of an authorization server (RFC 8414)."""

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    registration_endpoint: str
    revocation_endpoint: str | None
    scopes: tuple[str, ...]
    names_itself: bool
    resource: str


def discover(url: str) -> Server:
    with httpx2.Client(timeout=TIMEOUT_S) as http:
        fields = _metadata(http, url)
        resource = _resource(http, url)
    if str(fields.get("issuer", "")).rstrip("/") != url:
        raise SignInFailed(f"{url} names another server as its issuer; sign in there, or --key.")
    if "S256" not in fields.get("code_challenge_methods_supported", []):
        raise SignInFailed(f"{url} does not offer PKCE with S256; use --key.")
    for name in ("authorization_endpoint", "token_endpoint", "registration_endpoint"):
        _check_address(fields.get(name), name, url)
    return Server(
        issuer=fields["issuer"],
        authorization_endpoint=fields["authorization_endpoint"],
        token_endpoint=fields["token_endpoint"],
        registration_endpoint=fields["registration_endpoint"],
        revocation_endpoint=fields.get("revocation_endpoint"),
        scopes=tuple(fields.get("scopes_supported") or SCOPES),
        names_itself=bool(fields.get("authorization_response_iss_parameter_supported")),
        resource=resource,
    )


def _metadata(http: httpx2.Client, url: str) -> dict[str, Any]:
    reply = _send(http, "GET", url + METADATA)
    fields = _json(reply)
    if reply.is_error or not fields:
        raise SignInFailed(f"{url} does not offer to sign in by browser; use --key.")
    return fields


def _resource(http: httpx2.Client, url: str) -> str:
    """Return the resource for the token (RFC 8707), as the server names it (RFC 9728)."""
    fields = _json(_send(http, "GET", url + RESOURCE))
    return str(fields.get("resource") or url)


def _check_address(address: Any, name: str, url: str) -> None:
    parts = urlsplit(str(address))
    is_safe = parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in _LOOPBACK)
    if not is_safe:
        raise SignInFailed(f"The {name} of {url} does not use https; use --key.")


def authorize(server: Server, scopes: tuple[str, ...], callback: Callback) -> tuple[str, SignIn]:
    """Return the URL to open in a browser, and the incomplete sign-in."""
    client_id = _register(server, callback.address, scopes)
    parameters = {
        "response_type": "code",
        "client_id": client_id,
        "redirect_uri": callback.address,
        "scope": " ".join(scopes),
        "state": callback.state,
        "code_challenge": _challenge(callback.verifier),
        "code_challenge_method": "S256",
        "resource": server.resource,
    }
    separator = "&" if "?" in server.authorization_endpoint else "?"
    sign_in = SignIn(
        url="",
        secret="",
        client_id=client_id,
        token_endpoint=server.token_endpoint,
        revocation_endpoint=server.revocation_endpoint,
        resource=server.resource,
    )
    return f"{server.authorization_endpoint}{separator}{urlencode(parameters)}", sign_in


def _challenge(verifier: str) -> str:
    digest = hashlib.sha256(verifier.encode()).digest()
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


def _register(server: Server, redirect_uri: str, scopes: tuple[str, ...]) -> str:
    body = {
        "client_name": NAME,
        "redirect_uris": [redirect_uri],
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
        "token_endpoint_auth_method": "none",
        "application_type": "native",
        "scope": " ".join(scopes),
    }
    with httpx2.Client(timeout=TIMEOUT_S) as http:
        reply = _send(http, "POST", server.registration_endpoint, json=body)
    client_id = _json(reply).get("client_id")
    if reply.is_error or not isinstance(client_id, str):
        raise SignInFailed(
            f"{server.issuer} does not register clients ({_error_reason(reply)}); use --key."
        )
    return client_id


def redeem(sign_in: SignIn, code: str, callback: Callback) -> dict[str, Any]:
    """Exchange the code for tokens, which works once."""
    return _tokens(
        sign_in,
        grant_type="authorization_code",
        code=code,
        redirect_uri=callback.address,
        code_verifier=callback.verifier,
    )


def refresh(sign_in: SignIn) -> dict[str, Any]:
    if not sign_in.refresh_token:
        raise SignedOut(f"The sign-in at {sign_in.url} has expired.")
    tokens = _tokens(sign_in, grant_type="refresh_token", refresh_token=sign_in.refresh_token)
    # Without rotation, the old refresh token stays valid.
    return {**tokens, "refresh_token": tokens["refresh_token"] or sign_in.refresh_token}


def _tokens(sign_in: SignIn, **form: str) -> dict[str, Any]:
    data = {**form, "client_id": sign_in.client_id, "resource": sign_in.resource}
    with httpx2.Client(timeout=TIMEOUT_S) as http:
        reply = _send(http, "POST", str(sign_in.token_endpoint), data=data)
    fields = _json(reply)
    if reply.status_code in (400, 401):
        raise SignedOut(f"The server no longer knows this sign-in ({_error_reason(reply)}).")
    if reply.is_error or not isinstance(fields.get("access_token"), str):
        raise SignInFailed(f"The server returned no token ({_error_reason(reply)}); try again.")
    expires_in_s = fields.get("expires_in")
    return {
        "secret": fields["access_token"],
        "refresh_token": fields.get("refresh_token"),
        "expires_at_s": time() + float(expires_in_s) if expires_in_s else None,
    }


def revoke(sign_in: SignIn) -> bool:
    """Revoke the grant, and return whether the server confirmed it (RFC 7009)."""
    if not sign_in.revocation_endpoint:
        return False
    with httpx2.Client(timeout=TIMEOUT_S) as http:
        for kind, token in (
            ("refresh_token", sign_in.refresh_token),
            ("access_token", sign_in.secret),
        ):
            if not token:
                continue
            form = {"token": token, "token_type_hint": kind, "client_id": sign_in.client_id}
            if _send(http, "POST", sign_in.revocation_endpoint, data=form).is_error:
                return False
    return True


def _send(http: httpx2.Client, method: str, address: str, **options: Any) -> httpx2.Response:
    try:
        return http.request(method, address, **options)
    except httpx2.TransportError as error:
        host = urlsplit(address).netloc
        raise SignInFailed(f"No server answers at {host}; is it running?") from error
    except httpx2.InvalidURL as error:
        raise SignInFailed(f"{address} is not a valid URL.") from error


def _json(reply: httpx2.Response) -> dict[str, Any]:
    try:
        fields = reply.json()
    except ValueError:
        return {}
    return fields if isinstance(fields, dict) and not reply.is_error else {}


def _error_reason(reply: httpx2.Response) -> str:
    """Return the server's reason, which never contains a secret, or the status if it gives none."""
    try:
        fields = reply.json()
    except ValueError:
        fields = {}
    if not isinstance(fields, dict):
        fields = {}
    reason = fields.get("error_description") or fields.get("error")
    return str(reason)[:200] if reason else f"status {reply.status_code}"
