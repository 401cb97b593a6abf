"""The progress of a document's job."""

from dataclasses import dataclass
from uuid import UUID

from remem.core.documents import document_store
from remem.core.documents.chunks import chunk_store
from remem.core.jobs.read import JobState, find_job
from remem.core.ports import Ports
from remem.core.scope import Scope

# The progress at the start of each stage, from 0 to 1; embedding takes nearly all of the time.
STAGE_STARTS = {
    "queued": 0.0,
    "extracting": 0.05,
    "chunking": 0.15,
    "embedding": 0.2,
    "indexing": 0.95,
}


@dataclass(frozen=True, slots=True)
class DocumentProgress:
    job: JobState
    document_id: UUID | None
    stage: str
    share: float
    error: str | None


async def get_progress(ports: Ports, scope: Scope, job_id: UUID) -> DocumentProgress:
    async with ports.db.transaction(scope) as tx:
        job = await find_job(tx, job_id)
        document = await document_store.find(tx, job.subject_id)
        embedded, total = await chunk_store.embedded_counts(tx, job.subject_id)
    if document is None:
        return DocumentProgress(job, None, job.status, float(job.status == "completed"), job.error)
    share = STAGE_STARTS.get(document.status, 1.0)
    if document.status == "embedding" and total:
        share += (STAGE_STARTS["indexing"] - share) * embedded / total
    return DocumentProgress(
        job, document.id, document.status, round(share, 3), document.error or job.error
    )
