"""Mail by IMAP: the messages of chosen folders, read and never marked."""

import asyncio
import hashlib
import imaplib
import ssl
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

from remem.adapters.connectors.imap_client import (
    TLS_PORT,
    Folder,
    ImapSession,
    numbers,
    ranges,
    readable,
)
from remem.adapters.connectors.letters import plain_talk, subject_of
from remem.adapters.fetch.addresses import Guard, literal
from remem.adapters.fetch.dial import MAX_ADDRESSES, NameNotFound, look_up
from remem.core.connectors import (
    Access,
    Account,
    ChangePage,
    Field,
    Mark,
    MarkExpired,
    Provider,
    Removed,
    Resource,
    ResourcePage,
    SeenItem,
    WalkPage,
)
from remem.core.errors import Invalid, Unavailable
from remem.core.items import Item, LeftOut

PAGE = 200
SESSIONS = 4
WEEK_S = 7 * 86_400
# A message has no other version: it is there or not.
REVISION = "1"
Value = TypeVar("Value")


class ImapConnector:
    """A message is named by its folder, that folder's UIDVALIDITY and its UID. The mark has the
    numbers that were there, so that those that are gone are known without a walk."""

    def __init__(
        self,
        allow_private: Sequence[str],
        max_bytes: int = 100_000_000,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self._guard = Guard(allow_private)
        self._max_bytes = max_bytes
        self._tls = tls
        self._sessions: dict[str, ImapSession] = {}
        self._lock = asyncio.Lock()

    provider = Provider(
        title="Mail (IMAP)",
        about="Messages of the folders or labels you choose.",
        help="Your provider's IMAP server, your address, and an app password: for Gmail make one at"
        " myaccount.google.com/apppasswords and use imap.gmail.com.",
        fields=(
            Field("host", "the IMAP server of your mail", example="imap.gmail.com"),
            Field("user", "your mail address", example="ada@example.org"),
            Field("password", "an app password", is_secret=True),
        ),
        choice="folders or labels, such as INBOX",
        walk_every_s=WEEK_S,
        index_only=True,
    )

    async def account(self, access: Access) -> Account:
        await self._with(access, lambda session: session.folders())
        host, user = str(access.settings["host"]), str(access.settings["user"])
        return Account(f"{user.lower()} at {host.lower()}", user)

    async def resources(self, access: Access, under: str | None, at: str | None) -> ResourcePage:
        names = await self._with(access, lambda session: session.folders())
        return ResourcePage(tuple(Resource(name, readable(name)) for name in names))

    async def begin(self, access: Access) -> Mark:
        mark: dict[str, Any] = {}
        for name in access.chosen:
            folder = await self._examine(access, name)
            if folder is None:
                raise Invalid("chosen", f"there is no folder {readable(name)}; choose another one")
            mark[name] = {"validity": folder.validity, "uids": ranges(folder.uids)}
        return mark

    async def walk(self, access: Access, at: Mark | None) -> WalkPage:
        """From the newest message to the oldest, folder by folder."""
        at = at or {"place": 0, "below": None, "validity": None}
        if at["place"] >= len(access.chosen):
            return WalkPage((), None)
        name = access.chosen[at["place"]]
        folder = await self._examine(access, name)
        following: Mark = {"place": at["place"] + 1, "below": None, "validity": None}
        if folder is None:
            return WalkPage((), following)
        below = at["below"] if at["validity"] == folder.validity else None
        left = [uid for uid in folder.uids if below is None or uid < below]
        page = left[-PAGE:]
        if len(left) > PAGE:
            following = {"place": at["place"], "below": page[0], "validity": folder.validity}
        elif following["place"] >= len(access.chosen):
            following = None
        return WalkPage(tuple(_seen(name, folder.validity, uid) for uid in page), following)

    async def changes(self, access: Access, mark: Mark) -> ChangePage:
        changes: list[SeenItem | Removed] = []
        fresh = dict(mark)
        is_last = True
        for name in access.chosen:
            folder, known = await self._examine(access, name), mark.get(name)
            if folder is None or known is None or folder.validity != known["validity"]:
                raise MarkExpired
            before, current = set(numbers(known["uids"])), set(folder.uids)
            gone, new = before - current, sorted(current - before)[:PAGE]
            changes += [Removed(_reference(name, folder.validity, uid)) for uid in sorted(gone)]
            changes += [_seen(name, folder.validity, uid) for uid in new]
            kept = (before - gone) | set(new)
            is_last = is_last and kept == current
            fresh[name] = {"validity": folder.validity, "uids": ranges(kept)}
        return ChangePage(tuple(changes), fresh, is_last=is_last)

    async def read(self, access: Access, seen: SeenItem, folder: Path) -> Item | LeftOut | None:
        name, validity, uid = seen.reference.rsplit("/", 2)
        found = await self._with(
            access,
            lambda session: session.letter(name, int(validity), int(uid), self._max_bytes),
        )
        if found is None:
            return None
        if isinstance(found, int):
            reason = f"it is larger than {self._max_bytes / 1e6:,.0f} MB"
            return LeftOut("document", seen.reference, reason)
        if not found.data.strip():
            return LeftOut("document", seen.reference, "it is empty")
        plain = await asyncio.to_thread(plain_talk, found.data)
        if plain:
            return replace(
                plain,
                reference=seen.reference,
                created_at=_received(found.received),
                metadata={"folder": readable(name)},
            )
        file = folder / "message.eml"
        await asyncio.to_thread(file.write_bytes, found.data)
        return Item(
            kind="document",
            reference=seen.reference,
            title=f"{subject_of(found.data)}.eml",
            file=file,
            created_at=_received(found.received),
            metadata={"folder": readable(name)},
        )

    async def close(self) -> None:
        for session in self._sessions.values():
            await asyncio.to_thread(session.close)
        self._sessions.clear()

    async def _examine(self, access: Access, name: str) -> Folder | None:
        if not name.isascii() or not name.isprintable():
            raise Invalid("chosen", "is not the name of a folder; choose one that is listed")
        return await self._with(access, lambda session: session.examine(name))

    async def _with(self, access: Access, call: Callable[[ImapSession], Value]) -> Value:
        """One session at a time; one that was closed meanwhile is opened again, once."""
        key = _key(access)
        async with self._lock:
            for is_last in (False, True):
                session = self._sessions.get(key) or await self._open(access)
                self._sessions.pop(key, None)
                try:
                    value = await asyncio.to_thread(call, session)
                except (imaplib.IMAP4.error, OSError, EOFError) as error:
                    await asyncio.to_thread(session.close)
                    if is_last:
                        raise Unavailable(
                            "The mail server ended the connection; it is tried again."
                        ) from error
                else:
                    await self._keep(key, session)
                    return value
        raise AssertionError("the last attempt returns or raises")

    async def _keep(self, key: str, session: ImapSession) -> None:
        self._sessions[key] = session
        while len(self._sessions) > SESSIONS:
            oldest = next(iter(self._sessions))
            await asyncio.to_thread(self._sessions.pop(oldest).close)

    async def _open(self, access: Access) -> ImapSession:
        host, port = _place(str(access.settings.get("host", "")))
        try:
            found = [host] if literal(host) else await look_up(host, port)
        except NameNotFound as error:
            raise Invalid("host", "there is no such server; check its name") from error
        addresses = self._guard.check(host, found)[:MAX_ADDRESSES]
        user, password = str(access.settings.get("user", "")), access.credential.get("password", "")
        if any(ord(char) < 32 for char in user):
            raise Invalid("user", "is not a mail address; check it")
        tls = self._tls or await asyncio.to_thread(ssl.create_default_context)
        return await asyncio.to_thread(
            ImapSession.open, (host, port), addresses, tls, user, password
        )


def _key(access: Access) -> str:
    said = [str(access.settings.get("host")), str(access.settings.get("user"))]
    return hashlib.sha256("\n".join([*said, *access.credential.values()]).encode()).hexdigest()


def _place(host: str) -> tuple[str, int]:
    name, _, port = host.strip().lower().removeprefix("imaps://").rstrip("/").partition(":")
    if not name or (port and not (port.isascii() and port.isdigit() and int(port) < 65_536)):
        raise Invalid("host", "is not a server; give its name, such as imap.example.org")
    return name, int(port or TLS_PORT)


def _reference(folder: str, validity: int, uid: int) -> str:
    return f"{folder}/{validity}/{uid}"


def _seen(folder: str, validity: int, uid: int) -> SeenItem:
    return SeenItem(
        _reference(folder, validity, uid), REVISION, path=f"{readable(folder)}, message {uid}"
    )


def _received(date: str) -> datetime | None:
    try:
        return datetime.strptime(date.strip(), "%d-%b-%Y %H:%M:%S %z")
    except ValueError:
        return None
