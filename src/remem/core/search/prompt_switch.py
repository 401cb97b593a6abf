"""Switch a document or memory off, so that it is added to no prompt any more; or on again."""

from uuid import UUID

from remem.core.documents.change import DocumentEdit, change_document
from remem.core.documents.read import get_document
from remem.core.memories.browse import get_memory
from remem.core.memories.edit import MemoryEdit, edit_memory
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.search.ids import NamedId, resolve_id
from remem.core.search.prompt_statements import SWITCH


async def switch_in_prompts(ports: Ports, scope: Scope, id: UUID, *, on: bool) -> NamedId:
    """It stays as it is otherwise, and is found by searches."""
    named = await resolve_id(ports, scope, str(id), ("memory", "document"))
    if named.kind == "memory":
        context = (await get_memory(ports, scope, id)).context
        edit = MemoryEdit(frozenset({"context"}), context={**context, SWITCH: on})
        await edit_memory(ports, scope, id, edit)
    else:
        metadata = (await get_document(ports, scope, id)).document.metadata
        change = DocumentEdit(frozenset({"metadata"}), metadata={**metadata, SWITCH: on})
        await change_document(ports, scope, id, change)
    return named
