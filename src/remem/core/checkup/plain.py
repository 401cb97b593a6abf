"""Secrets in plain text: passwords and keys in memories and documents."""

from typing import Any
from uuid import UUID

from remem.core.analysis import analyse_each
from remem.core.checkup import checkup_store
from remem.core.checkup.model import FindingItem
from remem.core.errors import Invalid
from remem.core.language.plain_secrets import find_secrets, mask_secrets
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.text import shorten

MASK = "[removed: it looked like a secret]"
_HIDDEN = "••••••"
_BATCH = 100
KINDS = ("document", "memory")
# How much of a text is read for the list; masking reads all of it.
_READ_CHARS = 100_000
_AROUND_CHARS = 80


async def find_plain_secrets(
    ports: Ports, scope: Scope, after: str | None, limit: int
) -> list[FindingItem]:
    """At most `limit` texts with secrets: documents, then memories, in the order of their ids."""
    place = read_key(after) if after else None
    items: list[FindingItem] = []
    for kind in KINDS:
        if place and place[0] > kind:
            continue
        first = place[1] if place and place[0] == kind else UUID(int=0)
        items += await _scan(ports, scope, kind, first, limit - len(items))
    return items


def read_key(key: str) -> tuple[str, UUID]:
    """The kind and the id in the key of an item."""
    kind, _, id = key.partition(":")
    try:
        if kind in KINDS:
            return kind, UUID(id)
    except ValueError:
        pass
    raise Invalid("key", "is none of this list; send the key of an item as it was listed")


async def _scan(
    ports: Ports, scope: Scope, kind: str, after: UUID, limit: int
) -> list[FindingItem]:
    items: list[FindingItem] = []
    while len(items) < limit:
        async with ports.db.transaction(scope) as tx:
            rows = await checkup_store.texts_like_secrets(tx, kind, after, _BATCH, _READ_CHARS)
        places = await _places(ports, rows)
        items += [_item(kind, row, place) for row, place in zip(rows, places, strict=True) if place]
        if len(rows) < _BATCH:
            break
        after = rows[-1]["id"]
    return items[:limit]


async def _places(ports: Ports, rows: list[Any]) -> list[str]:
    calls = [(row["content"],) for row in rows]
    return await analyse_each(ports, "", describe_place, calls)


def describe_place(text: str) -> str:
    """The words around the first secret, with all secrets hidden; empty if there is none."""
    if not find_secrets(text):
        return ""
    hidden = mask_secrets(text, _HIDDEN)
    at = hidden.index(_HIDDEN)
    around = hidden[max(0, at - _AROUND_CHARS) : at + _AROUND_CHARS]
    return " ".join(around.split())


def _item(kind: str, row: Any, place: str) -> FindingItem:
    title = mask_secrets(row["title"], _HIDDEN)
    return FindingItem(
        key=f"{kind}:{row['id']}",
        subject="document" if kind == "document" else "memory",
        id=str(row["id"]),
        text=shorten(title or place, 200),
        detail=place if title else "",
        at=row["created_at"],
    )
