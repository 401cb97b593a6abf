"""Take the words of a file as the user's own, because the user says so afterwards."""

from dataclasses import replace
from typing import Any

from remem.core.db import Tx, retry_on_deadlock
from remem.core.documents import store
from remem.core.documents.distil import distil_again
from remem.core.documents.model import Document
from remem.core.events.record import record
from remem.core.language.person import is_user
from remem.core.memories.evidence import lock_evidence
from remem.core.memories.withdraw_evidence import retire_evidence
from remem.core.ports import Ports
from remem.core.scope import Scope


def says_mine(metadata: dict[str, Any]) -> bool:
    speaker = metadata.get("speaker")
    return isinstance(speaker, str) and bool(speaker.strip()) and is_user(speaker)


@retry_on_deadlock
async def claim_words(
    ports: Ports, scope: Scope, document: Document, metadata: dict[str, Any]
) -> Document:
    """A document that is saved again as the user's own: its statements are extracted again."""
    if not says_mine(metadata) or says_mine(document.metadata):
        return document
    async with ports.db.transaction(scope) as tx:
        await store.lock(tx, scope, document.id)
        current = await store.find(tx, scope, document.id)
        if current is None or not current.is_latest or says_mine(current.metadata):
            return current or document
        changed = {**current.metadata, "speaker": metadata["speaker"]}
        await lock_evidence(tx, scope, [current.project_id], [current.id])
        await store.update_columns(tx, scope, current.id, {"metadata": changed})
        await extract_again(ports, tx, scope, current)
        await record(tx, scope, "document", current.id, "update", {"fields": ["metadata"]})
    return replace(document, metadata=changed)


async def extract_again(ports: Ports, tx: Tx, scope: Scope, document: Document) -> None:
    """Retire what the document states, and distil it again with its new speaker."""
    await retire_evidence(ports, tx, scope, document.project_id, [document.id])
    await distil_again(ports, tx, scope, [document.id])
