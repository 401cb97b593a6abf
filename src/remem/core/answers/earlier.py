"""The earlier versions of the memories that were found, for who asks how something was."""

from collections.abc import Sequence
from dataclasses import replace

from remem.core.answers.model import Reading, Source
from remem.core.errors import NotFound
from remem.core.memories.versions.history import get_history
from remem.core.ports import Ports
from remem.core.scope import Scope

# The versions of so many memories are read, and so many of each.
MEMORIES, VERSIONS = 3, 5


async def earlier_sources(
    ports: Ports, scope: Scope, readings: Sequence[Reading]
) -> list[tuple[Reading, Source]]:
    """The versions of the first memories, the latest first, each with the reading of what took
    its place."""
    memories = [one for one in readings if one.source.kind == "memory"][:MEMORIES]
    return [
        (reading, source)
        for reading in memories
        for source in await _versions(ports, scope, reading.source)
    ]


async def _versions(ports: Ports, scope: Scope, source: Source) -> list[Source]:
    try:
        history = await get_history(ports, scope, source.id)
    except NotFound:
        return []
    known = {source.content}
    found = []
    for one in reversed(history.versions):
        if not one.is_current and one.deleted_at is None and one.content not in known:
            known.add(one.content)
            said_at = one.said_at or one.stated_at
            found.append(replace(source, content=one.content, id=one.id, said_at=said_at))
    return found[:VERSIONS]
