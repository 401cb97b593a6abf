"""Requests to Google Drive."""

import base64
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import httpx2
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa

from remem.adapters.connectors.google_drive.files import FILE_FIELDS, FOLDER, SHORTCUT, check_quota
from remem.adapters.connectors.http import ServiceApi, StaleCursor
from remem.adapters.connectors.sign_in import GOOGLE_TOKENS
from remem.core.connectors.errors import MarkExpired, NeedsAuth
from remem.core.connectors.model import Access
from remem.core.errors import Invalid, Unavailable
from remem.core.time import now

URL = "https://www.googleapis.com"
EVERYTHING = "everything"
PAGE = 1_000
ID = re.compile(r"[A-Za-z0-9_-]{1,200}")
EXPIRED_STATUSES = (400, 404, 410)


class DriveApi:
    """Sends requests with the token of a sign-in, or with one obtained by a service account key."""

    def __init__(self, urls: Mapping[str, str], max_bytes: int, **options: Any) -> None:
        self._api = ServiceApi(urls.get("google_drive", URL), "Google Drive", REFUSED, **options)
        self._tokens = AccessTokens(urls.get("google_token", GOOGLE_TOKENS), **options)
        self.max_bytes = max_bytes

    async def get(
        self, access: Access, path: str, params: Mapping[str, Any], target: Path | None = None
    ) -> httpx2.Response:
        """Send a request. A service account token that expired early is replaced once."""
        for is_last in (False, True):
            headers = await self._headers(access)
            try:
                if target is None:
                    reply = await self._api.get(path, headers, params)
                else:
                    limit = self.max_bytes
                    reply = await self._api.download(path, headers, params, target, limit)
            except NeedsAuth:
                if is_last or "key_file" not in access.credential:
                    raise
                self._tokens.forget(access.credential["key_file"])
            else:
                return check_quota(reply)
        raise AssertionError("the last attempt returns or raises")

    async def json(self, access: Access, path: str, params: Mapping[str, Any]) -> dict[str, Any]:
        return self._api.json(await self.get(access, path, params))

    async def file(
        self,
        access: Access,
        id: str,
        fields: str = FILE_FIELDS,
        missing: Sequence[int] = (403, 404),
    ) -> dict[str, Any] | None:
        """Return the metadata of a file; None when it is missing."""
        params = {"fields": fields, "supportsAllDrives": "true"}
        reply = await self.get(access, f"/drive/v3/files/{checked_id(id)}", params)
        return None if reply.status_code in missing else self._api.json(reply)

    async def target(self, access: Access, shortcut: dict[str, Any]) -> dict[str, Any] | None:
        """Return the file that a shortcut points to; None when there is no such file."""
        id = (shortcut.get("shortcutDetails") or {}).get("targetId", "")
        file = await self.file(access, id) if ID.fullmatch(id) else None
        if file is None or file.get("trashed") or file["mimeType"] in (FOLDER, SHORTCUT):
            return None
        return file

    async def files(self, access: Access, query: str, page: str | None) -> dict[str, Any]:
        params = {
            "q": query,
            "pageSize": PAGE,
            "fields": f"nextPageToken,files({FILE_FIELDS})",
            "supportsAllDrives": "true",
            "includeItemsFromAllDrives": "true",
        }
        page_params = {**params, "pageToken": page} if page else params
        reply = await self.get(access, "/drive/v3/files", page_params)
        if page and reply.status_code in EXPIRED_STATUSES:
            raise StaleCursor
        if reply.status_code == 404:
            return {"files": []}
        listing = self._api.json(reply)
        if page and listing.get("nextPageToken") == page:
            raise Unavailable("Google Drive gives the same part of a list again.")
        return listing

    async def changes(self, access: Access, token: str) -> dict[str, Any]:
        params = {
            "pageToken": token,
            "pageSize": PAGE,
            "includeRemoved": "true",
            "supportsAllDrives": "true",
            "includeItemsFromAllDrives": "true",
            "fields": "nextPageToken,newStartPageToken,changes(changeType,fileId,removed,file"
            f"({FILE_FIELDS}))",
        }
        reply = await self.get(access, "/drive/v3/changes", params)
        if reply.status_code in EXPIRED_STATUSES:
            raise MarkExpired
        return self._api.json(reply)

    async def close(self) -> None:
        await self._api.close()
        await self._tokens.close()

    async def _headers(self, access: Access) -> dict[str, str]:
        token = access.credential.get("token")
        if token is None:
            token = await self._tokens.get(access.credential.get("key_file", ""))
        return {"Authorization": f"Bearer {token}", "User-Agent": "remem"}


def checked_id(id: str) -> str:
    """Return a valid id; others are refused, because ids become part of queries and paths."""
    if not ID.fullmatch(id):
        raise Invalid("chosen", f"is not a folder of Google Drive; give its id, or {EVERYTHING}")
    return id


# The key file of a Google service account, and the access tokens it obtains.


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
