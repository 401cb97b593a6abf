"""What the `error` of a done document says: which of it is not stored, and why."""

from uuid import UUID

from remem.core.documents.chunks import chunk_store
from remem.core.transaction import Tx


async def refusal_remark(tx: Tx, id: UUID) -> str | None:
    """The parts that the embedding model refused."""
    refused, total = await chunk_store.refused_counts(tx, id)
    if not refused:
        return None
    return (
        f"The embedding model refused {refused} of {total} parts; they are found by word only. "
        "The history says why."
    )


def limit_remark(count: int, limit: int) -> str:
    """The statements for which the plan has no room."""
    memories = "1 memory was" if count == 1 else f"{count} memories were"
    return (
        f"{memories} not extracted: the plan's limit of {limit} memories is reached. Delete some, "
        "or raise the plan; then the rest is extracted."
    )
