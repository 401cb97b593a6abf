"""Set the caller's flags on a document: unread, favourite, archived."""

from collections.abc import Mapping
from uuid import UUID

from remem.core.db import retry_on_deadlock
from remem.core.documents import document_store
from remem.core.documents.model import Document
from remem.core.errors import NotFound
from remem.core.flags import Flag
from remem.core.ports import Ports
from remem.core.scope import Scope

# What is archived is done with, and what is to be read is not archived.
_REMOVES: dict[Flag, Flag] = {"archived": "unread", "unread": "archived"}


@retry_on_deadlock
async def set_flags(ports: Ports, scope: Scope, id: UUID, flags: Mapping[Flag, bool]) -> Document:
    """Set or remove flags of the latest version, of which other members see nothing."""
    removed = {
        _REMOVES[flag]: False for flag, is_set in flags.items() if is_set and flag in _REMOVES
    }
    async with ports.db.transaction(scope) as tx:
        document = await document_store.require(tx, id)
        for flag, is_set in {**removed, **flags}.items():
            await document_store.set_flag(tx, document.root_id, flag, is_set=is_set)
        latest = await document_store.latest_of_chain(tx, document.root_id)
        if latest is None:
            raise NotFound("document", id)
        return latest
