"""A small authorization server on loopback that follows the RFCs, and an API for its tokens."""

import base64
import hashlib
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from secrets import token_urlsafe
from types import TracebackType
from typing import Any, Self
from urllib.parse import parse_qs, urlencode, urlsplit

WHO = {"name": "Ana", "email": "ana@example.org", "role": "owner", "organization_name": "Ana"}


class AuthorizationServer:
    """Consents automatically. Its tokens are valid for `expires_in_s`; `requests` are the paths of
    all requests."""

    def __init__(self, expires_in_s: int = 3_600) -> None:
        self.expires_in_s = expires_in_s
        self.clients: dict[str, dict[str, Any]] = {}
        self.codes: dict[str, dict[str, str]] = {}
        self.access: set[str] = set()
        self.refresh: dict[str, bool] = {}
        self.requests: list[str] = []
        self.revoked: list[str] = []
        self.changed: dict[str, Any] = {}
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))

    def __enter__(self) -> Self:
        threading.Thread(target=self._http.serve_forever, daemon=True).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._http.shutdown()
        self._http.server_close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_port}"

    def metadata(self) -> dict[str, Any]:
        return {
            "issuer": self.url,
            "authorization_endpoint": f"{self.url}/authorize",
            "token_endpoint": f"{self.url}/token",
            "registration_endpoint": f"{self.url}/register",
            "revocation_endpoint": f"{self.url}/revoke",
            "scopes_supported": ["read", "write", "admin"],
            "code_challenge_methods_supported": ["S256"],
            "authorization_response_iss_parameter_supported": True,
            **self.changed,
        }

    def authorize(self, params: dict[str, str]) -> str:
        """The address that the browser is redirected to."""
        client = self.clients[params["client_id"]]
        assert params["redirect_uri"] in client["redirect_uris"]
        assert params["code_challenge_method"] == "S256"
        assert params["response_type"] == "code"
        code = token_urlsafe(16)
        self.codes[code] = params
        query = {"code": code, "state": params["state"], "iss": self.url}
        return f"{params['redirect_uri']}?{urlencode(query)}"

    def token(self, form: dict[str, str]) -> dict[str, Any] | None:
        """New tokens, or None to refuse. A refresh token that is used twice revokes all of them."""
        assert form["resource"] == f"{self.url}/api"
        if form["grant_type"] == "authorization_code":
            params = self.codes.pop(form["code"], None)
            digest = hashlib.sha256(form["code_verifier"].encode()).digest()
            challenge = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
            if not params or params["code_challenge"] != challenge:
                return None
            if form["redirect_uri"] != params["redirect_uri"]:
                return None
        elif not self.refresh.get(form["refresh_token"]):
            self.refresh = dict.fromkeys(self.refresh, False)
            return None
        else:
            self.refresh[form["refresh_token"]] = False
        tokens = {"access_token": token_urlsafe(24), "refresh_token": token_urlsafe(24)}
        self.access.add(tokens["access_token"])
        self.refresh[tokens["refresh_token"]] = True
        return {**tokens, "token_type": "Bearer", "expires_in": self.expires_in_s}


def _handler(server: AuthorizationServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            server.requests.append(parts.path)
            if parts.path == "/.well-known/oauth-authorization-server":
                self._json(200, server.metadata())
            elif parts.path == "/.well-known/oauth-protected-resource":
                self._json(200, {"resource": f"{server.url}/api"})
            elif parts.path == "/authorize":
                self.send_response(302)
                self.send_header("Location", server.authorize(_flat(parts.query)))
                self.end_headers()
            elif self.headers.get("Authorization", "").removeprefix("Bearer ") in server.access:
                self._json(200, {**WHO, "scopes": ["read"], "user_id": "1", "organization_id": "1"})
            else:
                self._json(
                    401, {"error": "This token is not known here.", "code": "unauthenticated"}
                )

        def do_POST(self) -> None:
            server.requests.append(self.path)
            body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
            if self.path == "/register":
                id = token_urlsafe(8)
                server.clients[id] = json.loads(body)
                self._json(201, {**server.clients[id], "client_id": id})
            elif self.path == "/token":
                tokens = server.token(_flat(body))
                self._json(200, tokens) if tokens else self._json(400, {"error": "invalid_grant"})
            else:
                server.revoked.append(_flat(body)["token"])
                self._json(200, {})

        def _json(self, status: int, value: dict[str, Any]) -> None:
            text = json.dumps(value).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        def log_message(self, format: str, *args: object) -> None:
            """Log nothing."""

    return Handler


def _flat(query: str) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(query).items()}
