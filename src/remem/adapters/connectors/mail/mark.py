"""The mark of a mail account: a compact snapshot of the revisions of all items."""

import base64
import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from remem.adapters.connectors.mail.names import format_ranges, parse_ranges
from remem.core.connectors.errors import MarkExpired

# The revision of a single message, which never changes.
SINGLE = "1"


@dataclass(frozen=True, slots=True)
class Box:
    """The state of a folder: `uids` are the messages to read, which start at `floor`."""

    validity: int
    uids: tuple[int, ...]
    floor: int = 0


def build_mark(
    boxes: Mapping[str, Box], items: Mapping[str, str], *, is_whole: bool = True
) -> dict[str, Any]:
    """Build a mark from revisions by reference. Most items are single messages, which are stored
    as ranges."""
    folders: dict[str, Any] = {}
    others = dict(items)
    for name, box in boxes.items():
        prefix = f"{name}/{box.validity}"
        single_uids = [uid for uid in box.uids if others.get(f"{prefix}/{uid}") == SINGLE]
        for uid in single_uids:
            del others[f"{prefix}/{uid}"]
        folders[name] = {
            "validity": box.validity,
            "floor": box.floor,
            "uids": format_ranges(box.uids) if is_whole else None,
            "alone": format_ranges(single_uids),
        }
    return {"folders": folders, "others": _compress(others)}


def mark_items(mark: Mapping[str, Any]) -> dict[str, str]:
    items = _decompress(mark["others"])
    for name, known in mark["folders"].items():
        prefix = f"{name}/{known['validity']}"
        items |= {f"{prefix}/{uid}": SINGLE for uid in parse_ranges(known["alone"])}
    return items


def mark_floors(mark: Any) -> dict[str, int]:
    """Return the lowest UID that is read per folder. Raises MarkExpired for a mark of a release
    without conversations."""
    if not isinstance(mark, Mapping) or "folders" not in mark:
        raise MarkExpired
    return {name: known["floor"] for name, known in mark["folders"].items()}


def is_unchanged(mark: Mapping[str, Any], boxes: Mapping[str, Box]) -> bool:
    """Whether the folders are as in the mark. Raises MarkExpired when UIDs of one are no longer
    valid."""
    folders = mark["folders"]
    for name, box in boxes.items():
        if name not in folders or folders[name]["validity"] != box.validity:
            raise MarkExpired
    return all(folders[name]["uids"] == format_ranges(box.uids) for name, box in boxes.items())


def _compress(items: Mapping[str, str]) -> str:
    return base64.b64encode(zlib.compress(json.dumps(items).encode())).decode()


def _decompress(text: str) -> dict[str, str]:
    return json.loads(zlib.decompress(base64.b64decode(text)))
