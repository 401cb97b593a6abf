"""Cache of rankings, valid until something is written in the searched projects.

Only the ranking is cached. The items are read on every request, so that deleted and expired ones
are never returned."""

import hashlib
from typing import TypeVar

from pydantic import TypeAdapter, ValidationError

from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.search.model import Query

TTL_S = 300
_QUERY = TypeAdapter(Query)
Answer = TypeVar("Answer")


def key_of(scope: Scope, version: str, model: str, query: Query) -> str:
    """`version` changes with every write, so that nothing has to be invalidated. `model` is the one
    of the vectors."""
    prefix = f"{scope.tenant_id} {version} {model} ".encode()
    return "recall:" + hashlib.sha256(prefix + _QUERY.dump_json(query)).hexdigest()


async def look_up(ports: Ports, key: str, shape: TypeAdapter[Answer]) -> Answer | None:
    cached = await ports.cache.get(key)
    try:
        return shape.validate_json(cached) if cached else None
    except ValidationError:
        return None


async def store_answer(ports: Ports, key: str, answer: Answer, shape: TypeAdapter[Answer]) -> None:
    await ports.cache.put(key, shape.dump_json(answer), TTL_S)
