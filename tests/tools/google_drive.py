"""A Google Drive on loopback: files and folders that are shared with a service account."""

import base64
import hashlib
import json
import re
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from typing import Any

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa

from tests.tools.fake_service import Call, FakeService, Reply

GOOGLE = "application/vnd.google-apps."
EMAIL = "reader@remem-test.iam.gserviceaccount.com"
ROOT = "folder-root"


@cache
def private_key() -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(public_exponent=65_537, key_size=2_048)


@cache
def key_file() -> str:
    pem = private_key().private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    return json.dumps(
        {
            "type": "service_account",
            "private_key_id": "xyzzy",
            "private_key": pem.decode(),
            "client_email": EMAIL,
            "token_uri": "http://192.0.2.1/never-dialled",
        }
    )


@dataclass
class File:
    id: str
    name: str
    content: bytes
    kind: str
    parent: str | None
    modified: str
    trashed: bool = False
    target: str | None = None


@dataclass
class FakeDrive(FakeService):
    contract_name: str = "google_drive"
    token: str | None = "ya29.first"
    files: dict[str, File] = field(default_factory=dict)
    # The ids that changed, in order; a mark is a position in this list.
    log: list[str] = field(default_factory=list)
    forgotten: int = 0
    page_size: int = 1_000
    is_key_revoked: bool = False
    grants: int = 0
    limit_reason: str | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        self.add(ROOT, "Shared", b"", f"{GOOGLE}folder", None)

    # Actions of the owner

    def add(self, id: str, name: str, content: bytes, kind: str, parent: str | None) -> File:
        self.files[id] = File(id, name, content, kind, parent, self.tick())
        self.log.append(id)
        return self.files[id]

    def change(self, id: str, **fields: Any) -> None:
        for name, value in fields.items():
            setattr(self.files[id], name, value)
        if "content" in fields:
            self.files[id].modified = self.tick()
        self.log.append(id)

    def delete(self, id: str) -> None:
        self.tick()
        del self.files[id]
        self.log.append(id)

    # Replies

    def answer(self, call: Call) -> Reply:
        if call.path == "/token":
            return self._grant(call.body)
        return super().answer(call)

    def refused(self) -> Reply:
        return _error(401, "authError")

    def paused(self) -> Reply:
        return _error(403, self.limit_reason) if self.limit_reason else _error(429, "rate", "1200")

    def find(self, call: Call) -> Reply:
        path, query = call.path.removeprefix("/drive/v3"), call.query
        if path == "/about":
            user = {"kind": "drive#user", "displayName": "Reader", "emailAddress": EMAIL}
            return Reply({"user": user})
        if path == "/changes/startPageToken":
            return Reply({"startPageToken": str(len(self.log))})
        if path == "/changes":
            return self._changes(int(query["pageToken"]))
        if path == "/files":
            return self._list(query)
        id = path.split("/")[2]
        file = self.files.get(id)
        if file is None:
            return _error(404, "notFound")
        if path.endswith("/export"):
            assert file.kind.startswith(GOOGLE), "only Google's own kinds are exported"
            if len(file.content) > 10_000_000:
                return _error(403, "exportSizeLimitExceeded")
            return Reply(file.content)
        return Reply(file.content) if query.get("alt") == "media" else Reply(self._resource(file))

    def _grant(self, form: dict[str, str]) -> Reply:
        if self.is_key_revoked:
            return Reply({"error": "invalid_grant"}, 400)
        head, claims, signature = form["assertion"].split(".")
        signed = f"{head}.{claims}".encode()
        key = private_key().public_key()
        key.verify(_decode(signature), signed, padding.PKCS1v15(), hashes.SHA256())
        payload = json.loads(_decode(claims))
        now_s = datetime.now(UTC).timestamp()
        assert payload["iss"] == EMAIL and payload["aud"] == "https://oauth2.googleapis.com/token"
        assert payload["iat"] <= now_s + 5 and payload["exp"] - payload["iat"] <= 3_600
        self.grants += 1
        return Reply({"access_token": self.token, "token_type": "Bearer", "expires_in": 3_599})

    def _changes(self, start: int) -> Reply:
        if start < self.forgotten:
            return _error(410, "gone")
        part = self.log[start : start + self.page_size]
        changes = [self._change(id) for id in dict.fromkeys(part)]
        end = start + len(part)
        if end < len(self.log):
            return Reply({"changes": changes, "nextPageToken": str(end)})
        return Reply({"changes": changes, "newStartPageToken": str(end)})

    def _change(self, id: str) -> dict[str, Any]:
        file = self.files.get(id)
        resource = {"file": self._resource(file)} if file else {}
        return {"changeType": "file", "fileId": id, "removed": file is None, **resource}

    def _list(self, query: dict[str, str]) -> Reply:
        assert query["supportsAllDrives"] == query["includeItemsFromAllDrives"] == "true"
        matches = [file for file in self.files.values() if self._matches(file, query["q"])]
        start = int(query.get("pageToken", 0))
        page = matches[start : start + min(int(query["pageSize"]), self.page_size)]
        has_more = start + len(page) < len(matches)
        next_page = {"nextPageToken": str(start + len(page))} if has_more else {}
        return Reply({"files": [self._resource(file) for file in page], **next_page})

    def _matches(self, file: File, query: str) -> bool:
        for clause in query.split(" and "):
            if parent := re.fullmatch(r"'([\w-]+)' in parents", clause):
                matches = file.parent == parent[1]
            elif kind := re.fullmatch(r"mimeType = '(\S+)'", clause):
                matches = file.kind == kind[1]
            elif clause == "(sharedWithMe = true or 'root' in parents)":
                matches = file.parent in (None, "root")
            else:
                assert clause == "trashed = false", f"{clause} is not a query"
                matches = not file.trashed
            if not matches:
                return False
        return True

    def _resource(self, file: File) -> dict[str, Any]:
        resource = {
            "id": file.id, "name": file.name, "mimeType": file.kind, "trashed": file.trashed,
            "createdTime": "2026-01-01T00:00:00.000Z", "modifiedTime": file.modified,
            "webViewLink": f"https://drive.google.com/file/d/{file.id}/view",
        }  # fmt: skip
        if file.parent:
            resource["parents"] = [file.parent]
        if file.target:
            resource["shortcutDetails"] = {"targetId": file.target}
        if not file.kind.startswith(GOOGLE):
            resource["size"] = str(len(file.content))
            resource["md5Checksum"] = hashlib.md5(file.content).hexdigest()
        return resource


def _error(status: int, reason: str, pause: str | None = None) -> Reply:
    errors = [{"domain": "global", "reason": reason, "message": reason}]
    body = {"error": {"code": status, "message": reason, "errors": errors}}
    return Reply(body, status, {"Retry-After": pause} if pause else {})


def _decode(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
