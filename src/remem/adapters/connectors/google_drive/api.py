"""Requests to Google Drive."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import httpx2

from remem.adapters.connectors.google_drive.files import FILE_FIELDS, FOLDER, SHORTCUT, check_quota
from remem.adapters.connectors.google_drive.key import REFUSED, AccessTokens
from remem.adapters.connectors.http import ServiceApi, StaleCursor
from remem.adapters.connectors.sign_in import GOOGLE_TOKENS
from remem.core.connectors.errors import MarkExpired, NeedsAuth
from remem.core.connectors.model import Access
from remem.core.errors import Invalid, Unavailable

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
