"""Replace the secrets in a memory or a document; the version before it can be restored."""

from uuid import UUID

from remem.core.checkup.plain import MASK
from remem.core.documents.change import DocumentEdit, change_document
from remem.core.documents.read import get_document
from remem.core.errors import Conflict, NotFound
from remem.core.language.plain_secrets import mask_secrets
from remem.core.memories.browse import get_memories
from remem.core.memories.edit import MemoryEdit, edit_memory
from remem.core.memories.versions.restore import restore_memory
from remem.core.ports import Ports
from remem.core.scope import Scope


async def mask_memory(ports: Ports, scope: Scope, id: UUID) -> None:
    memories, _ = await get_memories(ports, scope, [id])
    if not memories:
        raise NotFound("memory", id)
    [memory] = memories
    title = mask_secrets(memory.title, MASK) if memory.title else None
    content = mask_secrets(memory.content, MASK)
    if content == memory.content:
        raise _changed(id)
    fields = frozenset({"content", *({"title"} if title != memory.title else ())})
    await edit_memory(ports, scope, id, MemoryEdit(fields, content=content, title=title))


async def unmask_memory(ports: Ports, scope: Scope, id: UUID) -> None:
    await restore_memory(ports, scope, id)


async def mask_document(ports: Ports, scope: Scope, id: UUID) -> None:
    document = (await get_document(ports, scope, id)).document
    content = mask_secrets(document.content, MASK)
    if content == document.content:
        raise _changed(id)
    title = mask_secrets(document.title, MASK)
    # A title that was not given is found again in the new text.
    is_renamed = document.title_given and title != document.title
    fields = frozenset({"content", *({"title"} if is_renamed else ())})
    edit = DocumentEdit(fields, content=content, title=title if is_renamed else None)
    await change_document(ports, scope, id, edit)


async def unmask_document(ports: Ports, scope: Scope, id: UUID) -> None:
    """Make the text of this version the newest again."""
    old = await get_document(ports, scope, id)
    latest = next((version.id for version in old.versions if version.is_latest), None)
    if latest is None:
        raise Conflict("The document has no version that could be changed back.", code="changed")
    edit = DocumentEdit(frozenset({"content"}), content=old.document.content)
    await change_document(ports, scope, latest, edit)


def _changed(id: UUID) -> Conflict:
    return Conflict(f"{id} contains no secret any more; it was changed.", code="changed")
