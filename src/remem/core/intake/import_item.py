"""Import one item: a memory as a memory, everything else as a document, under a stable id."""

from typing import Literal, TypeAlias

from remem.core.documents.imported.import_document import import_document
from remem.core.intake.drafts import document_draft, memory_draft, to_storable_item
from remem.core.intake.model import Origin
from remem.core.items import Item
from remem.core.memories.import_memory import import_memory
from remem.core.ports import Ports
from remem.core.scope import Scope

Outcome: TypeAlias = Literal["imported", "unchanged"]


async def import_item(ports: Ports, scope: Scope, origin: Origin, item: Item) -> Outcome:
    item = to_storable_item(item)
    if item.kind == "memory":
        is_new = await import_memory(ports, scope, memory_draft(origin, item))
    else:
        is_note = item.kind == "bookmark" and not item.content
        is_new = await import_document(ports, scope, document_draft(origin, item), is_note=is_note)
    return "imported" if is_new else "unchanged"
