"""OAuth 2 over HTTP: a form to the token's address, an object in JSON back."""

import base64
import json
from functools import cached_property
from typing import Any
from urllib.parse import quote

import httpx2

from remem.adapters.replies import ReplyTooLarge, read_body
from remem.core.connectors.provider import OAuthApp
from remem.core.errors import Unavailable
from remem.core.oauth_client import DeviceCode, GivenTokens, GrantRefused

TIMEOUT_S = 10.0
REPLY_BYTES = 1_000_000
EMAIL_CHARS = 320
DAY_S, MOST_S = 86_400, 10 * 365 * 86_400
_DEVICE = "urn:ietf:params:oauth:grant-type:device_code"
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
_AGAIN = "The service no longer accepts the consent; connect the account again."


class HttpOAuthClient:
    """Redirects are not followed: a secret goes to one address."""

    async def exchange(
        self, app: OAuthApp, code: str, verifier: str, redirect_uri: str
    ) -> GivenTokens:
        form = {"grant_type": "authorization_code", "code": code, "redirect_uri": redirect_uri}
        proof = {"code_verifier": verifier} if app.uses_pkce else {}
        return _tokens(await self._ask(app, app.token_url, form | proof))

    async def refresh(self, app: OAuthApp, refresh_token: str) -> GivenTokens:
        form = {"grant_type": "refresh_token", "refresh_token": refresh_token}
        try:
            return _tokens(await self._ask(app, app.token_url, form))
        except GrantRefused as error:
            raise GrantRefused(app.said_when_refused or error.message) from error

    async def begin_device(self, app: OAuthApp) -> DeviceCode:
        form = {"scope": " ".join(app.scopes)}
        found = await self._ask(app, app.device_url or "", form, with_secret=False)
        try:
            return DeviceCode(
                user_code=str(found["user_code"]),
                address=str(found.get("verification_uri") or found["verification_url"]),
                secret=str(found["device_code"]),
                interval_s=max(_seconds(found.get("interval"), 60) or 5, 1),
                lasts_s=_seconds(found.get("expires_in"), DAY_S) or 900,
            )
        except (KeyError, TypeError, ValueError) as error:
            raise Unavailable("The service gave no code to type in; try again.") from error

    async def poll_device(self, app: OAuthApp, secret: str) -> GivenTokens | None:
        form = {"grant_type": _DEVICE, "device_code": secret}
        found = await self._send(app, app.token_url, form)
        if found.get("error") in _PENDING:
            return None
        return _tokens(_granted(found))

    async def revoke(self, app: OAuthApp, token: str) -> None:
        if app.grant_url and app.client_id and app.client_secret:
            await self._end_grant(app.grant_url, app.client_id, app.client_secret, token)
        elif app.revoke_url:
            await self._send(app, app.revoke_url, {"token": token})

    async def _end_grant(self, url: str, id: str, secret: str, token: str) -> None:
        """A way of GitHub's own: it ends the consent with all its tokens."""
        body = {"json": {"access_token": token}}
        address = url.format(client_id=quote(id, safe=""))
        try:
            await self._answer(address, body, httpx2.BasicAuth(id, secret), method="DELETE")
        except httpx2.RequestError as error:
            raise Unavailable("The service cannot be asked to end the consent now.") from error

    async def close(self) -> None:
        if "_http" in vars(self):
            await self._http.aclose()

    @cached_property
    def _http(self) -> httpx2.AsyncClient:
        return httpx2.AsyncClient(timeout=TIMEOUT_S, trust_env=False)

    async def _ask(
        self, app: OAuthApp, url: str, form: dict[str, str], *, with_secret: bool = True
    ) -> dict[str, Any]:
        return _granted(await self._send(app, url, form, with_secret=with_secret))

    async def _send(
        self, app: OAuthApp, url: str, form: dict[str, str], *, with_secret: bool = True
    ) -> dict[str, Any]:
        id, secret = app.client_id or "", app.client_secret if with_secret else None
        auth = httpx2.BasicAuth(id, secret) if app.uses_basic_auth and secret else httpx2.Auth()
        if not isinstance(auth, httpx2.BasicAuth):
            form = form | {"client_id": id} | ({"client_secret": secret} if secret else {})
        try:
            body: dict[str, Any] = {"json": form} if app.sends_json else {"data": form}
            reply = await self._answer(url, body, auth)
            found = reply.json() if reply.content else {}
        except (httpx2.RequestError, ValueError, RecursionError) as error:
            raise Unavailable("The service cannot be asked for a token now; try again.") from error
        if reply.status_code >= 500 or reply.status_code == 429:
            raise Unavailable("The service gives no tokens now; try again.")
        if not isinstance(found, dict):
            raise Unavailable("The service gave no token; try again.")
        return {"error": "refused", **found} if reply.status_code >= 400 else found

    async def _answer(
        self, url: str, body: dict[str, Any], auth: httpx2.Auth, *, method: str = "POST"
    ) -> httpx2.Response:
        """With its body, up to a limit: a token is short."""
        request = self._http.build_request(
            method, url, headers={"Accept": "application/json"}, **body
        )
        reply = await self._http.send(request, auth=auth, stream=True)
        try:
            data = await read_body(reply, REPLY_BYTES)
        except ReplyTooLarge:
            raise Unavailable("The service gave no token; try again.") from None
        return httpx2.Response(reply.status_code, content=data)


def _granted(found: dict[str, Any]) -> dict[str, Any]:
    """GitHub answers 200 to what it refuses."""
    if error := found.get("error"):
        raise GrantRefused(_REFUSED.get(str(error), _AGAIN))
    return found


def _tokens(found: dict[str, Any]) -> GivenTokens:
    # Slack puts a person's own token one level deeper than that of a bot.
    user = found.get("authed_user")
    if isinstance(user, dict) and user.get("access_token"):
        found = user
    access, refresh, lasts = (
        found.get("access_token"),
        found.get("refresh_token"),
        found.get("expires_in"),
    )
    if not isinstance(access, str) or not access:
        raise Unavailable("The service gave no token; try again.")
    return GivenTokens(
        access,
        refresh if isinstance(refresh, str) and refresh else None,
        _seconds(lasts, MOST_S),
        _email(found.get("id_token")),
    )


def _seconds(value: Any, most: int) -> int | None:
    """Whatever a service says: no longer than is sensible."""
    text = str(value) if isinstance(value, int | str) and not isinstance(value, bool) else ""
    if not (text.isascii() and text.isdigit()):
        return None
    return min(int(text), most) if len(text) <= 12 else most


def _email(id_token: Any) -> str | None:
    """It came from the service itself, over TLS: its signature is not needed."""
    if not isinstance(id_token, str) or id_token.count(".") != 2:
        return None
    packed = id_token.split(".")[1]
    try:
        claims = json.loads(base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4)))
        found = claims.get("email") or claims.get("preferred_username")
    except (ValueError, AttributeError, RecursionError):
        return None
    is_address = isinstance(found, str) and "@" in found and found.isprintable()
    return found if is_address and len(found) <= EMAIL_CHARS else None
