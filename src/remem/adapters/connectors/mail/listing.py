"""What there is in chosen folders: conversations, and attachments where they are wanted. Pure."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from remem.adapters.connectors.mail.mark import SINGLE, Box
from remem.adapters.connectors.mail.names import numbers, ranges, readable
from remem.adapters.connectors.mail.threads import Head, Place, conversations
from remem.adapters.connectors.mail.turns import safe_name
from remem.core.connectors.model import SeenItem
from remem.core.items import LeftOut

# Of one message.
ATTACHMENTS = 20
# Of one folder, the newest ones.
MESSAGES = 50_000


@dataclass(frozen=True, slots=True)
class Listing:
    """`order` is when the conversation of each item began."""

    boxes: Mapping[str, Box]
    items: Mapping[str, SeenItem]
    order: Mapping[str, Place]
    is_complete: bool


def listing_of(
    boxes: Mapping[str, Box],
    heads: Mapping[str, Mapping[int, Head]],
    left_out: Mapping[str, int],
    max_bytes: int,
) -> Listing:
    """`left_out` is how many older messages a folder has than are read."""
    named = {f"{name}/{box.validity}": name for name, box in boxes.items()}
    found = {place: [*heads[name].values()] for place, name in named.items()}
    items: list[tuple[Place, SeenItem]] = []
    for talk in conversations(found):
        first = heads[named[talk[0].folder]][talk[0].uid]
        items.append((talk[0], _talk(talk, _path(talk[0], first, named))))
        for one in talk:
            head = heads[named[one.folder]][one.uid]
            items += [(one, seen) for seen in _attached(one, head, named, max_bytes)]
    for name, count in left_out.items():
        items.append(_older(name, boxes[name], count))
    return Listing(
        boxes=boxes,
        items={seen.reference: seen for _, seen in items},
        order={seen.reference: place for place, seen in items},
        is_complete=not left_out,
    )


def members_of(seen: SeenItem) -> list[tuple[str, int, list[int]]]:
    """The messages of a conversation: folder, UIDVALIDITY and UIDs."""
    lines = [seen.reference] if seen.revision == SINGLE else seen.revision.split("\n")
    found = [line.rsplit("/", 2) for line in lines]
    return [(name, int(validity), numbers(uids)) for name, validity, uids in found]


def _path(place: Place, head: Head, named: Mapping[str, str]) -> str:
    return f"{readable(named[place.folder])}: {head.subject or f'message {place.uid}'}"


def _talk(talk: list[Place], path: str) -> SeenItem:
    first = talk[0]
    if len(talk) == 1:
        return SeenItem(first.reference, SINGLE, path)
    uids: dict[str, list[int]] = {}
    for one in talk:
        uids.setdefault(one.folder, []).append(one.uid)
    revision = "\n".join(f"{folder}/{ranges(uids[folder])}" for folder in sorted(uids))
    return SeenItem(first.reference, revision, f"{path} ({len(talk)} messages)")


def _attached(
    place: Place, head: Head, named: Mapping[str, str], max_bytes: int
) -> Iterable[SeenItem]:
    where = _path(place, head, named)
    for part in head.attached[:ATTACHMENTS]:
        reference, path = f"{place.reference}#{part.number}", f"{where}, {safe_name(part)}"
        size = part.size * 3 // 4 if part.is_packed else part.size
        reason = "it is empty" if not size else ""
        if size > max_bytes:
            reason = f"it is larger than {max_bytes / 1e6:,.0f} MB"
        left = LeftOut("document", reference, reason) if reason else None
        yield SeenItem(reference, SINGLE, path, left)
    if len(head.attached) > ATTACHMENTS:
        reference = f"{place.reference}#more"
        reason = f"it has {len(head.attached):,} attachments; the first {ATTACHMENTS} are read"
        left = LeftOut("document", reference, reason)
        yield SeenItem(reference, SINGLE, f"{where}, more attachments", left)


def _older(name: str, box: Box, count: int) -> tuple[Place, SeenItem]:
    reference = f"{name}/{box.validity}/older"
    reason = f"the folder has {count:,} older messages; the newest {MESSAGES:,} are read"
    left = LeftOut("document", reference, reason)
    place = Place(0, f"{name}/{box.validity}", 0)
    return place, SeenItem(reference, SINGLE, readable(name), left)
