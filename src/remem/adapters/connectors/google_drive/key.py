"""The key file of a Google service account, and the access tokens that it gets."""

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
# The audience that Google wants to read, whatever address it is reached at.
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
    def read(cls, text: str) -> "ServiceKey":
        """Its `token_uri` is not used: a key file does not decide what we dial."""
        try:
            given = json.loads(text)
            private = serialization.load_pem_private_key(given["private_key"].encode(), None)
            email, id = str(given["client_email"]), str(given["private_key_id"])
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise Invalid("key_file", _NOT_A_KEY) from error
        if not isinstance(private, rsa.RSAPrivateKey):
            raise Invalid("key_file", _NOT_A_KEY)
        return cls(email, id, private)

    def assertion(self, moment: datetime) -> str:
        begun = int(moment.timestamp())
        claims = {
            "iss": self.email,
            "scope": SCOPE,
            "aud": AUDIENCE,
            "iat": begun,
            "exp": begun + int(LIFETIME.total_seconds()),
        }
        head = {"alg": "RS256", "typ": "JWT", "kid": self.id}
        signed = f"{_packed(head)}.{_packed(claims)}"
        signature = self.private.sign(signed.encode(), padding.PKCS1v15(), hashes.SHA256())
        return f"{signed}.{_base64(signature)}"


_NOT_A_KEY = (
    "is not the key file of a service account; give the whole JSON file that Google made"
    " when the key was created"
)


class AccessTokens:
    """Kept in memory while they last, by the key they are for."""

    def __init__(self, token_url: str, **options: Any) -> None:
        self._api = ServiceApi(token_url, "Google", REFUSED, **options)
        self._known: dict[str, tuple[str, datetime]] = {}

    async def of(self, key_file: str) -> str:
        name = hashlib.sha256(key_file.encode()).hexdigest()
        token, until = self._known.get(name, ("", now()))
        if until - MARGIN > now():
            return token
        form = {"grant_type": GRANT, "assertion": ServiceKey.read(key_file).assertion(now())}
        reply = await self._api.post_form("/token", form)
        if reply.status_code in (400, 401, 403):
            raise NeedsAuth(REFUSED)
        found = self._api.json(reply)
        try:
            seconds = min(int(found["expires_in"]), 3_600)
            self._known[name] = (str(found["access_token"]), now() + timedelta(seconds=seconds))
        except (KeyError, TypeError, ValueError) as error:
            raise Unavailable("Google gave no token; it is tried again.") from error
        return self._known[name][0]

    def forget(self, key_file: str) -> None:
        self._known.pop(hashlib.sha256(key_file.encode()).hexdigest(), None)

    async def close(self) -> None:
        await self._api.close()


def _packed(value: dict[str, Any]) -> str:
    return _base64(json.dumps(value, separators=(",", ":")).encode())


def _base64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
