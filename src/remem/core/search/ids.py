"""Resolve ids: a chunk with its document, or an item by the beginning or end of its id."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from remem.core.errors import Conflict, Invalid, NotFound
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.search import store
from remem.core.search.model import Candidate

KINDS = ("document", "memory", "chunk")
# Ids begin with their creation time, so items that were saved together begin alike; they end in
# random digits.
SHORT_MIN = 8
AMBIGUOUS_SHOWN = 5
_DIGITS = rf"[0-9a-f]{{{SHORT_MIN}}}"
_SHORT = re.compile(rf"{_DIGITS}[0-9a-f-]{{0,28}}|[0-9a-f-]{{0,28}}{_DIGITS}")


@dataclass(frozen=True, slots=True)
class NamedId:
    """`kind` is document, memory or chunk."""

    id: UUID
    kind: str


async def read_chunk(ports: Ports, scope: Scope, id: UUID) -> Candidate:
    async with ports.db.transaction(scope) as tx:
        chunks = await store.candidates(tx, [id])
    if id not in chunks:
        raise NotFound("chunk", id)
    return chunks[id]


async def resolve_id(
    ports: Ports, scope: Scope, short: str, kinds: Sequence[str] = KINDS
) -> NamedId:
    """The only item of these kinds whose id equals, begins with or ends with `short`."""
    digits = short.strip().lower()
    if not _SHORT.fullmatch(digits):
        raise Invalid("id", f"is not an id; send at least {SHORT_MIN} of its digits")
    if len(digits.replace("-", "")) > 32:
        raise Invalid("id", "is longer than an id")
    async with ports.db.transaction(scope) as tx:
        matches = await store.by_short_id(tx, digits, kinds, AMBIGUOUS_SHOWN)
        other_kinds = [] if matches else await store.by_short_id(tx, digits, KINDS, 1)
    if not matches:
        hint = f"it is the id of a {other_kinds[0][0]}" if other_kinds else None
        raise NotFound(" or ".join(kinds), short, hint=hint)
    if len(matches) > 1:
        ids = ", ".join(str(id) for _, id in matches)
        raise Conflict(f"{short} may be any of several ids: {ids}. Send more digits.")
    kind, id = matches[0]
    return NamedId(id, kind)
