"""Add and remove the sample data."""

from dataclasses import dataclass
from datetime import timedelta

from remem.core.documents.ingest import ingest
from remem.core.documents.model import Draft as DocumentDraft
from remem.core.errors import Conflict, NotFound
from remem.core.memories.model import MemoryDraft
from remem.core.memories.save import save_memory
from remem.core.ports import Ports
from remem.core.projects.manage import create_project, delete_project, get_project
from remem.core.projects.model import Project
from remem.core.samples.texts import DOCUMENTS, STATEMENTS, SampleDocument, SampleStatement
from remem.core.scope import Scope
from remem.core.time import now

SLUG = "sample-data"
SOURCE = "sample"


@dataclass(frozen=True, slots=True)
class Samples:
    project: Project | None
    documents: int = 0
    memories: int = 0


async def find_samples(ports: Ports, scope: Scope) -> Samples:
    try:
        project = await get_project(ports, scope, SLUG)
    except NotFound:
        return Samples(None)
    return Samples(project, project.document_count, project.memory_count)


async def add_samples(ports: Ports, scope: Scope) -> Samples:
    """Save all sample documents and statements like any others."""
    if (await find_samples(ports, scope)).project:
        raise Conflict("The sample data is installed already; remove it first to install it again.")
    await create_project(ports, scope, "Sample data", "Invented, to try remem with.", SLUG)
    for document in DOCUMENTS:
        await ingest(ports, scope, _document(document))
    for statement in STATEMENTS:
        await save_memory(ports, scope, _statement(statement))
    return await find_samples(ports, scope)


async def remove_samples(ports: Ports, scope: Scope) -> None:
    await delete_project(ports, scope, SLUG, recursive=True)


def _document(sample: SampleDocument) -> DocumentDraft:
    return DocumentDraft(
        sample.text,
        title=sample.title,
        tags=list(sample.tags),
        project=SLUG,
        source=SOURCE,
        created_at=now() - timedelta(days=sample.days_ago),
    )


def _statement(sample: SampleStatement) -> MemoryDraft:
    due_in = timedelta(days=sample.due_in_days) if sample.due_in_days else None
    stated_at = now() - timedelta(days=sample.days_ago)
    return MemoryDraft(
        sample.text,
        category=sample.category,
        project=SLUG,
        source=SOURCE,
        due_at=now() + due_in if due_in else None,
        created_at=stated_at,
        stated_at=stated_at,
    )
