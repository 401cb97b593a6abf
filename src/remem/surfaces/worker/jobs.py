"""The handlers of all jobs, by name."""

from functools import partial

from remem.core.blobs.sweep import JOB as SWEEP_BLOBS
from remem.core.blobs.sweep import sweep_blobs
from remem.core.checkup.fix import BACKUP_JOB, back_up_now
from remem.core.connections.disconnect import JOB as REMOVE_CONNECTION
from remem.core.connections.disconnect import remove_connection
from remem.core.connections.sync import JOB as SYNC_CONNECTION
from remem.core.connections.sync import sync_connection
from remem.core.deliveries.send import JOB as SEND_DELIVERY
from remem.core.deliveries.send import send_delivery
from remem.core.documents.distil import JOB as DISTIL_DOCUMENT
from remem.core.documents.distil import distil_document
from remem.core.documents.process import JOB as PROCESS_DOCUMENT
from remem.core.documents.process import process_document, show_failure
from remem.core.documents.sum_up import JOB as SUM_UP_DOCUMENT
from remem.core.documents.sum_up import sum_up_document
from remem.core.evolution.nightly import EVOLVE, NIGHTLY, evolve_tenant, run_nightly
from remem.core.feeds.collect import collect_job
from remem.core.feeds.manage import JOB as COLLECT_DIGESTS
from remem.core.jobs.run import HOUR_S, JobKind, run
from remem.core.memories.index_memory import EMBED_JOB as EMBED_MEMORY
from remem.core.memories.index_memory import MENTIONS_JOB as FIND_MENTIONS
from remem.core.memories.index_memory import RELATE_JOB as RELATE_MEMORY
from remem.core.memories.mentions import find_mentions
from remem.core.memories.process import embed_memory, relate_memory
from remem.core.ports import JobHandler, Ports
from remem.core.queued import Job
from remem.core.transfer.run_import import JOB as IMPORT_STORE
from remem.core.transfer.run_import import import_store, show_import_failure
from remem.core.upkeep.expire import JOB as FORGET_EXPIRED
from remem.core.upkeep.expire import forget_expired
from remem.core.upkeep.index_vectors import JOB as INDEX_VECTORS
from remem.core.upkeep.index_vectors import index_vectors
from remem.core.upkeep.reembed import JOB as REEMBED
from remem.core.upkeep.reembed import reembed_tenant

# An attempt continues where the last one stopped, so a deadline costs little. The one of documents
# allows for hours of speech, which are transcribed in one piece.
JOBS: dict[str, JobKind] = {
    PROCESS_DOCUMENT: JobKind(process_document, 6 * HOUR_S, show_failure),
    DISTIL_DOCUMENT: JobKind(distil_document),
    SUM_UP_DOCUMENT: JobKind(sum_up_document),
    EMBED_MEMORY: JobKind(embed_memory),
    RELATE_MEMORY: JobKind(relate_memory),
    FIND_MENTIONS: JobKind(find_mentions),
    SWEEP_BLOBS: JobKind(sweep_blobs),
    IMPORT_STORE: JobKind(import_store, 24 * HOUR_S, show_import_failure),
    SYNC_CONNECTION: JobKind(sync_connection),
    REMOVE_CONNECTION: JobKind(remove_connection),
    SEND_DELIVERY: JobKind(send_delivery, 300),
    FORGET_EXPIRED: JobKind(forget_expired),
    COLLECT_DIGESTS: JobKind(collect_job),
    REEMBED: JobKind(reembed_tenant, 24 * HOUR_S, in_background=True),
    INDEX_VECTORS: JobKind(index_vectors, 24 * HOUR_S),
    BACKUP_JOB: JobKind(back_up_now, 6 * HOUR_S, in_background=True),
    NIGHTLY: JobKind(run_nightly, in_background=True),
    EVOLVE: JobKind(evolve_tenant, in_background=True),
}
# Nobody waits for these. A worker runs one of them at a time, so that they never take CPU time from
# requests and other jobs.
BACKGROUND = frozenset(name for name, kind in JOBS.items() if kind.in_background)


def handlers(ports: Ports) -> dict[str, JobHandler]:
    background_ports = ports.background or ports
    return {
        name: partial(_handle, background_ports if name in BACKGROUND else ports, kind)
        for name, kind in JOBS.items()
    }


async def _handle(ports: Ports, kind: JobKind, job: Job) -> None:
    await run(ports, job, kind)
