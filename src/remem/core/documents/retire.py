"""Remove a replaced version from search; its text and chunks are kept."""

from remem.core.documents import document_store
from remem.core.documents.chunks import chunk_store
from remem.core.documents.model import Document
from remem.core.index.kinds import CHUNK
from remem.core.index.write import unindex
from remem.core.ports import Ports
from remem.core.transaction import Tx


async def retire(ports: Ports, tx: Tx, document: Document) -> None:
    chunks = await chunk_store.ids_of_document(tx, document.id)
    await unindex(ports, tx, CHUNK, document.project_id, chunks)
    await document_store.retire(tx, document.id)
