"""What an id names: a chunk with its document, or the thing whose id begins or ends so."""

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
# Ids begin with the time they were made at: what was saved together begins alike, and ends in
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
        found = await store.candidates(tx, scope, [id])
    if id not in found:
        raise NotFound("chunk", id)
    return found[id]


async def resolve_id(
    ports: Ports, scope: Scope, short: str, kinds: Sequence[str] = KINDS
) -> NamedId:
    """The one thing of these kinds whose id is, begins or ends so."""
    asked = short.strip().lower()
    if not _SHORT.fullmatch(asked):
        raise Invalid("id", f"is not an id; send at least {SHORT_MIN} of its digits")
    if len(asked.replace("-", "")) > 32:
        raise Invalid("id", "is longer than an id")
    async with ports.db.transaction(scope) as tx:
        found = await store.named(tx, scope, asked, kinds, AMBIGUOUS_SHOWN)
        others = [] if found else await store.named(tx, scope, asked, KINDS, 1)
    if not found:
        hint = f"it is the id of a {others[0][0]}" if others else None
        raise NotFound(" or ".join(kinds), short, hint=hint)
    if len(found) > 1:
        ids = ", ".join(str(id) for _, id in found)
        raise Conflict(f"{short} may be any of several ids: {ids}. Send more digits.")
    kind, id = found[0]
    return NamedId(id, kind)
