"""Count what a tenant stores, how much of it is embedded, and how many bytes it takes."""

from dataclasses import dataclass

from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.stats import stats_store
from remem.core.vector_models.current import current_names


@dataclass(frozen=True, slots=True)
class Stats:
    """Counts of a tenant. `…_this_week` is the last seven days. `storage_bytes` is text, originals
    and vectors.

    `…_embedded` have a vector of the current model. `documents_waiting` have no chunks yet.
    `jobs_by_status` leaves out completed jobs."""

    documents: int
    documents_this_week: int
    documents_waiting: int
    documents_by_status: dict[str, int]
    jobs_by_status: dict[str, int]
    memories: int
    memories_this_week: int
    memories_embedded: int
    chunks: int
    chunks_embedded: int
    entities: int
    links: int
    projects: int
    storage_bytes: int

    @property
    def embedding_coverage(self) -> float:
        """From 0 to 1; 1 for an empty store. A waiting document counts as one chunk that is not
        embedded."""
        total = self.chunks + self.memories + self.documents_waiting
        return (self.chunks_embedded + self.memories_embedded) / total if total else 1.0


async def count_all(ports: Ports, scope: Scope) -> Stats:
    async with ports.db.transaction(scope) as tx:
        row = await stats_store.totals(tx, await current_names(ports, tx))
        documents = await stats_store.documents_by_status(tx)
        jobs = await stats_store.jobs_by_status(tx)
    return Stats(**row, documents_by_status=documents, jobs_by_status=jobs)


async def count_jobs(ports: Ports, scope: Scope) -> dict[str, int]:
    """The tenant's jobs by status, without completed ones."""
    async with ports.db.transaction(scope) as tx:
        return await stats_store.jobs_by_status(tx)
