"""Remove a replaced version from search; its text and chunks are kept."""

from remem.core.db import Tx
from remem.core.documents import store
from remem.core.documents.chunks import store as chunk_store
from remem.core.documents.model import Document
from remem.core.index.kinds import CHUNK
from remem.core.index.write import unindex
from remem.core.ports import Ports
from remem.core.scope import Scope


async def retire(ports: Ports, tx: Tx, scope: Scope, document: Document) -> None:
    chunks = await chunk_store.ids_of_document(tx, scope, document.id)
    await unindex(ports, tx, scope, CHUNK, document.project_id, chunks)
    await store.retire(tx, scope, document.id)
