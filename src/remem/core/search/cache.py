"""Orders found before: kept until something is written where they were looked for.

Only the order is kept. The things themselves are read each time, so that what is gone or past its
time is not in an answer, however it went."""

import hashlib
from typing import TypeVar

from pydantic import TypeAdapter, ValidationError

from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.search.model import Query

TTL_S = 300
_QUERY = TypeAdapter(Query)
Answer = TypeVar("Answer")


def key_of(ports: Ports, scope: Scope, written: str, query: Query) -> str:
    """`written` changes with every write, so that nothing has to be thrown out."""
    asked = f"{scope.tenant_id} {written} {ports.embedder.model} ".encode()
    return "recall:" + hashlib.sha256(asked + _QUERY.dump_json(query)).hexdigest()


async def look_up(ports: Ports, key: str, shape: TypeAdapter[Answer]) -> Answer | None:
    kept = await ports.cache.get(key)
    try:
        return shape.validate_json(kept) if kept else None
    except ValidationError:
        return None


async def store_answer(ports: Ports, key: str, answer: Answer, shape: TypeAdapter[Answer]) -> None:
    await ports.cache.put(key, shape.dump_json(answer), TTL_S)
