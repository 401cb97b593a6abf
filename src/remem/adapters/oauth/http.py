"""OAuth 2 over HTTP: post a form to the token endpoint and parse its JSON reply."""

import base64
import json
from functools import cached_property
from typing import Any
from urllib.parse import quote

import httpx2

from remem.adapters.replies import ReplyTooLarge, read_body
from remem.core.connectors.provider import OAuthApp
from remem.core.errors import Unavailable
from remem.core.oauth_client import DeviceCode, GrantRefused, IssuedTokens

TIMEOUT_S = 10.0
REPLY_BYTES = 1_000_000
EMAIL_CHARS = 320
DAY_S, MAX_S = 86_400, 10 * 365 * 86_400
_DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code"
_PENDING = ("authorization_pending", "slow_down")
_REFUSED = {
    "access_denied": "The service was not allowed to be read; connect again and allow it.",
    "expired_token": "The code was not typed in in time; connect again.",
    "invalid_client": "The service does not know the client; check its id and secret.",
    "incorrect_client_credentials": "The service does not know the client; check its id and"
    " secret.",
    "redirect_uri_mismatch": "The service does not know our address; enter the redirect address of"
    " this server there.",
}
_RECONNECT = "The service no longer accepts the consent; connect the account again."


class HttpOAuthClient:
    """Does not follow redirects, so that a secret is sent to one URL only."""

    async def exchange(
        self, app: OAuthApp, code: str, verifier: str, redirect_uri: str
    ) -> IssuedTokens:
        form = {"grant_type": "authorization_code", "code": code, "redirect_uri": redirect_uri}
        proof = {"code_verifier": verifier} if app.uses_pkce else {}
        return _parse_tokens(await self._request(app, app.token_url, form | proof))

    async def refresh(self, app: OAuthApp, refresh_token: str) -> IssuedTokens:
        form = {"grant_type": "refresh_token", "refresh_token": refresh_token}
        try:
            return _parse_tokens(await self._request(app, app.token_url, form))
        except GrantRefused as error:
            raise GrantRefused(app.refused_hint or error.message) from error

    async def begin_device(self, app: OAuthApp) -> DeviceCode:
        form = {"scope": " ".join(app.scopes)}
        body = await self._request(app, app.device_url or "", form, with_secret=False)
        try:
            return DeviceCode(
                user_code=str(body["user_code"]),
                address=str(body.get("verification_uri") or body["verification_url"]),
                secret=str(body["device_code"]),
                interval_s=max(_parse_seconds(body.get("interval"), 60) or 5, 1),
                expires_in_s=_parse_seconds(body.get("expires_in"), DAY_S) or 900,
            )
        except (KeyError, TypeError, ValueError) as error:
            raise Unavailable("The service gave no code to type in; try again.") from error

    async def poll_device(self, app: OAuthApp, secret: str) -> IssuedTokens | None:
        form = {"grant_type": _DEVICE_GRANT, "device_code": secret}
        body = await self._post(app, app.token_url, form)
        if body.get("error") in _PENDING:
            return None
        return _parse_tokens(_check_granted(body))

    async def revoke(self, app: OAuthApp, token: str) -> None:
        if app.grant_url and app.client_id and app.client_secret:
            await self._end_grant(app.grant_url, app.client_id, app.client_secret, token)
        elif app.revoke_url:
            await self._post(app, app.revoke_url, {"token": token})

    async def _end_grant(self, url: str, id: str, secret: str, token: str) -> None:
        """Delete a grant with all its tokens, by an endpoint that only GitHub has."""
        body = {"json": {"access_token": token}}
        address = url.format(client_id=quote(id, safe=""))
        try:
            await self._send(address, body, httpx2.BasicAuth(id, secret), method="DELETE")
        except httpx2.RequestError as error:
            raise Unavailable("The service cannot be asked to end the consent now.") from error

    async def close(self) -> None:
        if "_http" in vars(self):
            await self._http.aclose()

    @cached_property
    def _http(self) -> httpx2.AsyncClient:
        return httpx2.AsyncClient(timeout=TIMEOUT_S, trust_env=False)

    async def _request(
        self, app: OAuthApp, url: str, form: dict[str, str], *, with_secret: bool = True
    ) -> dict[str, Any]:
        return _check_granted(await self._post(app, url, form, with_secret=with_secret))

    async def _post(
        self, app: OAuthApp, url: str, form: dict[str, str], *, with_secret: bool = True
    ) -> dict[str, Any]:
        id, secret = app.client_id or "", app.client_secret if with_secret else None
        auth = httpx2.BasicAuth(id, secret) if app.uses_basic_auth and secret else httpx2.Auth()
        if not isinstance(auth, httpx2.BasicAuth):
            form = form | {"client_id": id} | ({"client_secret": secret} if secret else {})
        try:
            body: dict[str, Any] = {"json": form} if app.sends_json else {"data": form}
            reply = await self._send(url, body, auth)
            result = reply.json() if reply.content else {}
        except (httpx2.RequestError, ValueError, RecursionError) as error:
            raise Unavailable("The service cannot be asked for a token now; try again.") from error
        if reply.status_code >= 500 or reply.status_code == 429:
            raise Unavailable("The service gives no tokens now; try again.")
        if not isinstance(result, dict):
            raise Unavailable("The service gave no token; try again.")
        return {"error": "refused", **result} if reply.status_code >= 400 else result

    async def _send(
        self, url: str, body: dict[str, Any], auth: httpx2.Auth, *, method: str = "POST"
    ) -> httpx2.Response:
        """Send a request and read the body up to a limit, because tokens are short."""
        request = self._http.build_request(
            method, url, headers={"Accept": "application/json"}, **body
        )
        reply = await self._http.send(request, auth=auth, stream=True)
        try:
            data = await read_body(reply, REPLY_BYTES)
        except ReplyTooLarge:
            raise Unavailable("The service gave no token; try again.") from None
        return httpx2.Response(reply.status_code, content=data)


def _check_granted(body: dict[str, Any]) -> dict[str, Any]:
    """Raise GrantRefused for an error in the body; GitHub refuses with status 200."""
    if error := body.get("error"):
        raise GrantRefused(_REFUSED.get(str(error), _RECONNECT))
    return body


def _parse_tokens(body: dict[str, Any]) -> IssuedTokens:
    # Slack nests a user token one level deeper than a bot token.
    user = body.get("authed_user")
    if isinstance(user, dict) and user.get("access_token"):
        body = user
    access, refresh, expires_in = (
        body.get("access_token"),
        body.get("refresh_token"),
        body.get("expires_in"),
    )
    if not isinstance(access, str) or not access:
        raise Unavailable("The service gave no token; try again.")
    return IssuedTokens(
        access,
        refresh if isinstance(refresh, str) and refresh else None,
        _parse_seconds(expires_in, MAX_S),
        _email_claim(body.get("id_token")),
    )


def _parse_seconds(value: Any, max_s: int) -> int | None:
    """Parse a number of seconds, limited to a sensible maximum."""
    text = str(value) if isinstance(value, int | str) and not isinstance(value, bool) else ""
    if not (text.isascii() and text.isdigit()):
        return None
    return min(int(text), max_s) if len(text) <= 12 else max_s


def _email_claim(id_token: Any) -> str | None:
    """Return the email address of an ID token. Its signature is not checked, because the token
    came from the service itself over TLS."""
    if not isinstance(id_token, str) or id_token.count(".") != 2:
        return None
    payload = id_token.split(".")[1]
    try:
        claims = json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
        email = claims.get("email") or claims.get("preferred_username")
    except (ValueError, AttributeError, RecursionError):
        return None
    is_address = isinstance(email, str) and "@" in email and email.isprintable()
    return email if is_address and len(email) <= EMAIL_CHARS else None
