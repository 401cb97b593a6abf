"""The progress of a job on a document or an import."""

from dataclasses import replace
from uuid import UUID

from remem.core.documents.progress import DocumentProgress
from remem.core.documents.progress import get_progress as of_document
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.transfer import transfer_store
from remem.core.transfer.model import ImportRun

# Where each stage begins, as a share of the total, and its share.
_STAGES = {
    "queued": (0.0, 0.0),
    "checking": (0.0, 0.2),
    "loading": (0.2, 0.7),
    "joining": (0.9, 0.1),
}


async def get_progress(
    ports: Ports, scope: Scope, job_id: UUID
) -> tuple[DocumentProgress, ImportRun | None]:
    progress = await of_document(ports, scope, job_id)
    async with ports.db.transaction(scope) as tx:
        arrival = await transfer_store.find(tx, progress.job.subject_id)
    if arrival is None:
        return progress, None
    return (
        replace(
            progress,
            stage=arrival.stage,
            share=_share(arrival),
            error=arrival.error or progress.error,
        ),
        arrival,
    )


def _share(arrival: ImportRun) -> float:
    begins, width = _STAGES.get(arrival.stage, (1.0, 0.0))
    return round(begins + width * min(1.0, arrival.done / max(1, arrival.total)), 3)
