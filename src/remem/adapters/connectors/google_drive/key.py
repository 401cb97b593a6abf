"""The key file of a Google service account, and the access tokens it obtains."""

import base64
import hashlib
import json
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa

from remem.adapters.connectors.http import ServiceApi
from remem.core.connectors.errors import NeedsAuth
from remem.core.errors import Invalid, Unavailable
from remem.core.time import now

SCOPE = "https://www.googleapis.com/auth/drive.readonly"
GRANT = "urn:ietf:params:oauth:grant-type:jwt-bearer"
# The audience that Google expects, whatever URL requests are sent to.
AUDIENCE = "https://oauth2.googleapis.com/token"
LIFETIME = timedelta(hours=1)
MARGIN = timedelta(minutes=5)
REFUSED = (
    "Google does not accept the key of the service account; make a new key in the Google Cloud"
    " console under IAM & Admin, Service accounts, Keys, and connect again with it."
)


@dataclass(frozen=True, slots=True)
class ServiceKey:
    email: str
    id: str
    private: rsa.RSAPrivateKey = field(repr=False)

    @classmethod
    def parse(cls, text: str) -> "ServiceKey":
        """Parse a key file. Its `token_uri` is ignored, so that it cannot redirect requests."""
        try:
            fields = json.loads(text)
            private = serialization.load_pem_private_key(fields["private_key"].encode(), None)
            email, id = str(fields["client_email"]), str(fields["private_key_id"])
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise Invalid("key_file", _NOT_A_KEY) from error
        if not isinstance(private, rsa.RSAPrivateKey):
            raise Invalid("key_file", _NOT_A_KEY)
        return cls(email, id, private)

    def assertion(self, issued_at: datetime) -> str:
        issued_s = int(issued_at.timestamp())
        claims = {
            "iss": self.email,
            "scope": SCOPE,
            "aud": AUDIENCE,
            "iat": issued_s,
            "exp": issued_s + int(LIFETIME.total_seconds()),
        }
        header = {"alg": "RS256", "typ": "JWT", "kid": self.id}
        signing_input = f"{_encode_json(header)}.{_encode_json(claims)}"
        signature = self.private.sign(signing_input.encode(), padding.PKCS1v15(), hashes.SHA256())
        return f"{signing_input}.{_base64(signature)}"


_NOT_A_KEY = (
    "is not the key file of a service account; give the whole JSON file that Google made"
    " when the key was created"
)


class AccessTokens:
    """Access tokens by key file, cached in memory until they expire."""

    def __init__(self, token_url: str, **options: Any) -> None:
        self._api = ServiceApi(token_url, "Google", REFUSED, **options)
        self._tokens: dict[str, tuple[str, datetime]] = {}

    async def get(self, key_file: str) -> str:
        name = hashlib.sha256(key_file.encode()).hexdigest()
        token, until = self._tokens.get(name, ("", now()))
        if until - MARGIN > now():
            return token
        form = {"grant_type": GRANT, "assertion": ServiceKey.parse(key_file).assertion(now())}
        reply = await self._api.post_form("/token", form)
        if reply.status_code in (400, 401, 403):
            raise NeedsAuth(REFUSED)
        body = self._api.json(reply)
        try:
            seconds = min(int(body["expires_in"]), 3_600)
            self._tokens[name] = (str(body["access_token"]), now() + timedelta(seconds=seconds))
        except (KeyError, TypeError, ValueError) as error:
            raise Unavailable("Google gave no token; it is tried again.") from error
        return self._tokens[name][0]

    def forget(self, key_file: str) -> None:
        self._tokens.pop(hashlib.sha256(key_file.encode()).hexdigest(), None)

    async def close(self) -> None:
        await self._api.close()


def _encode_json(value: dict[str, Any]) -> str:
    return _base64(json.dumps(value, separators=(",", ":")).encode())


def _base64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
