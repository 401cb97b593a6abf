"""Mail by IMAP: the conversations of chosen folders, read and never marked."""

import asyncio
import hashlib
import ssl
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import astuple
from functools import partial
from pathlib import Path
from typing import TypeVar

from remem.adapters.connectors.mail.client import Folder, ImapSession
from remem.adapters.connectors.mail.dial import TLS_PORT, Login
from remem.adapters.connectors.mail.letters import Letter
from remem.adapters.connectors.mail.listing import MESSAGES, Listing, listing_of, members_of
from remem.adapters.connectors.mail.mark import Box, floors_of, is_same, items_of, mark_of
from remem.adapters.connectors.mail.names import readable
from remem.adapters.connectors.mail.pool import SessionPool
from remem.adapters.connectors.mail.threads import Head, Place
from remem.adapters.connectors.mail.turns import NO_TEXT, content_of, safe_name, talk_of
from remem.adapters.fetch.addresses import Guard, literal
from remem.adapters.fetch.dial import MAX_ADDRESSES, NameNotFound, look_up
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
from remem.core.errors import Invalid
from remem.core.items import Item, LeftOut

PAGE = 200
# Messages whose headers are asked for at once; fewer where their parts are listed too.
BATCH, PARTS_BATCH = 300, 25
HEADS_KEPT = 200_000
WEEK_S = 7 * 86_400
ATTACHMENTS = Field(
    "attachments", "yes, to keep attachments as documents", is_required=False, example="no"
)
Value = TypeVar("Value")


class ImapConnector:
    """A message is named by its folder, that folder's UIDVALIDITY and its UID; a conversation by
    its first message, and an attachment by the number of its part. The mark has what was there, so
    that what is gone is known without a walk."""

    def __init__(
        self,
        allow_private: Sequence[str],
        max_bytes: int = 100_000_000,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self._guard = Guard(allow_private)
        self._max_bytes = max_bytes
        # Packed for the way, a file is a third larger, and more with its line breaks.
        self._packed_bytes = max_bytes * 3 // 2
        self._tls = tls
        self._pool = SessionPool()
        self._heads: dict[str, dict[int, Head]] = {}

    provider = Provider(
        title="Mail (IMAP)",
        about="Conversations in the folders or labels you choose.",
        help="Your provider's IMAP server, your address, and an app password: for Gmail make one at"
        " myaccount.google.com/apppasswords and use imap.gmail.com.",
        fields=(
            Field("host", "the IMAP server of your mail", example="imap.gmail.com"),
            Field("user", "your mail address", example="ada@example.org"),
            Field("password", "an app password", is_secret=True),
            ATTACHMENTS,
        ),
        choice="folders or labels, such as INBOX",
        walk_every_s=WEEK_S,
        index_only=True,
    )

    async def account(self, access: Access) -> Account:
        wants_attachments(access)
        await self._with(access, lambda session: session.folders())
        host, user = self._host(access), self._login(access).user
        return Account(f"{user.lower()} at {host.lower()}", user)

    async def resources(self, access: Access, under: str | None, at: str | None) -> ResourcePage:
        names = await self._with(access, lambda session: session.folders())
        return ResourcePage(tuple(Resource(name, readable(name)) for name in names))

    async def begin(self, access: Access) -> Mark:
        listing = await self._listing(access, {})
        for name in access.chosen:
            if name not in listing.boxes:
                raise Invalid("chosen", f"there is no folder {readable(name)}; choose another one")
        return mark_of(listing.boxes, _revisions(listing.items.values()))

    async def walk(self, access: Access, at: Mark | None) -> WalkPage:
        """From the newest conversation to the oldest. One that gets a message meanwhile stays in
        its place, since that is by its first one."""
        listing = await self._listing(access, {})
        places = sorted(((place, name) for name, place in listing.order.items()), reverse=True)
        below = (Place(*at["place"]), at["reference"]) if at else None
        left = [one for one in places if below is None or one < below]
        seen = tuple(listing.items[name] for _, name in left[:PAGE])
        if len(left) <= PAGE:
            return WalkPage(seen, None, is_complete=listing.is_complete)
        place, reference = left[PAGE - 1]
        return WalkPage(seen, {"place": list(astuple(place)), "reference": reference})

    async def changes(self, access: Access, mark: Mark) -> ChangePage:
        floors = floors_of(mark)
        boxes = (await self._boxes(access, floors))[0]
        if len(boxes) < len(access.chosen):
            raise MarkExpired
        if is_same(mark, boxes):
            return ChangePage((), mark)
        listing = await self._listing(access, floors)
        before, current = items_of(mark), listing.items
        gone = [name for name in before if name not in current]
        fresh = [one for one in current.values() if before.get(one.reference) != one.revision]
        known = {name: before[name] for name in before if name in current}
        known |= _revisions(fresh[:PAGE])
        is_last = len(fresh) <= PAGE
        return ChangePage(
            (*(Removed(name) for name in gone), *fresh[:PAGE]),
            mark_of(listing.boxes, known, is_whole=is_last),
            is_last=is_last,
        )

    async def read(self, access: Access, seen: SeenItem, folder: Path) -> Item | LeftOut | None:
        if "#" in seen.reference.rpartition("/")[2]:
            return await self._attachment(access, seen, folder)
        letters: list[Letter] = []
        for name, validity, uids in members_of(seen):
            letters += await self._with(
                access, partial(_letters, folder=name, validity=validity, uids=uids)
            )
        if not letters:
            return None
        talk = await asyncio.to_thread(talk_of, letters)
        if not talk.turns:
            return LeftOut("document", seen.reference, talk.reasons[0] if talk.reasons else NO_TEXT)
        return Item(
            kind="talk",
            reference=seen.reference,
            title=talk.title,
            turns=talk.turns,
            created_at=talk.turns[0].at,
            metadata={
                "folder": readable(members_of(seen)[0][0]),
                "people": list(talk.people),
                "messages": len(letters),
            },
        )

    async def _attachment(
        self, access: Access, seen: SeenItem, folder: Path
    ) -> Item | LeftOut | None:
        place, _, number = seen.reference.rpartition("#")
        name, validity, uid = place.rsplit("/", 2)
        message, most = (name, int(validity), int(uid)), self._packed_bytes
        found = await self._with(access, lambda session: session.attachment(message, number, most))
        if found is None:
            return None
        content = await asyncio.to_thread(content_of, found.data)
        if len(content) > self._max_bytes:
            reason = f"it is larger than {self._max_bytes / 1e6:,.0f} MB"
            return LeftOut("document", seen.reference, reason)
        if not content.strip():
            return LeftOut("document", seen.reference, "it is empty")
        file = folder / "attachment"
        await asyncio.to_thread(file.write_bytes, content)
        return Item(
            kind="document",
            reference=seen.reference,
            title=safe_name(found.part),
            file=file,
            created_at=found.received,
            metadata={"folder": readable(name)},
        )

    async def close(self) -> None:
        await self._pool.close()

    async def _listing(self, access: Access, floors: Mapping[str, int]) -> Listing:
        boxes, left_out = await self._boxes(access, floors)
        heads = {name: await self._heads_of(access, name, box) for name, box in boxes.items()}
        most = self._max_bytes
        return await asyncio.to_thread(listing_of, boxes, heads, left_out, most)

    async def _boxes(
        self, access: Access, floors: Mapping[str, int]
    ) -> tuple[dict[str, Box], dict[str, int]]:
        """The chosen folders that are there, and how many messages of each are too old."""
        boxes: dict[str, Box] = {}
        left_out: dict[str, int] = {}
        for name in access.chosen:
            found = await self._examine(access, name)
            if found is None:
                continue
            newest = found.uids[-MESSAGES:]
            floor = floors.get(name, newest[0] if len(found.uids) > MESSAGES else 0)
            uids = tuple(uid for uid in found.uids if uid >= floor)
            boxes[name] = Box(found.validity, uids, floor)
            if len(found.uids) > len(uids):
                left_out[name] = len(found.uids) - len(uids)
        return boxes, left_out

    async def _heads_of(self, access: Access, name: str, box: Box) -> dict[int, Head]:
        """Those that are known since the last time are not asked for again."""
        is_wanted = wants_attachments(access)
        account = f"{self._host(access)} {self._login(access).user}"
        key = f"{account} {is_wanted} {name}/{box.validity}"
        former = self._heads.pop(key, {})
        known = {uid: former[uid] for uid in box.uids if uid in former}
        missing = [uid for uid in box.uids if uid not in known]
        size = PARTS_BATCH if is_wanted else BATCH
        for at in range(0, len(missing), size):
            ask = partial(
                _heads,
                folder=name,
                validity=box.validity,
                uids=missing[at : at + size],
                with_parts=is_wanted,
            )
            known |= {head.uid: head for head in await self._with(access, ask)}
        self._heads[key] = known
        while sum(map(len, self._heads.values())) > HEADS_KEPT and len(self._heads) > 1:
            del self._heads[next(iter(self._heads))]
        # A message that is gone in between is noticed when it is read.
        return {uid: known.get(uid) or Head(uid, 0) for uid in box.uids}

    async def _examine(self, access: Access, name: str) -> Folder | None:
        if not name.isascii() or not name.isprintable():
            raise Invalid("chosen", "is not the name of a folder; choose one that is listed")
        return await self._with(access, lambda session: session.examine(name))

    async def _with(self, access: Access, call: Callable[[ImapSession], Value]) -> Value:
        return await self._pool.use(_key(access), lambda: self._open(access), call)

    async def _open(self, access: Access) -> ImapSession:
        host, port = _place(self._host(access))
        try:
            found = [host] if literal(host) else await look_up(host, port)
        except NameNotFound as error:
            raise Invalid("host", "there is no such server; check its name") from error
        addresses = self._guard.check(host, found)[:MAX_ADDRESSES]
        tls = self._tls or await asyncio.to_thread(ssl.create_default_context)
        login = self._login(access)
        return await asyncio.to_thread(ImapSession.open, (host, port), addresses, tls, login)

    def _host(self, access: Access) -> str:
        return str(access.settings.get("host", ""))

    def _login(self, access: Access) -> Login:
        user = str(access.settings.get("user", ""))
        if any(ord(char) < 32 for char in user):
            raise Invalid("user", "is not a mail address; check it")
        return Login(user, password=access.credential.get("password", ""))


def _heads(
    session: ImapSession, *, folder: str, validity: int, uids: list[int], with_parts: bool
) -> list[Head]:
    return session.heads(folder, validity, uids, with_parts=with_parts)


def _letters(session: ImapSession, *, folder: str, validity: int, uids: list[int]) -> list[Letter]:
    return session.letters(folder, validity, uids)


def wants_attachments(access: Access) -> bool:
    said = str(access.settings.get("attachments", "no")).strip().lower()
    if said not in ("yes", "no"):
        raise Invalid("attachments", "is neither yes nor no; give one of them")
    return said == "yes"


def _revisions(items: Iterable[SeenItem]) -> dict[str, str]:
    return {one.reference: one.revision for one in items}


def _key(access: Access) -> str:
    said = [str(access.settings.get("host")), str(access.settings.get("user"))]
    return hashlib.sha256("\n".join([*said, *access.credential.values()]).encode()).hexdigest()


def _place(host: str) -> tuple[str, int]:
    name, _, port = host.strip().lower().removeprefix("imaps://").rstrip("/").partition(":")
    if not name or (port and not (port.isascii() and port.isdigit() and int(port) < 65_536)):
        raise Invalid("host", "is not a server; give its name, such as imap.example.org")
    return name, int(port or TLS_PORT)
