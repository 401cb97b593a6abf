"""List the conversations of chosen folders, and their attachments if enabled. Pure."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from remem.adapters.connectors.mail.mark import SINGLE, Box
from remem.adapters.connectors.mail.names import decode_folder_name, format_ranges, parse_ranges
from remem.adapters.connectors.mail.threads import Head, MessagePlace, conversations
from remem.adapters.connectors.mail.turns import safe_name
from remem.core.connectors.model import SeenItem
from remem.core.items import LeftOut

# Per message.
ATTACHMENTS = 20
# The newest messages of a folder.
MESSAGES = 50_000


@dataclass(frozen=True, slots=True)
class Listing:
    """All items of the chosen folders. `order` is the place of each item by time."""

    boxes: Mapping[str, Box]
    items: Mapping[str, SeenItem]
    order: Mapping[str, MessagePlace]
    is_complete: bool


def build_listing(
    boxes: Mapping[str, Box],
    heads: Mapping[str, Mapping[int, Head]],
    left_out: Mapping[str, int],
    max_bytes: int,
) -> Listing:
    """Build the listing. `left_out` counts the older messages of a folder that are not read."""
    names = {f"{name}/{box.validity}": name for name, box in boxes.items()}
    places = {place: [*heads[name].values()] for place, name in names.items()}
    items: list[tuple[MessagePlace, SeenItem]] = []
    for talk in conversations(places):
        first = heads[names[talk[0].folder]][talk[0].uid]
        items.append((talk[0], _talk_item(talk, _path(talk[0], first, names))))
        for message_place in talk:
            head = heads[names[message_place.folder]][message_place.uid]
            items += [
                (message_place, seen)
                for seen in _attachment_items(message_place, head, names, max_bytes)
            ]
    for name, count in left_out.items():
        items.append(_older_item(name, boxes[name], count))
    return Listing(
        boxes=boxes,
        items={seen.reference: seen for _, seen in items},
        order={seen.reference: place for place, seen in items},
        is_complete=not left_out,
    )


def message_groups(seen: SeenItem) -> list[tuple[str, int, list[int]]]:
    """Return the messages of a conversation, as folder, UIDVALIDITY and UIDs."""
    lines = [seen.reference] if seen.revision == SINGLE else seen.revision.split("\n")
    groups = [line.rsplit("/", 2) for line in lines]
    return [(name, int(validity), parse_ranges(uids)) for name, validity, uids in groups]


def _path(place: MessagePlace, head: Head, names: Mapping[str, str]) -> str:
    return f"{decode_folder_name(names[place.folder])}: {head.subject or f'message {place.uid}'}"


def _talk_item(talk: list[MessagePlace], path: str) -> SeenItem:
    first = talk[0]
    if len(talk) == 1:
        return SeenItem(first.reference, SINGLE, path)
    uids: dict[str, list[int]] = {}
    for place in talk:
        uids.setdefault(place.folder, []).append(place.uid)
    revision = "\n".join(f"{folder}/{format_ranges(uids[folder])}" for folder in sorted(uids))
    return SeenItem(first.reference, revision, f"{path} ({len(talk)} messages)")


def _attachment_items(
    place: MessagePlace, head: Head, names: Mapping[str, str], max_bytes: int
) -> Iterable[SeenItem]:
    message_path = _path(place, head, names)
    for part in head.attached[:ATTACHMENTS]:
        reference, path = f"{place.reference}#{part.number}", f"{message_path}, {safe_name(part)}"
        size = part.size * 3 // 4 if part.is_base64 else part.size
        reason = "it is empty" if not size else ""
        if size > max_bytes:
            reason = f"it is larger than {max_bytes / 1e6:,.0f} MB"
        left_out = LeftOut("document", reference, reason) if reason else None
        yield SeenItem(reference, SINGLE, path, left_out)
    if len(head.attached) > ATTACHMENTS:
        reference = f"{place.reference}#more"
        reason = f"it has {len(head.attached):,} attachments; the first {ATTACHMENTS} are read"
        left_out = LeftOut("document", reference, reason)
        yield SeenItem(reference, SINGLE, f"{message_path}, more attachments", left_out)


def _older_item(name: str, box: Box, count: int) -> tuple[MessagePlace, SeenItem]:
    reference = f"{name}/{box.validity}/older"
    reason = f"the folder has {count:,} older messages; the newest {MESSAGES:,} are read"
    left_out = LeftOut("document", reference, reason)
    place = MessagePlace(0, f"{name}/{box.validity}", 0)
    return place, SeenItem(reference, SINGLE, decode_folder_name(name), left_out)
