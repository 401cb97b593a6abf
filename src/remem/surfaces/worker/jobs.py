"""Every job by its name: what a worker does."""

from functools import partial

from remem.core.blobs.sweep import JOB as SWEEP_BLOBS
from remem.core.blobs.sweep import sweep_blobs
from remem.core.documents.distil import JOB as DISTIL_DOCUMENT
from remem.core.documents.distil import distil_document
from remem.core.documents.process import JOB as PROCESS_DOCUMENT
from remem.core.documents.process import give_up_document, process_document
from remem.core.documents.sum_up import JOB as SUM_UP_DOCUMENT
from remem.core.documents.sum_up import sum_up_document
from remem.core.jobs.run import GiveUp, Work, run
from remem.core.memories.mentions import find_mentions
from remem.core.memories.process import embed_memory, relate_memory
from remem.core.memories.show import EMBED_JOB as EMBED_MEMORY
from remem.core.memories.show import MENTIONS_JOB as FIND_MENTIONS
from remem.core.memories.show import RELATE_JOB as RELATE_MEMORY
from remem.core.ports import Job, JobHandler, Ports
from remem.core.transfer.bring_in import JOB as IMPORT_STORE
from remem.core.transfer.bring_in import give_up_import, import_store
from remem.core.upkeep.expire import JOB as FORGET_EXPIRED
from remem.core.upkeep.expire import forget_expired
from remem.core.upkeep.reembed import JOB as REEMBED
from remem.core.upkeep.reembed import reembed_tenant

JOBS: dict[str, Work] = {
    PROCESS_DOCUMENT: process_document,
    DISTIL_DOCUMENT: distil_document,
    SUM_UP_DOCUMENT: sum_up_document,
    EMBED_MEMORY: embed_memory,
    RELATE_MEMORY: relate_memory,
    FIND_MENTIONS: find_mentions,
    SWEEP_BLOBS: sweep_blobs,
    IMPORT_STORE: import_store,
    FORGET_EXPIRED: forget_expired,
    REEMBED: reembed_tenant,
}
# What is told when a job has failed for good; of the others, only the job itself tells.
GIVE_UP: dict[str, GiveUp] = {
    PROCESS_DOCUMENT: give_up_document,
    IMPORT_STORE: give_up_import,
}


def handlers(ports: Ports) -> dict[str, JobHandler]:
    return {name: partial(_handle, ports, work) for name, work in JOBS.items()}


async def _handle(ports: Ports, work: Work, job: Job) -> None:
    await run(ports, job, work, GIVE_UP.get(job.name))
