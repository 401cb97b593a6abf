"""What is saved again keeps its tags and gets those that it is given this time."""

from collections.abc import Sequence
from dataclasses import replace

from remem.core.documents import store
from remem.core.documents.model import Document
from remem.core.events.record import record
from remem.core.memories.tags import follow_tags
from remem.core.ports import Ports
from remem.core.projects.manage import note_write
from remem.core.scope import Scope
from remem.core.text import unique_tags
from remem.core.validate import check_tags


async def add_tags(ports: Ports, scope: Scope, document: Document, tags: Sequence[str]) -> Document:
    if len(unique_tags([*document.tags, *tags])) == len(document.tags):
        return document
    async with ports.db.transaction(scope) as tx:
        await store.lock(tx, scope, document.id)
        now = await store.find(tx, scope, document.id)
        if now is None:
            return document
        merged = unique_tags([*now.tags, *tags])
        check_tags(merged)
        await store.set_reading(tx, scope, now.id, {"tags": merged})
        await note_write(tx, scope, now.project_id)
        await follow_tags(tx, scope, (now.project_id, now.id), now.tags, merged)
        await record(tx, scope, "document", now.id, "update", {"fields": ["tags"]})
    return replace(document, tags=merged)
