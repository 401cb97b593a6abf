"""OneDrive: files of chosen folders, read through Microsoft's delta API."""

import re
from collections.abc import Mapping
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import httpx2

from remem.adapters.connectors.http import ServiceApi
from remem.adapters.connectors.parents import ParentCache, is_below
from remem.adapters.connectors.sign_in import with_client
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
from remem.core.connectors.provider import Field, OAuthApp, Provider
from remem.core.errors import Invalid, TooLarge, Unavailable
from remem.core.items import Item, LeftOut

URL = "https://graph.microsoft.com"
SIGN_IN = "https://login.microsoftonline.com/common/oauth2/v2.0"
EVERYTHING = "everything"
PAGE = 200
WEEK_S = 7 * 86_400
ID = re.compile(r"[A-Za-z0-9!_.%-]{1,200}")
# The token of a delta link, in either of the two forms that Microsoft uses.
TOKEN = re.compile(r"[?&(]token=(?:'([^']*)'|([^&)]*))")
FOLDERS_LIMIT = 10_000
SELECT = "id,name,size,cTag,file,folder,deleted,parentReference,createdDateTime,webUrl,package,root"
TEXTS = {".md": "markdown", ".markdown": "markdown", ".txt": "text"}
TEXT_BYTES = 400_000
REFUSED = "Microsoft does not accept the sign-in any more; connect OneDrive again."


class OneDriveConnector:
    """The drive of one account: everything in it, or chosen folders with everything below them."""

    def __init__(
        self,
        urls: Mapping[str, str],
        max_bytes: int = 100_000_000,
        client_id: str | None = None,
        client_secret: str | None = None,
        **options: Any,
    ) -> None:
        self.provider = with_client(self.provider, client_id, client_secret)
        self._api = ServiceApi(urls.get("onedrive", URL), "OneDrive", REFUSED, **options)
        self._max_bytes = max_bytes
        self._parents = ParentCache[str]()

    provider = Provider(
        title="OneDrive",
        about="Files of the folders you choose.",
        help="Sign in with Microsoft, or give an access token with the permission Files.Read.",
        fields=(Field("token", "an access token with Files.Read", is_secret=True),),
        choice="folders by their ids, or everything",
        walk_every_s=WEEK_S,
        oauth=OAuthApp(
            authorize_url=f"{SIGN_IN}/authorize",
            token_url=f"{SIGN_IN}/token",
            scopes=("Files.Read", "User.Read", "offline_access"),
            device_url=f"{SIGN_IN}/devicecode",
        ),
    )

    async def account(self, access: Access) -> Account:
        drive = self._api.json(await self._get(access, "/v1.0/me/drive", {"$select": "id,owner"}))
        user = (drive.get("owner") or {}).get("user") or {}
        return Account(str(drive["id"]), str(user.get("displayName") or "OneDrive"))

    async def resources(self, access: Access, under: str | None, at: str | None) -> ResourcePage:
        listing = await self._children(access, under, at)
        folders = [
            Resource(entry["id"], str(entry.get("name")), has_children=True)
            for entry in listing["value"]
            if _has_facet(entry, "folder")
        ]
        if not under and not at:
            folders.insert(0, Resource(EVERYTHING, "Everything"))
        return ResourcePage(tuple(folders), _skip_token(listing))

    async def begin(self, access: Access) -> Mark:
        self._parents.forget(access)
        for id in access.chosen:
            _checked_id(id)
        listing = await self._delta(access, "latest")
        return {"token": _link_token(listing, "@odata.deltaLink")}

    async def walk(self, access: Access, at: Mark | None) -> WalkPage:
        """List everything, by reading the list of changes from its beginning."""
        try:
            listing = await self._delta(access, at["token"] if at else None)
        except MarkExpired:
            if at is None or at.get("is_second"):
                raise Unavailable("OneDrive loses the place in its list.") from None
            return WalkPage((), {"token": None, "is_second": True})
        changes, _ = await self._entries(access, listing["value"])
        seen = tuple(change for change in changes if isinstance(change, SeenItem))
        if "@odata.nextLink" not in listing:
            return WalkPage(seen, None)
        second_pass = {"is_second": True} if at and at.get("is_second") else {}
        return WalkPage(seen, {"token": _link_token(listing, "@odata.nextLink"), **second_pass})

    async def changes(self, access: Access, mark: Mark) -> ChangePage:
        """Return the changes, then the contents of changed folders: when a folder is moved, the
        list does not report the items below it."""
        if mark.get("folders"):
            return await self._folder_changes(access, mark)
        listing = await self._delta(access, mark["token"])
        changes, folders = await self._entries(access, listing["value"])
        is_last = "@odata.deltaLink" in listing
        token = _link_token(listing, "@odata.deltaLink" if is_last else "@odata.nextLink")
        new_mark: dict[str, Any] = {"token": token}
        if folders and EVERYTHING not in access.chosen:
            new_mark |= {"folders": folders, "count": 0}
            is_last = False
        return ChangePage(tuple(changes), new_mark, is_last=is_last)

    async def read(self, access: Access, seen: SeenItem, folder: Path) -> Item | LeftOut | None:
        path = f"/v1.0/me/drive/items/{_checked_id(seen.reference)}"
        reply = await self._get(access, path, {"$select": SELECT})
        if reply.status_code == 404:
            return None
        entry = self._api.json(reply)
        size = int(entry.get("size") or 0)
        if size > self._max_bytes:
            raise TooLarge(f"it is larger than {self._max_bytes / 1e6:,.0f} MB")
        if not size:
            return LeftOut("document", seen.reference, "it is empty")
        target = folder / "file"
        headers = _headers(access)
        reply = await self._api.download(f"{path}/content", headers, None, target, self._max_bytes)
        if reply.status_code == 404:
            return None
        if reply.status_code != 200:
            raise Unavailable(f"OneDrive answers {reply.status_code}; it is tried again.")
        return _item(entry, target)

    async def close(self) -> None:
        await self._api.close()

    # Requests

    async def _get(self, access: Access, path: str, params: Mapping[str, Any]) -> httpx2.Response:
        return await self._api.get(path, _headers(access), params)

    async def _delta(self, access: Access, token: str | None) -> dict[str, Any]:
        """Read a page of changes. Only the token of a link in a reply is used, never its URL."""
        params = {"$select": SELECT, "$top": str(PAGE), **({"token": token} if token else {})}
        reply = await self._get(access, "/v1.0/me/drive/root/delta", params)
        if reply.status_code in (400, 404, 410) and token:
            raise MarkExpired
        return self._api.json(reply)

    async def _children(self, access: Access, under: str | None, at: str | None) -> dict[str, Any]:
        parent = f"items/{_checked_id(under)}" if under else "root"
        params = {"$select": SELECT, "$top": str(PAGE), **({"$skiptoken": at} if at else {})}
        reply = await self._get(access, f"/v1.0/me/drive/{parent}/children", params)
        return {"value": []} if reply.status_code == 404 else self._api.json(reply)

    # Which entries are below a chosen folder

    async def _entries(
        self, access: Access, entries: list[dict[str, Any]]
    ) -> tuple[list[SeenItem | Removed], list[str]]:
        """Return the state of each file, and the ids of the folders. For a file that is listed
        twice, its last state counts."""
        for entry in entries:
            self._cache_parent(access, entry)
        changes: dict[str, SeenItem | Removed] = {}
        folders: list[str] = []
        for entry in entries:
            if _has_facet(entry, "deleted"):
                changes[entry["id"]] = Removed(entry["id"])
            elif _has_facet(entry, "folder") or _has_facet(entry, "root"):
                folders += [] if _has_facet(entry, "root") else [entry["id"]]
            elif not await self._is_chosen(access, entry["id"]):
                changes[entry["id"]] = Removed(entry["id"])
            elif _has_facet(entry, "file"):
                changes[entry["id"]] = _seen_item(entry)
        return list(changes.values()), folders

    async def _folder_changes(self, access: Access, mark: Mark) -> ChangePage:
        folder, *others = mark["folders"]
        listing = await self._children(access, folder, mark.get("skip"))
        changes, subfolders = await self._entries(access, listing["value"])
        next_token = _skip_token(listing)
        waiting = list(dict.fromkeys([*([folder] if next_token else []), *others, *subfolders]))
        count = mark["count"] + len(subfolders)
        if count > FOLDERS_LIMIT:
            raise MarkExpired
        more = {"folders": waiting, "count": count, **({"skip": next_token} if next_token else {})}
        new_mark = {"token": mark["token"], **(more if waiting else {})}
        return ChangePage(tuple(changes), new_mark, is_last=False)

    async def _is_chosen(self, access: Access, id: str) -> bool:
        if EVERYTHING in access.chosen:
            return True
        parent_of = partial(self._parent, access)
        return await is_below(id, lambda folder: folder in access.chosen, parent_of)

    async def _parent(self, access: Access, id: str) -> str | None:
        if not self._parents.knows(access, id):
            params = {"$select": "id,parentReference"}
            reply = await self._get(access, f"/v1.0/me/drive/items/{_checked_id(id)}", params)
            is_visible = reply.status_code not in (403, 404)
            self._cache_parent(access, self._api.json(reply) if is_visible else {"id": id})
        return self._parents.get(access, id)

    def _cache_parent(self, access: Access, entry: Mapping[str, Any]) -> None:
        self._parents.put(access, entry["id"], (entry.get("parentReference") or {}).get("id"))


def _headers(access: Access) -> dict[str, str]:
    token = access.credential.get("token", "")
    return {"Authorization": f"Bearer {token}", "User-Agent": "remem"}


def _checked_id(id: str) -> str:
    """Return a valid id; others are refused, because ids become part of URL paths."""
    if not ID.fullmatch(id) or set(id) <= {"."}:
        raise Invalid("chosen", f"is not a folder of OneDrive; give its id, or {EVERYTHING}")
    return id


def _has_facet(entry: Mapping[str, Any], facet: str) -> bool:
    """Whether an entry has a facet. Its presence is what counts, even when it is empty."""
    return entry.get(facet) is not None


def _link_token(listing: Mapping[str, Any], link: str) -> str:
    match = TOKEN.search(str(listing.get(link, "")))
    token = (match[1] or match[2]) if match else None
    if not token:
        raise Unavailable("OneDrive gave no mark to go on from; it is tried again.")
    return unquote(token)


def _skip_token(listing: Mapping[str, Any]) -> str | None:
    match = re.search(r"[?&]\$skiptoken=([^&]*)", unquote(str(listing.get("@odata.nextLink", ""))))
    return match[1] if match else None


def _seen_item(entry: Mapping[str, Any]) -> SeenItem:
    # The cTag changes with the content, but not when a file is renamed or moved.
    revision = str(entry.get("cTag") or entry.get("eTag") or entry.get("size"))
    return SeenItem(entry["id"], revision, path=str(entry.get("name")))


def _item(entry: Mapping[str, Any], target: Path) -> Item:
    name = str(entry.get("name") or "file")
    created = entry.get("createdDateTime")
    common: dict[str, Any] = {
        "kind": "document",
        "reference": entry["id"],
        "title": name,
        "url": entry.get("webUrl"),
        "created_at": datetime.fromisoformat(created) if created else None,
    }
    kind = next((TEXTS[suffix] for suffix in TEXTS if name.lower().endswith(suffix)), None)
    if kind and target.stat().st_size <= TEXT_BYTES:
        text = target.read_bytes().decode("utf-8-sig", "replace")
        return Item(**common, content=text, content_type=kind)
    return Item(**common, file=target)
