"""An OAuth service on loopback that issues tokens after a consent. It is strict, and each refresh
token works once."""

import base64
import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from remem.core.connectors.provider import OAuthApp
from tests.tools.http_server import QuietHandler, served

CLIENT = ("client-1", "secret-xyzzy-client")


@dataclass
class ConsentService:
    """`grants` counts the tokens that it issued, `refused` the requests that it did not accept."""

    url: str = ""
    expires_in_s: int = 3_600
    challenges: dict[str, tuple[str, str]] = field(default_factory=dict)
    access: str = ""
    refresh: str = ""
    grants: int = 0
    refused: int = 0
    revoked: list[str] = field(default_factory=list)
    is_down: bool = False

    @property
    def app(self) -> OAuthApp:
        return OAuthApp(
            authorize_url=f"{self.url}/authorize",
            token_url=f"{self.url}/token",
            revoke_url=f"{self.url}/revoke",
            scopes=("read",),
            parameters={"access_type": "offline"},
            uses_basic_auth=True,
            client_id=CLIENT[0],
            client_secret=CLIENT[1],
        )

    def consent(self, auth_url: str) -> dict[str, str]:
        """The parameters of the redirect after a person consents."""
        params = dict(parse_qsl(urlsplit(auth_url).query))
        assert params["response_type"] == "code" and params["access_type"] == "offline"
        assert params["code_challenge_method"] == "S256" and params["client_id"] == CLIENT[0]
        code = f"code-{len(self.challenges)}"
        self.challenges[code] = (params["code_challenge"], params["redirect_uri"])
        return {"code": code, "state": params["state"]}

    def token(self, form: dict[str, str]) -> tuple[int, dict[str, Any]]:
        if form["grant_type"] == "authorization_code":
            digest = hashlib.sha256(form["code_verifier"].encode()).digest()
            challenge = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
            known = self.challenges.pop(form["code"], None)
            is_valid = known == (challenge, form["redirect_uri"])
        else:
            is_valid = form["refresh_token"] == self.refresh
        if not is_valid:
            self.refused += 1
            return 400, {"error": "invalid_grant"}
        self.grants += 1
        self.access, self.refresh = f"access-xyzzy-{self.grants}", f"refresh-xyzzy-{self.grants}"
        tokens = {"access_token": self.access, "refresh_token": self.refresh}
        return 200, {**tokens, "token_type": "bearer", "expires_in": self.expires_in_s}


@contextmanager
def serve_consent(service: ConsentService) -> Iterator[ConsentService]:
    class Handler(QuietHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
            form = dict(parse_qsl(body))
            credentials = self.headers.get("Authorization", "").removeprefix("Basic ")
            is_client = base64.b64decode(credentials).decode() == ":".join(CLIENT)
            if service.is_down:
                status, answer = 503, {}
            elif not is_client or "client_secret" in form:
                status, answer = 401, {"error": "invalid_client"}
            elif self.path == "/revoke":
                service.revoked.append(form["token"])
                status, answer = 200, {}
            else:
                status, answer = service.token(form)
            data = json.dumps(answer).encode()
            self.send_response_only(status)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

    with served(Handler) as service.url:
        yield service
