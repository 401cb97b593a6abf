"""A hand-written OAuth client, which can also violate the protocol."""

import base64
import hashlib
import re
import secrets
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import httpx2

LOOPBACK = "http://127.0.0.1:3334/callback"
SIGN_IN, AUTHORIZE = "/oauth/sign-in", "/oauth/authorize"
TOKEN, REVOKE, REGISTER = "/oauth/token", "/oauth/revoke", "/oauth/register"


def register(http: httpx2.Client, **fields: Any) -> httpx2.Response:
    body = {
        "client_name": "Test client",
        "redirect_uris": [LOOPBACK],
        "token_endpoint_auth_method": "none",
        **fields,
    }
    return http.post(REGISTER, json=body)


def challenge_of(verifier: str) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")


def redirect_params(reply: httpx2.Response) -> dict[str, str]:
    """The parameters that a redirect sends to the client."""
    assert reply.status_code == 303, f"{reply.status_code} {reply.text}"
    return dict(parse_qsl(urlsplit(reply.headers["location"]).query))


def new_client(http: httpx2.Client, **fields: Any) -> "Client":
    reply = register(http, **fields)
    assert reply.status_code == 201, reply.text
    body = reply.json()
    uri = body["redirect_uris"][0]
    return Client(http, body["client_id"], body.get("client_secret"), uri)


@dataclass(frozen=True)
class Client:
    http: httpx2.Client
    id: str
    secret: str | None
    redirect_uri: str
    verifier: str = field(default_factory=lambda: secrets.token_urlsafe(48))

    def authorization_params(self, **changes: Any) -> dict[str, str]:
        """The parameters of an authorization request; None removes a parameter."""
        params = {
            "response_type": "code",
            "client_id": self.id,
            "redirect_uri": self.redirect_uri,
            "state": "a state & more",
            "code_challenge": challenge_of(self.verifier),
            "code_challenge_method": "S256",
            **changes,
        }
        return {name: value for name, value in params.items() if value is not None}

    def code(self, browser: "Browser", **changes: Any) -> str:
        return redirect_params(browser.decide(self.authorization_params(**changes)))["code"]

    def exchange(self, code: str, **changes: Any) -> httpx2.Response:
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": self.redirect_uri,
            "code_verifier": self.verifier,
        }
        return self._form(TOKEN, **{**form, **changes})

    def refresh(self, token: str, **changes: Any) -> httpx2.Response:
        return self._form(TOKEN, grant_type="refresh_token", refresh_token=token, **changes)

    def revoke(self, token: str, **changes: Any) -> httpx2.Response:
        return self._form(REVOKE, token=token, **changes)

    def tokens(self, browser: "Browser", **changes: Any) -> dict[str, Any]:
        reply = self.exchange(self.code(browser, **changes))
        assert reply.status_code == 200, reply.text
        return reply.json()

    def _form(self, path: str, /, **fields: Any) -> httpx2.Response:
        form = {"client_id": self.id, "client_secret": self.secret, **fields}
        data = {name: value for name, value in form.items() if value is not None}
        return self.http.post(path, data=data)


@dataclass(frozen=True)
class Browser:
    """A client with cookies that acts like a browser."""

    http: httpx2.Client
    origin: str

    @property
    def headers(self) -> dict[str, str]:
        return {"Origin": self.origin}

    def sign_in(self, params: dict[str, str], **fields: str) -> httpx2.Response:
        return self.http.post(SIGN_IN, params=params, data=fields, headers=self.headers)

    def open_page(self, params: dict[str, str]) -> httpx2.Response:
        return self.http.get(AUTHORIZE, params=params)

    def csrf(self, params: dict[str, str]) -> str:
        page = self.open_page(params)
        assert page.status_code == 200, page.text
        match = re.search(r'name="csrf" value="(\w+)"', page.text)
        assert match, page.text
        return match.group(1)

    def decide(
        self, params: dict[str, str], decision: str = "allow", **fields: str
    ) -> httpx2.Response:
        form = {"csrf": self.csrf(params), "decision": decision, **fields}
        return self.http.post(AUTHORIZE, params=params, data=form, headers=self.headers)


def whoami(url: str, token: str, path: str = "/v3/whoami") -> httpx2.Response:
    with httpx2.Client(base_url=url, timeout=60, verify=False) as http:
        return http.get(path, headers={"Authorization": f"Bearer {token}"})
