"""Google Drive: documents as markdown, sheets and slides as Office files, other files as is."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from remem.adapters.connectors.google_drive.api import EVERYTHING, DriveApi, checked_id
from remem.adapters.connectors.google_drive.files import (
    DOCUMENT,
    EXPORTS,
    FOLDER,
    GOOGLE,
    SHORTCUT,
    TEXT_CHARS,
    document,
    seen_file,
    without_pictures,
)
from remem.adapters.connectors.http import StaleCursor
from remem.adapters.connectors.parents import ParentCache, is_below
from remem.adapters.connectors.sign_in import google_app, with_client
from remem.core.connectors.errors import MarkExpired
from remem.core.connectors.model import (
    Access,
    Account,
    ChangePage,
    Mark,
    Removed,
    Resource,
    ResourcePage,
    SeenItem,
    WalkPage,
)
from remem.core.connectors.provider import Field, Provider
from remem.core.errors import Invalid, TooLarge, Unavailable
from remem.core.items import Item, LeftOut

SCOPE = "https://www.googleapis.com/auth/drive.readonly"
FOLDERS_LIMIT = 10_000
WEEK_S = 7 * 86_400


class GoogleDriveConnector:
    """Files that a person or service account can see: all, or those below chosen folders."""

    def __init__(
        self,
        urls: Mapping[str, str],
        max_bytes: int = 100_000_000,
        client_id: str | None = None,
        client_secret: str | None = None,
        **options: Any,
    ) -> None:
        self._api = DriveApi(urls, max_bytes, **options)
        offered = replace(self.provider, oauth=google_app(urls, SCOPE))
        self.provider = with_client(offered, client_id, client_secret)
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
        about = await self._api.json(access, "/drive/v3/about", {"fields": "user"})
        email = str(about["user"]["emailAddress"])
        return Account(email, email)

    async def resources(self, access: Access, under: str | None, at: str | None) -> ResourcePage:
        # A service account has no files of its own; a person who signed in does.
        top = "(sharedWithMe = true or 'root' in parents)"
        within = f"'{checked_id(under)}' in parents" if under else top
        query = f"mimeType = '{FOLDER}' and trashed = false and {within}"
        listing = await self._api.files(access, query, at)
        folders = [
            Resource(folder["id"], folder["name"], has_children=True) for folder in listing["files"]
        ]
        if not under and not at:
            folders.insert(0, Resource(EVERYTHING, "Everything that can be seen"))
        return ResourcePage(tuple(folders), listing.get("nextPageToken"))

    async def begin(self, access: Access) -> Mark:
        self._parents.forget(access)
        for id in access.chosen:
            checked_id(id)
        params = {"supportsAllDrives": "true"}
        reply = await self._api.json(access, "/drive/v3/changes/startPageToken", params)
        return {"token": reply["startPageToken"]}

    async def walk(self, access: Access, at: Mark | None) -> WalkPage:
        """List folder by folder, or everything in one list. When Google no longer accepts a page
        token, that list is read again from the start, once; repeated files do no harm."""
        at = at or {"folders": list(access.chosen), "page": None, "count": 0}
        try:
            if EVERYTHING in access.chosen:
                listing = await self._api.files(access, "trashed = false", at["page"])
                files, next_token = listing["files"], listing.get("nextPageToken")
                next_mark = {**at, "page": next_token} if next_token else None
            else:
                files, next_mark = await self._folder_page(access, at, "trashed = false")
        except StaleCursor as error:
            if at.get("is_second"):
                raise Unavailable("Google Drive loses the place in a list.") from error
            return WalkPage((), {**at, "page": None, "is_second": True})
        return WalkPage(tuple(await self._entries(access, files)), next_mark)

    async def changes(self, access: Access, mark: Mark) -> ChangePage:
        """Return the changes, then the contents of changed folders: when a folder is moved, the
        list does not report the items below it."""
        if mark.get("at"):
            return await self._folder_changes(access, mark)
        listing = await self._api.changes(access, mark["token"])
        changes, folders = await self._changed_entries(access, listing.get("changes", []))
        new_mark = {"token": listing.get("newStartPageToken") or listing.get("nextPageToken")}
        if new_mark["token"] is None:
            raise Unavailable("Google Drive gave no mark to go on from; it is tried again.")
        if folders:
            new_mark["at"] = {"folders": folders, "page": None, "count": 0}
        is_last = not folders and "newStartPageToken" in listing
        return ChangePage(tuple(changes), new_mark, is_last=is_last)

    async def read(self, access: Access, seen: SeenItem, folder: Path) -> Item | LeftOut | None:
        file = await self._api.file(access, seen.reference, missing=(404,))
        if file is not None and file["mimeType"] == SHORTCUT:
            file = await self._api.target(access, file)
        if file is None or file.get("trashed"):
            return None
        kind = file["mimeType"]
        if kind in EXPORTS:
            return await export_file(self._api, access, file, folder)
        if kind.startswith(GOOGLE):
            google_type = kind.removeprefix(GOOGLE)
            return LeftOut(
                "document", seen.reference, f"a Google {google_type} has no text to export"
            )
        return await download_file(self._api, access, file, folder)

    async def close(self) -> None:
        await self._api.close()

    async def _folder_page(
        self, access: Access, at: Mark, only: str
    ) -> tuple[list[dict[str, Any]], Mark | None]:
        """Return a page of the first pending folder, and the mark to continue from."""
        folder, *others = at["folders"]
        within = f"'{checked_id(folder)}' in parents"
        query = f"{within} and {only}" if only else within
        listing = await self._api.files(access, query, at["page"])
        subfolders = [file["id"] for file in listing["files"] if file["mimeType"] == FOLDER]
        count = at["count"] + len(subfolders)
        if count > FOLDERS_LIMIT:
            raise Invalid("chosen", f"has more than {FOLDERS_LIMIT:,} folders; choose less")
        next_token = listing.get("nextPageToken")
        waiting = list(dict.fromkeys([*([folder] if next_token else []), *others, *subfolders]))
        second_pass = {"is_second": True} if next_token and at.get("is_second") else {}
        next_mark = {"folders": waiting, "page": next_token, "count": count, **second_pass}
        return listing["files"], next_mark if waiting else None

    async def _entries(self, access: Access, files: list[dict[str, Any]]) -> list[SeenItem]:
        seen: list[SeenItem] = []
        for file in files:
            self._cache_parent(access, file)
            if file["mimeType"] == SHORTCUT:
                target = await self._api.target(access, file)
                seen += [seen_file(target, file["id"])] if target else []
            elif file["mimeType"] != FOLDER:
                seen.append(seen_file(file))
        return seen

    # Changes

    async def _changed_entries(
        self, access: Access, changes: list[dict[str, Any]]
    ) -> tuple[list[SeenItem | Removed], list[str]]:
        entries: list[SeenItem | Removed] = []
        folders: list[str] = []
        for change in changes:
            file = change.get("file") or {}
            if change.get("changeType", "file") != "file" or not change.get("fileId"):
                continue
            self._cache_parent(access, {"id": change["fileId"], **file})
            if file.get("mimeType") == FOLDER:
                folders.append(change["fileId"])
            is_gone = change.get("removed") or file.get("trashed")
            if is_gone or not await self._is_chosen(access, file):
                entries.append(Removed(change["fileId"]))
            else:
                entries += await self._entries(access, [file])
        return entries, folders if EVERYTHING not in access.chosen else []

    async def _folder_changes(self, access: Access, mark: Mark) -> ChangePage:
        try:
            files, next_mark = await self._folder_page(access, mark["at"], "")
        except StaleCursor as error:
            raise MarkExpired from error
        entries: list[SeenItem | Removed] = []
        for file in files:
            self._cache_parent(access, file)
            if file.get("trashed") or not await self._is_chosen(access, file):
                entries.append(Removed(file["id"]))
            else:
                entries += await self._entries(access, [file])
        new_mark = {"token": mark["token"], **({"at": next_mark} if next_mark else {})}
        return ChangePage(tuple(entries), new_mark, is_last=False)

    async def _is_chosen(self, access: Access, file: Mapping[str, Any]) -> bool:
        if EVERYTHING in access.chosen:
            return True
        parent_of = partial(self._parent, access)
        return await is_below(file["id"], lambda id: id in access.chosen, parent_of)

    async def _parent(self, access: Access, id: str) -> str | None:
        if not self._parents.knows(access, id):
            file = await self._api.file(access, id, "id,parents,trashed")
            self._cache_parent(access, file or {"id": id})
        return self._parents.get(access, id)

    def _cache_parent(self, access: Access, file: Mapping[str, Any]) -> None:
        self._parents.put(access, file["id"], next(iter(file.get("parents") or ()), None))


# The content of Google Drive files: Google's own types are exported, others downloaded.


async def export_file(
    api: DriveApi, access: Access, file: dict[str, Any], folder: Path
) -> Item | LeftOut | None:
    media_type, suffix = EXPORTS[file["mimeType"]]
    target = folder / f"exported{suffix}"
    path = f"/drive/v3/files/{file['id']}/export"
    reply = await api.get(access, path, {"mimeType": media_type}, target)
    if reply.status_code == 403:
        reason = "Google exports at most 10 MB of it, or it may not be exported"
        return LeftOut("document", file["id"], reason)
    if reply.status_code == 404:
        return None
    if reply.status_code != 200:
        raise Unavailable(f"Google Drive answers {reply.status_code}; it is tried again.")
    if file["mimeType"] != DOCUMENT:
        return document(file, title=f"{file['name']}{suffix}", file=target)
    text = without_pictures(target.read_bytes().decode("utf-8-sig", "replace"))
    if not text.strip():
        return LeftOut("document", file["id"], "it is empty")
    if len(text) <= TEXT_CHARS:
        return document(file, title=file["name"], content=text, content_type="markdown")
    target.write_text(text, encoding="utf-8")
    return document(file, title=f"{file['name']}.md", file=target)


async def download_file(
    api: DriveApi, access: Access, file: dict[str, Any], folder: Path
) -> Item | LeftOut | None:
    size = int(file.get("size") or 0)
    if size > api.max_bytes:
        raise TooLarge(f"it is larger than {api.max_bytes / 1e6:,.0f} MB")
    if not size:
        return LeftOut("document", file["id"], "it is empty")
    target = folder / "file"
    params = {"alt": "media", "supportsAllDrives": "true"}
    reply = await api.get(access, f"/drive/v3/files/{file['id']}", params, target)
    if reply.status_code == 403:
        return LeftOut("document", file["id"], "its owner does not let it be downloaded")
    if reply.status_code == 404:
        return None
    if reply.status_code != 200:
        raise Unavailable(f"Google Drive answers {reply.status_code}; it is tried again.")
    return document(file, title=file["name"], file=target)
