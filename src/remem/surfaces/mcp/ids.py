"""Ids as assistants send them: complete, shortened, or with their kind as a prefix."""

import re
from uuid import UUID

from remem.core.errors import Invalid
from remem.surfaces.mcp.calls import get

_SHORT = re.compile(r"[0-9a-f-]{8,35}", re.IGNORECASE)


async def memory_id(id: str) -> str:
    """Return the complete id of a memory."""
    bare = id.strip().removeprefix("remem://").removeprefix("memory/")
    if is_uuid(bare):
        return str(UUID(bare))
    if not _SHORT.fullmatch(bare):
        raise Invalid("id", "is not a UUID or 8 digits of one; send an id from another tool")
    return (await get(f"/v3/ids/{bare}", kind="memory"))["id"]


def is_uuid(text: str) -> bool:
    try:
        return bool(UUID(text))
    except ValueError:
        return False
