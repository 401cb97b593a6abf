"""Save what was kept elsewhere: once, and again only where it changed there."""

from dataclasses import replace

from remem.core.documents import store
from remem.core.documents.imported.store import root_of
from remem.core.documents.ingest import ingest
from remem.core.documents.model import Document, Draft
from remem.core.documents.versions.find import latest_at_url
from remem.core.ports import Ports
from remem.core.projects.resolve import resolve
from remem.core.scope import Scope
from remem.core.time import now

# Says on a document that its text was fetched, so that no note on it takes its place.
FETCHED = "fetched"


async def take_in(ports: Ports, scope: Scope, draft: Draft, *, is_note: bool = False) -> bool:
    """False when it is here already. The id of the draft is that of the thing's first version; a
    note on a page (`is_note`) never takes the place of the page itself."""
    is_known, here = await _look(ports, scope, draft)
    if is_known and here is None:
        return False
    if here:
        is_ours = here.root_id == draft.id and not here.metadata.get(FETCHED)
        if is_note and not is_ours:
            return False
        draft = replace(draft, id=None, updates_id=here.id, project=here.project_id)
    return not (await ingest(ports, scope, draft)).existing


async def _look(ports: Ports, scope: Scope, draft: Draft) -> tuple[bool, Document | None]:
    """Whether it came before, and the latest version of it, or of what stands at its address.
    What came before and turned out to be a copy, or is past its time, has none."""
    assert draft.id is not None
    async with ports.db.transaction(scope) as tx:
        if root_id := await root_of(tx, scope, draft.id):
            latest = await store.latest_of_chain(tx, scope, root_id)
            return True, latest if latest and not _is_over(latest) else None
        project = await resolve(tx, scope, draft.project, create=draft.create_project)
        if not draft.source_url:
            return False, None
        there = await latest_at_url(tx, scope, project.id, draft.source_url)
    return False, there if there and not _is_over(there) else None


def _is_over(document: Document) -> bool:
    return document.forget_after is not None and document.forget_after <= now()
