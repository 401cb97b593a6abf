"""Collect new entries of a tenant's feeds into one digest per day, kind and project."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from uuid import NAMESPACE_URL, UUID, uuid5

import structlog

from remem.core.documents.ingest import ingest
from remem.core.documents.model import Draft as Document
from remem.core.errors import RememError
from remem.core.feed_entries import FeedEntry, ParsedFeed
from remem.core.feeds import feed_store
from remem.core.feeds.manage import JOB
from remem.core.feeds.model import ENTRIES_LIMIT, ERROR_CHARS, KINDS, Digest, Feed, FeedKind
from remem.core.identity.everyone import every_tenant
from remem.core.jobs.enqueue import enqueue
from remem.core.language.person import feed_speaker
from remem.core.memories.model import DISTIL, SPEAKER_LIMIT
from remem.core.memories.model import MemoryDraft as Statement
from remem.core.memories.save import save_memory
from remem.core.ports import PageVersion, Ports
from remem.core.scope import Scope
from remem.core.text import lead, shorten
from remem.core.time import now

# Compose a digest of entries: its text, and the position of each entry in it. Pure.


TITLES: dict[FeedKind, str] = {"research": "Research digest", "projects": "New projects"}
STATEMENT_CHARS = 400


@dataclass(frozen=True, slots=True)
class DigestPart:
    """An entry and its position in the text."""

    entry: FeedEntry
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class DigestText:
    title: str
    content: str
    parts: tuple[DigestPart, ...]


def digest_of(
    kind: FeedKind, day: date, feeds: Sequence[tuple[str, Sequence[FeedEntry]]]
) -> DigestText:
    """Compose a digest in Markdown: a section for each feed, a list item for each entry."""
    title = f"{TITLES[kind]}, {day.day} {day:%B} {day.year}"
    content, parts = f"# {title}\n", []
    for name, entries in feeds:
        content += f"\n## {name}\n"
        for entry in entries:
            content += "\n"
            start = len(content)
            content += _item_markdown(entry)
            parts.append(DigestPart(entry, start, len(content)))
            content += "\n"
    return DigestText(title, content.rstrip("\n"), tuple(parts))


def statement_of(entry: FeedEntry) -> str:
    """The statement of an entry's memory: the title and the first sentence of the summary."""
    words = lead(entry.summary, 1, STATEMENT_CHARS)
    if not words or words.startswith(entry.title):
        return words or entry.title
    return f"{entry.title.rstrip('.')}. {words}"


def _item_markdown(entry: FeedEntry) -> str:
    name = f"[{_escape(entry.title)}]({entry.url})" if entry.url else entry.title
    return f"- {name}: {entry.summary}" if entry.summary else f"- {name}"


def _escape(text: str) -> str:
    return text.replace("[", "(").replace("]", ")")


SOURCE = "feed"
_UNEXPECTED = "An unexpected error stopped reading the feed; the server's log says which."

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class _FeedNews:
    """New entries of a feed; `version` is the feed's, or None if some entries are left for
    later."""

    feed: Feed
    name: str
    entries: list[FeedEntry]
    version: PageVersion | None


async def collect_digests(ports: Ports, scope: Scope) -> list[Digest]:
    """Create the digests, research first, then new projects. Repeated or concurrent calls create no
    duplicates."""
    async with ports.db.transaction(scope) as tx:
        feeds = await feed_store.list_all(tx, None, collectable=True)
    digests = []
    for kind in KINDS:
        for project_id in dict.fromkeys(feed.project_id for feed in feeds if feed.kind == kind):
            chosen = [feed for feed in feeds if (feed.kind, feed.project_id) == (kind, project_id)]
            digest = await _digest(ports, scope, kind, project_id, chosen)
            digests += [digest] if digest else []
    return digests


async def collect_job(ports: Ports, scope: Scope, subject_id: UUID) -> None:
    """The job that calls `collect_digests`."""
    await collect_digests(ports, scope)


async def schedule_digests(ports: Ports) -> int:
    """Queue the job for every tenant that has feeds."""
    count = 0
    async for scope in every_tenant(ports):
        async with ports.db.transaction(scope) as tx:
            if await feed_store.count(tx):
                await enqueue(ports, tx, JOB, scope.tenant_id)
                count += 1
    return count


async def _digest(
    ports: Ports, scope: Scope, kind: FeedKind, project_id: UUID, feeds: Sequence[Feed]
) -> Digest | None:
    news: list[_FeedNews] = []
    seen: set[str] = set()
    for feed in feeds:
        feed_news = await _read_news(ports, scope, feed, seen)
        if feed_news is None:
            continue
        room = ENTRIES_LIMIT - len(seen)
        entries = feed_news.entries[: max(0, room)]
        seen |= {entry.key for entry in entries}
        is_complete = len(entries) == len(feed_news.entries)
        news.append(
            replace(feed_news, entries=entries, version=feed_news.version if is_complete else None)
        )
    if not any(item.entries for item in news):
        await _note_versions(ports, scope, news)
        return None
    parts = [(item.name, item.entries) for item in news if item.entries]
    text = digest_of(kind, now().date(), parts)
    document_id = await _save_digest(ports, scope, kind, project_id, text, news)
    await _note_versions(ports, scope, news)
    return Digest(kind, project_id, document_id, len(text.parts))


async def _note_versions(ports: Ports, scope: Scope, news: Sequence[_FeedNews]) -> None:
    """Store the versions of the feeds, only after their entries are saved: a conditional request
    never returns entries of a known version again."""
    async with ports.db.transaction(scope) as tx:
        for item in news:
            if item.version:
                version = item.version
                await feed_store.note_version(tx, item.feed.id, version.etag, version.last_modified)


async def _read_news(ports: Ports, scope: Scope, feed: Feed, seen: set[str]) -> _FeedNews | None:
    result = await _fetch(ports, scope, feed)
    if result is None:
        return None
    parsed, version = result
    keys = [entry.key for entry in parsed.entries]
    async with ports.db.transaction(scope) as tx:
        known = await feed_store.known_keys(tx, feed.project_id, keys)
    entries = [
        entry for entry in parsed.entries if entry.key not in known and entry.key not in seen
    ]
    return _FeedNews(feed, parsed.title or feed.url, entries, version)


async def _fetch(ports: Ports, scope: Scope, feed: Feed) -> tuple[ParsedFeed, PageVersion] | None:
    """Fetch and parse a feed; None if it has not changed or cannot be read. The reason is stored
    with the feed."""
    known = PageVersion(feed.etag, feed.last_modified)
    try:
        fetched = await ports.fetcher.fetch_newer(feed.url, known)
        parsed = await ports.feeds.parse(fetched.data, fetched.url) if fetched else None
        async with ports.db.transaction(scope) as tx:
            if parsed is None:
                await feed_store.note_unchanged(tx, feed.id)
            else:
                await feed_store.note_read(tx, feed.id, parsed.title)
    except RememError as error:
        log.warning("feed_failed", feed=str(feed.id), error=error.code)
        await _note_failure(ports, scope, feed, feed_problem(error))
        return None
    except Exception as error:
        # One bad feed must not stop the others.
        log.exception("feed_failed", feed=str(feed.id), error=type(error).__name__)
        await _note_failure(ports, scope, feed, _UNEXPECTED)
        return None
    return (parsed, fetched.version) if fetched and parsed else None


async def _note_failure(ports: Ports, scope: Scope, feed: Feed, message: str) -> None:
    async with ports.db.transaction(scope) as tx:
        await feed_store.note_failure(tx, feed.id, shorten(message, ERROR_CHARS))


async def _save_digest(
    ports: Ports,
    scope: Scope,
    kind: FeedKind,
    project_id: UUID,
    text: DigestText,
    news: Sequence[_FeedNews],
) -> UUID:
    """Save the document, then its memories, and only then mark the entries as known: an interrupted
    run is repeated with the same ids."""
    day = now().date()
    draft = Document(
        text.content,
        id=_digest_id(scope, kind, project_id, day, [part.entry.key for part in text.parts]),
        title=text.title,
        content_type="markdown",
        project=project_id,
        tags=["digest", kind],
        # The user is not the speaker: "I" and "my" refer to someone else.
        metadata={"digest": kind, "day": day.isoformat(), "speaker": feed_speaker(kind)},
        source=SOURCE,
        index_only=True,
    )
    saved = await ingest(ports, scope, draft)
    names = {entry.key: item.name for item in news for entry in item.entries}
    for part in text.parts:
        await _save_entry_memory(
            ports, scope, saved.document.id, project_id, part, names[part.entry.key]
        )
    async with ports.db.transaction(scope) as tx:
        for item in news:
            await feed_store.insert_keys(tx, item.feed.id, [entry.key for entry in item.entries])
    return saved.document.id


async def _save_entry_memory(
    ports: Ports, scope: Scope, document_id: UUID, project_id: UUID, part: DigestPart, name: str
) -> None:
    """Save a memory of an entry. The feed is its speaker, not the owner, so that it replaces
    nothing that the owner stated."""
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
        said_at=_clamp_to_now(part.entry.published_at),
        # Like other distilled memories, it is deleted with its document.
        source=DISTIL,
    )
    try:
        await save_memory(ports, scope, draft)
    except RememError as error:
        # The plan is full, or the document was deleted meanwhile. The digest contains the entry.
        log.warning("entry_not_remembered", error=error.code)


def _clamp_to_now(moment: datetime | None) -> datetime | None:
    """Replace a future moment by now: a feed may claim any date."""
    return min(moment, now()) if moment else None


def _digest_id(
    scope: Scope, kind: FeedKind, project_id: UUID, day: date, keys: Sequence[str]
) -> UUID:
    """A deterministic id, so that the same digest has the same id."""
    name = "\n".join([str(scope.tenant_id), kind, str(project_id), day.isoformat(), *sorted(keys)])
    return uuid5(NAMESPACE_URL, name)


# Messages for why a feed could not be read. Pure.


_LATER = "it is tried again at the next collection"
_CHECK = "check the address, and subscribe to the right one"
_PROBLEMS = {
    "name_not_found": f"The name of its server was not found; {_CHECK}.",
    "connection_refused": f"Its server refused the connection; {_LATER}.",
    "connect_timeout": f"Its server did not accept a connection in time; {_LATER}.",
    "unreachable": f"Its server could not be reached; {_LATER}.",
    "connection_lost": f"Its server closed the connection too early; {_LATER}.",
    "broken_answer": f"Its server gave a broken answer; {_LATER}.",
    "fetch_timeout": f"Its server did not answer in full in time; {_LATER}.",
    "page_down": f"Its server cannot answer now; {_LATER}.",
    "tls_certificate": f"Its server has no valid certificate; {_CHECK}.",
    "tls_failed": "Its server does not speak TLS as it should; check the address.",
    "page_removed": f"There is no feed at this address any more; {_CHECK}.",
    "page_gone": f"There is no feed at this address any more; {_CHECK}.",
    "page_forbidden": "Its server does not show it to everyone; only public feeds are read.",
    "no_page": f"Its server gave no feed; {_CHECK}.",
    "too_many_redirects": f"The address redirects too often; {_CHECK}.",
    "page_too_large": "The feed is too large to be read; subscribe to a smaller one.",
}


def feed_problem(error: RememError) -> str:
    return _PROBLEMS.get(error.code, error.message)
