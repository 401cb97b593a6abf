"""Subscribe to feeds, list them, and end a subscription."""

from uuid import UUID

from remem.core.errors import Conflict, NotFound
from remem.core.events.record import record
from remem.core.feeds import feed_store
from remem.core.feeds.model import FEEDS_LIMIT, KINDS, Feed, FeedKind
from remem.core.jobs.enqueue import enqueue
from remem.core.ports import Ports
from remem.core.projects.manage import lock_project
from remem.core.projects.resolve import refuse_archived, resolve, resolve_all
from remem.core.scope import Scope
from remem.core.validate import check_one_of, check_url

JOB = "collect_digests"


async def subscribe(
    ports: Ports, scope: Scope, url: str, kind: FeedKind, project: str | UUID | None
) -> tuple[Feed, bool]:
    """Subscribe a project to a URL; return the feed, and whether it is new. It is read for the
    first time by the next collection."""
    check_url("url", url)
    # Refuse a forbidden address now instead of at the next collection.
    ports.fetcher.check(url)
    check_one_of("kind", kind, KINDS)
    async with ports.db.transaction(scope) as tx:
        target = await resolve(tx, project, create=isinstance(project, str))
        refuse_archived(target)
        await lock_project(tx, target.id)
        if known := await feed_store.find_url(tx, target.id, url):
            return known, False
        if await feed_store.count(tx) >= FEEDS_LIMIT:
            raise Conflict(f"There are {FEEDS_LIMIT} feeds, the most there can be; delete some.")
        id = await feed_store.insert(tx, target.id, kind, url)
        await record(tx, "feed", id, "create")
        feed = await feed_store.find(tx, id)
    if feed is None:
        raise NotFound("feed", id)
    return feed, True


async def list_feeds(ports: Ports, scope: Scope, project: str | None) -> list[Feed]:
    async with ports.db.transaction(scope) as tx:
        return await feed_store.list_all(tx, await resolve_all(tx, project))


async def unsubscribe(ports: Ports, scope: Scope, id: UUID) -> None:
    """Delete a feed; its collected entries stay."""
    async with ports.db.transaction(scope) as tx:
        if await feed_store.find(tx, id) is None:
            raise NotFound("feed", id)
        await feed_store.delete(tx, id)
        await record(tx, "feed", id, "delete")


async def request_collection(ports: Ports, scope: Scope) -> UUID:
    """Queue the collection of all feeds; return the id of the job."""
    async with ports.db.transaction(scope) as tx:
        return await enqueue(ports, tx, JOB, scope.tenant_id)
