"""Google Drive: documents as markdown, sheets and slides as Office files, other files whole."""

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx2

from remem.adapters.connectors.google_files import (
    DOCUMENT,
    EXPORTS,
    FILE_FIELDS,
    FOLDER,
    GOOGLE,
    SHORTCUT,
    TEXT_CHARS,
    document,
    seen_file,
    within_quota,
    without_pictures,
)
from remem.adapters.connectors.google_key import REFUSED, AccessTokens
from remem.adapters.connectors.http import ServiceApi, StalePlace
from remem.adapters.connectors.parents import ParentCache
from remem.adapters.connectors.sign_in import GOOGLE_TOKENS, google_app, with_client
from remem.core.connectors import (
    Access,
    Account,
    ChangePage,
    Field,
    Mark,
    MarkExpired,
    NeedsAuth,
    Provider,
    Removed,
    Resource,
    ResourcePage,
    SeenItem,
    WalkPage,
)
from remem.core.errors import Invalid, TooLarge, Unavailable
from remem.core.items import Item, LeftOut

URL = "https://www.googleapis.com"
SCOPE = "https://www.googleapis.com/auth/drive.readonly"
EVERYTHING = "everything"
PAGE = 1_000
ID = re.compile(r"[A-Za-z0-9_-]{1,200}")
FOLDERS_LIMIT = 10_000
PARENTS = 50
WEEK_S = 7 * 86_400
MARK_IS_OLD = (400, 404, 410)


class GoogleDriveConnector:
    """What a person or a service account can see: everything, or folders with what is below."""

    def __init__(
        self,
        urls: Mapping[str, str],
        max_bytes: int = 100_000_000,
        client_id: str | None = None,
        client_secret: str | None = None,
        **options: Any,
    ) -> None:
        self._api = ServiceApi(urls.get("google_drive", URL), "Google Drive", REFUSED, **options)
        self._tokens = AccessTokens(urls.get("google_token", GOOGLE_TOKENS), **options)
        offered = replace(self.provider, oauth=google_app(urls, SCOPE))
        self.provider = with_client(offered, client_id, client_secret)
        self._max_bytes = max_bytes
        self._parents = ParentCache[str]()

    provider = Provider(
        title="Google Drive",
        about="Documents, sheets, slides and other files of folders that you share.",
        help="Make a service account in the Google Cloud console (IAM & Admin, Service accounts)"
        " with a JSON key, enable the Google Drive API, and share a folder with its address."
        " Or sign in with an app of your own.",
        fields=(
            Field(
                "key_file",
                "the JSON key file of a service account",
                is_secret=True,
                is_long=True,
                example='{"type": "service_account", …}',
            ),
        ),
        choice="folders by their ids, or everything",
        walk_every_s=WEEK_S,
    )

    async def account(self, access: Access) -> Account:
        found = await self._json(access, "/drive/v3/about", {"fields": "user"})
        email = str(found["user"]["emailAddress"])
        return Account(email, email)

    async def resources(self, access: Access, under: str | None, at: str | None) -> ResourcePage:
        # A service account has no files of its own; a person who signed in does.
        top = "(sharedWithMe = true or 'root' in parents)"
        within = f"'{_id(under)}' in parents" if under else top
        query = f"mimeType = '{FOLDER}' and trashed = false and {within}"
        found = await self._files(access, query, at)
        folders = [Resource(one["id"], one["name"], has_children=True) for one in found["files"]]
        if not under and not at:
            folders.insert(0, Resource(EVERYTHING, "Everything that can be seen"))
        return ResourcePage(tuple(folders), found.get("nextPageToken"))

    async def begin(self, access: Access) -> Mark:
        self._parents.forget(access)
        for one in access.chosen:
            _id(one)
        params = {"supportsAllDrives": "true"}
        found = await self._json(access, "/drive/v3/changes/startPageToken", params)
        return {"token": found["startPageToken"]}

    async def walk(self, access: Access, at: Mark | None) -> WalkPage:
        """Folder by folder, or everything in one list. Where Google no longer knows a place in a
        list, that list begins again, once: what comes twice does no harm."""
        at = at or {"folders": list(access.chosen), "page": None, "count": 0}
        try:
            if EVERYTHING in access.chosen:
                found = await self._files(access, "trashed = false", at["page"])
                files, after = found["files"], found.get("nextPageToken")
                following = {**at, "page": after} if after else None
            else:
                files, following = await self._folder_page(access, at, "trashed = false")
        except StalePlace as error:
            if at.get("is_second"):
                raise Unavailable("Google Drive loses the place in a list.") from error
            return WalkPage((), {**at, "page": None, "is_second": True})
        return WalkPage(tuple(await self._entries(access, files)), following)

    async def changes(self, access: Access, mark: Mark) -> ChangePage:
        """What changed, then what is in folders that changed: what is below a folder that was
        moved has not changed itself."""
        if mark.get("at"):
            return await self._changed_folder(access, mark)
        params = {
            "pageToken": mark["token"],
            "pageSize": PAGE,
            "includeRemoved": "true",
            "supportsAllDrives": "true",
            "includeItemsFromAllDrives": "true",
            "fields": "nextPageToken,newStartPageToken,changes(changeType,fileId,removed,file"
            f"({FILE_FIELDS}))",
        }
        reply = await self._get(access, "/drive/v3/changes", params)
        if reply.status_code in MARK_IS_OLD:
            raise MarkExpired
        found = self._api.json(reply)
        changes, folders = await self._changed(access, found.get("changes", []))
        fresh = {"token": found.get("newStartPageToken") or found.get("nextPageToken")}
        if fresh["token"] is None:
            raise Unavailable("Google Drive gave no mark to go on from; it is tried again.")
        if folders:
            fresh["at"] = {"folders": folders, "page": None, "count": 0}
        is_last = not folders and "newStartPageToken" in found
        return ChangePage(tuple(changes), fresh, is_last=is_last)

    async def read(self, access: Access, seen: SeenItem, folder: Path) -> Item | LeftOut | None:
        params = {"fields": FILE_FIELDS, "supportsAllDrives": "true"}
        reply = await self._get(access, f"/drive/v3/files/{_id(seen.reference)}", params)
        if reply.status_code == 404:
            return None
        file = self._api.json(reply)
        if file["mimeType"] == SHORTCUT:
            file = await self._target(access, file)
        if file is None or file.get("trashed"):
            return None
        kind = file["mimeType"]
        if kind in EXPORTS:
            return await self._export(access, file, folder)
        if kind.startswith(GOOGLE):
            what = kind.removeprefix(GOOGLE)
            return LeftOut("document", seen.reference, f"a Google {what} has no text to export")
        return await self._download(access, file, folder)

    async def close(self) -> None:
        await self._api.close()
        await self._tokens.close()

    # Requests

    async def _headers(self, access: Access) -> dict[str, str]:
        token = access.credential.get("token")
        if token is None:
            token = await self._tokens.of(access.credential.get("key_file", ""))
        return {"Authorization": f"Bearer {token}", "User-Agent": "remem"}

    async def _get(
        self, access: Access, path: str, params: Mapping[str, Any], target: Path | None = None
    ) -> httpx2.Response:
        """A token that ran out sooner than it said is replaced once."""
        for is_last in (False, True):
            headers = await self._headers(access)
            try:
                if target is None:
                    reply = await self._api.get(path, headers, params)
                else:
                    limit = self._max_bytes
                    reply = await self._api.download(path, headers, params, target, limit)
            except NeedsAuth:
                if is_last or "key_file" not in access.credential:
                    raise
                self._tokens.forget(access.credential["key_file"])
            else:
                return within_quota(reply)
        raise AssertionError("the last attempt returns or raises")

    async def _json(self, access: Access, path: str, params: Mapping[str, Any]) -> dict[str, Any]:
        return self._api.json(await self._get(access, path, params))

    async def _files(self, access: Access, query: str, page: str | None) -> dict[str, Any]:
        params = {
            "q": query,
            "pageSize": PAGE,
            "fields": f"nextPageToken,files({FILE_FIELDS})",
            "supportsAllDrives": "true",
            "includeItemsFromAllDrives": "true",
        }
        asked = {**params, "pageToken": page} if page else params
        reply = await self._get(access, "/drive/v3/files", asked)
        if page and reply.status_code in MARK_IS_OLD:
            raise StalePlace
        if reply.status_code == 404:
            return {"files": []}
        found = self._api.json(reply)
        if page and found.get("nextPageToken") == page:
            raise Unavailable("Google Drive gives the same part of a list again.")
        return found

    async def _folder_page(
        self, access: Access, at: Mark, only: str
    ) -> tuple[list[dict[str, Any]], Mark | None]:
        """A part of the first folder that waits, and what waits then."""
        folder, *others = at["folders"]
        within = f"'{_id(folder)}' in parents"
        found = await self._files(access, f"{within} and {only}" if only else within, at["page"])
        below = [one["id"] for one in found["files"] if one["mimeType"] == FOLDER]
        count = at["count"] + len(below)
        if count > FOLDERS_LIMIT:
            raise Invalid("chosen", f"has more than {FOLDERS_LIMIT:,} folders; choose less")
        after = found.get("nextPageToken")
        waiting = list(dict.fromkeys([*([folder] if after else []), *others, *below]))
        second = {"is_second": True} if after and at.get("is_second") else {}
        place = {"folders": waiting, "page": after, "count": count, **second}
        return found["files"], place if waiting else None

    async def _entries(self, access: Access, files: list[dict[str, Any]]) -> list[SeenItem]:
        seen: list[SeenItem] = []
        for file in files:
            self._remember(access, file)
            if file["mimeType"] == SHORTCUT:
                target = await self._target(access, file)
                seen += [seen_file(target, file["id"])] if target else []
            elif file["mimeType"] != FOLDER:
                seen.append(seen_file(file))
        return seen

    async def _target(self, access: Access, shortcut: dict[str, Any]) -> dict[str, Any] | None:
        target = (shortcut.get("shortcutDetails") or {}).get("targetId", "")
        if not ID.fullmatch(target):
            return None
        params = {"fields": FILE_FIELDS, "supportsAllDrives": "true"}
        reply = await self._get(access, f"/drive/v3/files/{target}", params)
        if reply.status_code in (403, 404):
            return None
        file = self._api.json(reply)
        return None if file.get("trashed") or file["mimeType"] in (FOLDER, SHORTCUT) else file

    # Changes

    async def _changed(
        self, access: Access, changes: list[dict[str, Any]]
    ) -> tuple[list[SeenItem | Removed], list[str]]:
        entries: list[SeenItem | Removed] = []
        folders: list[str] = []
        for change in changes:
            file = change.get("file") or {}
            if change.get("changeType", "file") != "file" or not change.get("fileId"):
                continue
            self._remember(access, {"id": change["fileId"], **file})
            if file.get("mimeType") == FOLDER:
                folders.append(change["fileId"])
            is_gone = change.get("removed") or file.get("trashed")
            if is_gone or not await self._is_chosen(access, file):
                entries.append(Removed(change["fileId"]))
            else:
                entries += await self._entries(access, [file])
        return entries, folders if EVERYTHING not in access.chosen else []

    async def _changed_folder(self, access: Access, mark: Mark) -> ChangePage:
        try:
            files, after = await self._folder_page(access, mark["at"], "")
        except StalePlace as error:
            raise MarkExpired from error
        entries: list[SeenItem | Removed] = []
        for file in files:
            self._remember(access, file)
            if file.get("trashed") or not await self._is_chosen(access, file):
                entries.append(Removed(file["id"]))
            else:
                entries += await self._entries(access, [file])
        fresh = {"token": mark["token"], **({"at": after} if after else {})}
        return ChangePage(tuple(entries), fresh, is_last=False)

    async def _is_chosen(self, access: Access, file: Mapping[str, Any]) -> bool:
        if EVERYTHING in access.chosen:
            return True
        place: str | None = file["id"]
        for _ in range(PARENTS):
            if place is None or place in access.chosen:
                return place is not None
            place = await self._parent(access, place)
        return False

    async def _parent(self, access: Access, id: str) -> str | None:
        if not self._parents.knows(access, id):
            params = {"fields": "id,parents,trashed", "supportsAllDrives": "true"}
            reply = await self._get(access, f"/drive/v3/files/{_id(id)}", params)
            is_there = reply.status_code not in (403, 404)
            self._remember(access, self._api.json(reply) if is_there else {"id": id})
        return self._parents.get(access, id)

    def _remember(self, access: Access, file: Mapping[str, Any]) -> None:
        self._parents.put(access, file["id"], next(iter(file.get("parents") or ()), None))

    # Files

    async def _export(
        self, access: Access, file: dict[str, Any], folder: Path
    ) -> Item | LeftOut | None:
        media_type, ending = EXPORTS[file["mimeType"]]
        target = folder / f"exported{ending}"
        path = f"/drive/v3/files/{file['id']}/export"
        reply = await self._get(access, path, {"mimeType": media_type}, target)
        if reply.status_code == 403:
            reason = "Google exports at most 10 MB of it, or it may not be exported"
            return LeftOut("document", file["id"], reason)
        if reply.status_code == 404:
            return None
        if reply.status_code != 200:
            raise Unavailable(f"Google Drive answers {reply.status_code}; it is tried again.")
        if file["mimeType"] != DOCUMENT:
            return document(file, title=f"{file['name']}{ending}", file=target)
        text = without_pictures(target.read_bytes().decode("utf-8-sig", "replace"))
        if not text.strip():
            return LeftOut("document", file["id"], "it is empty")
        if len(text) <= TEXT_CHARS:
            return document(file, title=file["name"], content=text, content_type="markdown")
        target.write_text(text, encoding="utf-8")
        return document(file, title=f"{file['name']}.md", file=target)

    async def _download(
        self, access: Access, file: dict[str, Any], folder: Path
    ) -> Item | LeftOut | None:
        size = int(file.get("size") or 0)
        if size > self._max_bytes:
            raise TooLarge(f"it is larger than {self._max_bytes / 1e6:,.0f} MB")
        if not size:
            return LeftOut("document", file["id"], "it is empty")
        target = folder / "file"
        params = {"alt": "media", "supportsAllDrives": "true"}
        reply = await self._get(access, f"/drive/v3/files/{file['id']}", params, target)
        if reply.status_code == 403:
            return LeftOut("document", file["id"], "its owner does not let it be downloaded")
        if reply.status_code == 404:
            return None
        if reply.status_code != 200:
            raise Unavailable(f"Google Drive answers {reply.status_code}; it is tried again.")
        return document(file, title=file["name"], file=target)


def _id(id: str) -> str:
    """Ids stand in queries and paths."""
    if not ID.fullmatch(id):
        raise Invalid("chosen", f"is not a folder of Google Drive; give its id, or {EVERYTHING}")
    return id
