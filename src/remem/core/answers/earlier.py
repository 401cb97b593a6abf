"""Load earlier versions of memories, for questions about an earlier state."""

from collections.abc import Sequence
from dataclasses import replace

from remem.core.answers.model import Reading, Source
from remem.core.errors import NotFound
from remem.core.memories.versions.history import get_history
from remem.core.ports import Ports
from remem.core.scope import Scope

# The number of memories whose versions are read, and the number of versions of each.
MAX_MEMORIES, MAX_VERSIONS = 3, 5


async def earlier_sources(
    ports: Ports, scope: Scope, readings: Sequence[Reading]
) -> list[tuple[Reading, Source]]:
    """The versions of the first memories, latest first, each with the reading of its current
    version."""
    memories = [reading for reading in readings if reading.source.kind == "memory"][:MAX_MEMORIES]
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
    seen = {source.content}
    sources = []
    for version in reversed(history.versions):
        if not version.is_current and version.deleted_at is None and version.content not in seen:
            seen.add(version.content)
            said_at = version.said_at or version.stated_at
            sources.append(replace(source, content=version.content, id=version.id, said_at=said_at))
    return sources[:MAX_VERSIONS]
