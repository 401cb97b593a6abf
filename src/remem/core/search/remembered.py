"""Answers given before: kept until something is written where they were looked for."""

import hashlib
from collections.abc import Sequence
from datetime import datetime

from pydantic import TypeAdapter

from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.search.model import Found, Query

TTL_S = 300
_SHAPE = TypeAdapter(list[Found])
_QUERY = TypeAdapter(Query)


def key_of(ports: Ports, scope: Scope, written: str, query: Query) -> str:
    """`written` changes with every write, so that nothing has to be thrown out."""
    asked = f"{scope.tenant_id} {written} {ports.embedder.model} ".encode()
    return "recall:" + hashlib.sha256(asked + _QUERY.dump_json(query)).hexdigest()


async def look_up(ports: Ports, key: str) -> list[Found] | None:
    kept = await ports.cache.get(key)
    return _SHAPE.validate_json(kept) if kept else None


async def remember(ports: Ports, key: str, found: list[Found], now: datetime) -> None:
    await ports.cache.put(key, _SHAPE.dump_json(found), _ttl_s(found, now))


def _ttl_s(found: Sequence[Found], now: datetime) -> float:
    """What is to be forgotten meanwhile is not in an answer that outlives it."""
    ends = [one.document.forget_after for one in found if one.document.forget_after]
    return min([TTL_S, *((end - now).total_seconds() for end in ends)])
