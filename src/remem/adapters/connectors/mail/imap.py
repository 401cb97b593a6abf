"""Mail by IMAP: the conversations of chosen folders; nothing is marked as read."""

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
from remem.adapters.connectors.mail.listing import MESSAGES, Listing, build_listing, message_groups
from remem.adapters.connectors.mail.mark import (
    Box,
    build_mark,
    is_unchanged,
    mark_floors,
    mark_items,
)
from remem.adapters.connectors.mail.messages import MailMessage
from remem.adapters.connectors.mail.names import decode_folder_name
from remem.adapters.connectors.mail.pool import SessionPool
from remem.adapters.connectors.mail.threads import Head, MessagePlace
from remem.adapters.connectors.mail.turns import NO_TEXT, build_talk, decode_content, safe_name
from remem.adapters.fetch.addresses import Guard, parse_ip
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
# Messages whose headers are fetched at once; fewer when their parts are listed too.
BATCH, PARTS_BATCH = 300, 25
MAX_CACHED_HEADS = 200_000
WEEK_S = 7 * 86_400
ATTACHMENTS = Field(
    "attachments", "yes, to keep attachments as documents", is_required=False, example="no"
)
Value = TypeVar("Value")


class ImapConnector:
    """A message is identified by its folder, the folder's UIDVALIDITY and its UID, a conversation
    by its first message, and an attachment by the number of its part. The mark stores what exists,
    so that removals are noticed without a walk."""

    def __init__(
        self,
        allow_private: Sequence[str],
        max_bytes: int = 100_000_000,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self._guard = Guard(allow_private)
        self._max_bytes = max_bytes
        # Encoded for transfer, a file is a third larger, and more with its line breaks.
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
        await self._with_session(access, lambda session: session.folders())
        host, user = self._host(access), self._login(access).user
        return Account(f"{user.lower()} at {host.lower()}", user)

    async def resources(self, access: Access, under: str | None, at: str | None) -> ResourcePage:
        names = await self._with_session(access, lambda session: session.folders())
        return ResourcePage(tuple(Resource(name, decode_folder_name(name)) for name in names))

    async def begin(self, access: Access) -> Mark:
        listing = await self._listing(access, {})
        for name in access.chosen:
            if name not in listing.boxes:
                raise Invalid(
                    "chosen", f"there is no folder {decode_folder_name(name)}; choose another one"
                )
        return build_mark(listing.boxes, _revisions(listing.items.values()))

    async def walk(self, access: Access, at: Mark | None) -> WalkPage:
        """List conversations from the newest to the oldest. One that gets a message meanwhile keeps
        its place, because its first message decides the order."""
        listing = await self._listing(access, {})
        ordered = sorted(((place, name) for name, place in listing.order.items()), reverse=True)
        last = (MessagePlace(*at["place"]), at["reference"]) if at else None
        remaining = [item for item in ordered if last is None or item < last]
        seen = tuple(listing.items[name] for _, name in remaining[:PAGE])
        if len(remaining) <= PAGE:
            return WalkPage(seen, None, is_complete=listing.is_complete)
        place, reference = remaining[PAGE - 1]
        return WalkPage(seen, {"place": list(astuple(place)), "reference": reference})

    async def changes(self, access: Access, mark: Mark) -> ChangePage:
        floors = mark_floors(mark)
        boxes = (await self._boxes(access, floors))[0]
        if len(boxes) < len(access.chosen):
            raise MarkExpired
        if is_unchanged(mark, boxes):
            return ChangePage((), mark)
        listing = await self._listing(access, floors)
        old, current = mark_items(mark), listing.items
        removed = [name for name in old if name not in current]
        changed = [item for item in current.values() if old.get(item.reference) != item.revision]
        known = {name: old[name] for name in old if name in current}
        known |= _revisions(changed[:PAGE])
        is_last = len(changed) <= PAGE
        return ChangePage(
            (*(Removed(name) for name in removed), *changed[:PAGE]),
            build_mark(listing.boxes, known, is_whole=is_last),
            is_last=is_last,
        )

    async def read(self, access: Access, seen: SeenItem, folder: Path) -> Item | LeftOut | None:
        if "#" in seen.reference.rpartition("/")[2]:
            return await self._attachment(access, seen, folder)
        messages: list[MailMessage] = []
        for name, validity, uids in message_groups(seen):
            messages += await self._with_session(
                access, partial(_fetch_messages, folder=name, validity=validity, uids=uids)
            )
        if not messages:
            return None
        talk = await asyncio.to_thread(build_talk, messages)
        if not talk.turns:
            return LeftOut("document", seen.reference, talk.reasons[0] if talk.reasons else NO_TEXT)
        return Item(
            kind="talk",
            reference=seen.reference,
            title=talk.title,
            turns=talk.turns,
            created_at=talk.turns[0].at,
            metadata={
                "folder": decode_folder_name(message_groups(seen)[0][0]),
                "people": list(talk.people),
                "messages": len(messages),
            },
        )

    async def _attachment(
        self, access: Access, seen: SeenItem, folder: Path
    ) -> Item | LeftOut | None:
        message_reference, _, number = seen.reference.rpartition("#")
        name, validity, uid = message_reference.rsplit("/", 2)
        message, max_bytes = (name, int(validity), int(uid)), self._packed_bytes
        attachment = await self._with_session(
            access, lambda session: session.attachment(message, number, max_bytes)
        )
        if attachment is None:
            return None
        content = await asyncio.to_thread(decode_content, attachment.data)
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
            title=safe_name(attachment.part),
            file=file,
            created_at=attachment.received,
            metadata={"folder": decode_folder_name(name)},
        )

    async def close(self) -> None:
        await self._pool.close()

    async def _listing(self, access: Access, floors: Mapping[str, int]) -> Listing:
        boxes, left_out = await self._boxes(access, floors)
        heads = {name: await self._folder_heads(access, name, box) for name, box in boxes.items()}
        max_bytes = self._max_bytes
        return await asyncio.to_thread(build_listing, boxes, heads, left_out, max_bytes)

    async def _boxes(
        self, access: Access, floors: Mapping[str, int]
    ) -> tuple[dict[str, Box], dict[str, int]]:
        """Return the chosen folders that exist, and how many messages of each are too old."""
        boxes: dict[str, Box] = {}
        left_out: dict[str, int] = {}
        for name in access.chosen:
            examined = await self._examine(access, name)
            if examined is None:
                continue
            newest = examined.uids[-MESSAGES:]
            floor = floors.get(name, newest[0] if len(examined.uids) > MESSAGES else 0)
            uids = tuple(uid for uid in examined.uids if uid >= floor)
            boxes[name] = Box(examined.validity, uids, floor)
            if len(examined.uids) > len(uids):
                left_out[name] = len(examined.uids) - len(uids)
        return boxes, left_out

    async def _folder_heads(self, access: Access, name: str, box: Box) -> dict[int, Head]:
        """Return the headers of a folder's messages. Cached ones are not fetched again."""
        with_attachments = wants_attachments(access)
        account = f"{self._host(access)} {self._login(access).user}"
        key = f"{account} {with_attachments} {name}/{box.validity}"
        cached = self._heads.pop(key, {})
        known = {uid: cached[uid] for uid in box.uids if uid in cached}
        missing = [uid for uid in box.uids if uid not in known]
        size = PARTS_BATCH if with_attachments else BATCH
        for start in range(0, len(missing), size):
            fetch = partial(
                _fetch_heads,
                folder=name,
                validity=box.validity,
                uids=missing[start : start + size],
                with_parts=with_attachments,
            )
            known |= {head.uid: head for head in await self._with_session(access, fetch)}
        self._heads[key] = known
        while sum(map(len, self._heads.values())) > MAX_CACHED_HEADS and len(self._heads) > 1:
            del self._heads[next(iter(self._heads))]
        # A message that was deleted meanwhile is noticed when it is read.
        return {uid: known.get(uid) or Head(uid, 0) for uid in box.uids}

    async def _examine(self, access: Access, name: str) -> Folder | None:
        if not name.isascii() or not name.isprintable():
            raise Invalid("chosen", "is not the name of a folder; choose one that is listed")
        return await self._with_session(access, lambda session: session.examine(name))

    async def _with_session(self, access: Access, call: Callable[[ImapSession], Value]) -> Value:
        return await self._pool.use(_session_key(access), lambda: self._open_session(access), call)

    async def _open_session(self, access: Access) -> ImapSession:
        host, port = _parse_server(self._host(access))
        try:
            resolved = [host] if parse_ip(host) else await look_up(host, port)
        except NameNotFound as error:
            raise Invalid("host", "there is no such server; check its name") from error
        addresses = self._guard.check(host, resolved)[:MAX_ADDRESSES]
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


def _fetch_heads(
    session: ImapSession, *, folder: str, validity: int, uids: list[int], with_parts: bool
) -> list[Head]:
    return session.heads(folder, validity, uids, with_parts=with_parts)


def _fetch_messages(
    session: ImapSession, *, folder: str, validity: int, uids: list[int]
) -> list[MailMessage]:
    return session.messages(folder, validity, uids)


def wants_attachments(access: Access) -> bool:
    value = str(access.settings.get("attachments", "no")).strip().lower()
    if value not in ("yes", "no"):
        raise Invalid("attachments", "is neither yes nor no; give one of them")
    return value == "yes"


def _revisions(items: Iterable[SeenItem]) -> dict[str, str]:
    return {item.reference: item.revision for item in items}


def _session_key(access: Access) -> str:
    account = [str(access.settings.get("host")), str(access.settings.get("user"))]
    return hashlib.sha256("\n".join([*account, *access.credential.values()]).encode()).hexdigest()


def _parse_server(host: str) -> tuple[str, int]:
    name, _, port = host.strip().lower().removeprefix("imaps://").rstrip("/").partition(":")
    if not name or (port and not (port.isascii() and port.isdigit() and int(port) < 65_536)):
        raise Invalid("host", "is not a server; give its name, such as imap.example.org")
    return name, int(port or TLS_PORT)
