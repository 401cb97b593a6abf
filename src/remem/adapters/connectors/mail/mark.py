"""What was there at a moment, as the mark of a mail account: item by item, and small."""

import base64
import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from remem.adapters.connectors.mail.names import numbers, ranges
from remem.core.connectors.errors import MarkExpired

# A message by itself has no other version: it is there or not.
SINGLE = "1"


@dataclass(frozen=True, slots=True)
class Box:
    """A folder as it is now: `uids` are the messages that are read in it, from `floor` on."""

    validity: int
    uids: tuple[int, ...]
    floor: int = 0


def mark_of(
    boxes: Mapping[str, Box], items: Mapping[str, str], *, is_whole: bool = True
) -> dict[str, Any]:
    """`items` are revisions by reference. Most are single messages, which are kept as ranges."""
    folders: dict[str, Any] = {}
    left = dict(items)
    for name, box in boxes.items():
        place = f"{name}/{box.validity}"
        alone = [uid for uid in box.uids if left.get(f"{place}/{uid}") == SINGLE]
        for uid in alone:
            del left[f"{place}/{uid}"]
        folders[name] = {
            "validity": box.validity,
            "floor": box.floor,
            "uids": ranges(box.uids) if is_whole else None,
            "alone": ranges(alone),
        }
    return {"folders": folders, "others": _packed(left)}


def items_of(mark: Mapping[str, Any]) -> dict[str, str]:
    items = _unpacked(mark["others"])
    for name, known in mark["folders"].items():
        place = f"{name}/{known['validity']}"
        items |= {f"{place}/{uid}": SINGLE for uid in numbers(known["alone"])}
    return items


def floors_of(mark: Any) -> dict[str, int]:
    """Raises MarkExpired for a mark of a release that knew no conversations."""
    if not isinstance(mark, Mapping) or "folders" not in mark:
        raise MarkExpired
    return {name: known["floor"] for name, known in mark["folders"].items()}


def is_same(mark: Mapping[str, Any], boxes: Mapping[str, Box]) -> bool:
    """Raises MarkExpired where a folder is another one than it was."""
    folders = mark["folders"]
    for name, box in boxes.items():
        if name not in folders or folders[name]["validity"] != box.validity:
            raise MarkExpired
    return all(folders[name]["uids"] == ranges(box.uids) for name, box in boxes.items())


def _packed(items: Mapping[str, str]) -> str:
    return base64.b64encode(zlib.compress(json.dumps(items).encode())).decode()


def _unpacked(text: str) -> dict[str, str]:
    return json.loads(zlib.decompress(base64.b64decode(text)))
