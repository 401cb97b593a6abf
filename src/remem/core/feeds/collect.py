"""Collect what is new in the feeds of a tenant, as one digest a day, kind and project."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from uuid import NAMESPACE_URL, UUID, uuid5

import structlog

from remem.core.documents.ingest import ingest
from remem.core.documents.model import Draft as Document
from remem.core.errors import RememError
from remem.core.feed_entries import FeedEntry, ParsedFeed
from remem.core.feeds import store
from remem.core.feeds.compose import DigestPart, DigestText, digest_of, statement_of
from remem.core.feeds.manage import JOB
from remem.core.feeds.model import ENTRIES_LIMIT, ERROR_CHARS, KINDS, Digest, Feed, FeedKind
from remem.core.feeds.problems import problem_of
from remem.core.identity.everyone import every_tenant
from remem.core.jobs.enqueue import enqueue
from remem.core.language.person import feed_speaker
from remem.core.memories.model import DISTIL, SPEAKER_LIMIT
from remem.core.memories.model import MemoryDraft as Statement
from remem.core.memories.save import save_memory
from remem.core.ports import PageVersion, Ports
from remem.core.scope import Scope
from remem.core.text import shorten
from remem.core.time import now

SOURCE = "feed"
_UNEXPECTED = "An unexpected error stopped reading the feed; the server's log says which."

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class _News:
    """New entries of a feed; `version` is that of the feed, where nothing more of it is left."""

    feed: Feed
    name: str
    entries: list[FeedEntry]
    version: PageVersion | None


async def collect_digests(ports: Ports, scope: Scope) -> list[Digest]:
    """Research first, then new projects. Done again, or twice at once, it makes nothing twice."""
    async with ports.db.transaction(scope) as tx:
        feeds = await store.list_all(tx, scope, None, collectable=True)
    made = []
    for kind in KINDS:
        for project_id in dict.fromkeys(feed.project_id for feed in feeds if feed.kind == kind):
            chosen = [one for one in feeds if (one.kind, one.project_id) == (kind, project_id)]
            digest = await _digest(ports, scope, kind, project_id, chosen)
            made += [digest] if digest else []
    return made


async def collect_job(ports: Ports, scope: Scope, subject_id: UUID) -> None:
    """The same as a job."""
    await collect_digests(ports, scope)


async def schedule_digests(ports: Ports) -> int:
    """Queue the job for every tenant that has feeds."""
    count = 0
    async for scope in every_tenant(ports):
        async with ports.db.transaction(scope) as tx:
            if await store.count(tx, scope):
                await enqueue(ports, tx, scope, JOB, scope.tenant_id)
                count += 1
    return count


async def _digest(
    ports: Ports, scope: Scope, kind: FeedKind, project_id: UUID, feeds: Sequence[Feed]
) -> Digest | None:
    news: list[_News] = []
    seen: set[str] = set()
    for feed in feeds:
        found = await _news(ports, scope, feed, seen)
        if found is None:
            continue
        room = ENTRIES_LIMIT - len(seen)
        entries = found.entries[: max(0, room)]
        seen |= {entry.key for entry in entries}
        whole = len(entries) == len(found.entries)
        news.append(replace(found, entries=entries, version=found.version if whole else None))
    if not any(one.entries for one in news):
        await _note_versions(ports, scope, news)
        return None
    parts = [(one.name, one.entries) for one in news if one.entries]
    text = digest_of(kind, now().date(), parts)
    document_id = await _keep(ports, scope, kind, project_id, text, news)
    await _note_versions(ports, scope, news)
    return Digest(kind, project_id, document_id, len(text.parts))


async def _note_versions(ports: Ports, scope: Scope, news: Sequence[_News]) -> None:
    """Only when what was read is kept: a feed that is asked for what is newer tells the rest never
    again."""
    async with ports.db.transaction(scope) as tx:
        for one in news:
            if one.version:
                version = one.version
                await store.note_version(
                    tx, scope, one.feed.id, version.etag, version.last_modified
                )


async def _news(ports: Ports, scope: Scope, feed: Feed, seen: set[str]) -> _News | None:
    read = await _read(ports, scope, feed)
    if read is None:
        return None
    parsed, version = read
    keys = [entry.key for entry in parsed.entries]
    async with ports.db.transaction(scope) as tx:
        known = await store.known_keys(tx, scope, feed.project_id, keys)
    entries = [one for one in parsed.entries if one.key not in known and one.key not in seen]
    return _News(feed, parsed.title or feed.url, entries, version)


async def _read(ports: Ports, scope: Scope, feed: Feed) -> tuple[ParsedFeed, PageVersion] | None:
    """None where nothing has changed, or it cannot be read now; why is kept beside the feed."""
    known = PageVersion(feed.etag, feed.last_modified)
    try:
        fetched = await ports.fetcher.fetch_newer(feed.url, known)
        parsed = await ports.feeds.parse(fetched.data, fetched.url) if fetched else None
        async with ports.db.transaction(scope) as tx:
            if parsed is None:
                await store.note_unchanged(tx, scope, feed.id)
            else:
                await store.note_read(tx, scope, feed.id, parsed.title)
    except RememError as error:
        log.warning("feed_failed", feed=str(feed.id), error=error.code)
        await _note_failure(ports, scope, feed, problem_of(error))
        return None
    except Exception as error:
        # Whatever one feed sends, the others are collected.
        log.exception("feed_failed", feed=str(feed.id), error=type(error).__name__)
        await _note_failure(ports, scope, feed, _UNEXPECTED)
        return None
    return (parsed, fetched.version) if fetched and parsed else None


async def _note_failure(ports: Ports, scope: Scope, feed: Feed, message: str) -> None:
    async with ports.db.transaction(scope) as tx:
        await store.note_failure(tx, scope, feed.id, shorten(message, ERROR_CHARS))


async def _keep(
    ports: Ports,
    scope: Scope,
    kind: FeedKind,
    project_id: UUID,
    text: DigestText,
    news: Sequence[_News],
) -> UUID:
    """The document, its memories, and only then that the entries are known: what is cut short is
    done again, under the same ids."""
    day = now().date()
    draft = Document(
        text.content,
        id=_id_of(scope, kind, project_id, day, [part.entry.key for part in text.parts]),
        title=text.title,
        content_type="markdown",
        project=project_id,
        tags=["digest", kind],
        # It is not the user who speaks in it: "I" and "my" are somebody else's.
        metadata={"digest": kind, "day": day.isoformat(), "speaker": feed_speaker(kind)},
        source=SOURCE,
        index_only=True,
    )
    saved = await ingest(ports, scope, draft)
    names = {entry.key: one.name for one in news for entry in one.entries}
    for part in text.parts:
        await _remember(ports, scope, saved.document.id, project_id, part, names[part.entry.key])
    async with ports.db.transaction(scope) as tx:
        for one in news:
            await store.insert_keys(tx, scope, one.feed.id, [entry.key for entry in one.entries])
    return saved.document.id


async def _remember(
    ports: Ports, scope: Scope, document_id: UUID, project_id: UUID, part: DigestPart, name: str
) -> None:
    """It is the feed that says so, and not the owner: it updates nothing that the owner said."""
    evidence = {"document_id": str(document_id), "start": part.start, "end": part.end}
    draft = Statement(
        statement_of(part.entry),
        title=part.entry.title,
        category="note",
        project=project_id,
        context={"url": part.entry.url} if part.entry.url else {},
        document_id=document_id,
        evidence=evidence,
        speaker=shorten(feed_speaker(name), SPEAKER_LIMIT),
        said_at=_not_later(part.entry.published_at),
        # As whatever a document tells, it goes with the document.
        source=DISTIL,
    )
    try:
        await save_memory(ports, scope, draft)
    except RememError as error:
        # The plan is full, or the document was deleted meanwhile; the digest has the entry.
        log.warning("entry_not_remembered", error=error.code)


def _not_later(moment: datetime | None) -> datetime | None:
    """A feed may claim any day; one that is still to come is now."""
    return min(moment, now()) if moment else None


def _id_of(scope: Scope, kind: FeedKind, project_id: UUID, day: date, keys: Sequence[str]) -> UUID:
    """The same digest has the same id."""
    name = "\n".join([str(scope.tenant_id), kind, str(project_id), day.isoformat(), *sorted(keys)])
    return uuid5(NAMESPACE_URL, name)
