"""The check-up: what there is to fix, with a number for each kind, and the lists behind them."""

from collections.abc import Awaitable, Callable
from datetime import datetime
from uuid import UUID

from remem.core.backup.status import BackupStatus
from remem.core.checkup import checkup_store
from remem.core.checkup.capture import find_gaps
from remem.core.checkup.duplicates import find_duplicates
from remem.core.checkup.model import (
    COUNT_LIMIT,
    Finding,
    FindingItem,
    FindingKind,
    FindingPage,
    describe,
)
from remem.core.checkup.plain import find_plain_secrets
from remem.core.checkup.server import backup_items
from remem.core.errors import Invalid
from remem.core.ports import LocalModels, Ports
from remem.core.scope import Scope
from remem.core.text import shorten
from remem.core.transaction import Row, Tx
from remem.core.vector_models.current import current_embedder, current_names

_SHOWN_CHARS = 300
_Reader = Callable[[Ports, Scope, str | None, int], Awaitable[list[FindingItem]]]


async def check_up(ports: Ports, scope: Scope, backups: BackupStatus | None) -> list[Finding]:
    """What there is to fix. `backups` is None for a caller whose server it is not."""
    async with ports.db.transaction(scope) as tx:
        languages = await _languages(ports, tx)
        counts: dict[FindingKind, int] = {
            "contradictions": await checkup_store.count_contradictions(tx),
            "lost_sources": await checkup_store.count_lost(tx),
            "never_recalled": await checkup_store.count_unused(tx),
            "without_vectors": await checkup_store.count_bare(tx, await current_names(ports, tx)),
            "capture_gaps": len(await find_gaps(tx)),
            "languages": await checkup_store.count_unread(tx, languages) if languages else 0,
        }
    duplicates = len(await find_duplicates(ports, scope))
    secrets = len(await find_plain_secrets(ports, scope, None, COUNT_LIMIT + 1))
    findings = [
        *(describe("backups", 1, detail=item.detail) for item in backup_items(backups)),
        _capped("secrets", secrets),
        *(describe(kind, count) for kind, count in counts.items() if count),
        _capped("duplicates", duplicates),
    ]
    return [finding for finding in findings if finding.count]


def _capped(kind: FindingKind, count: int) -> Finding:
    return describe(kind, min(count, COUNT_LIMIT), is_more=count > COUNT_LIMIT)


async def list_findings(
    ports: Ports,
    scope: Scope,
    kind: FindingKind,
    backups: BackupStatus | None,
    after: str | None,
    limit: int,
) -> FindingPage:
    """A page of a finding, in the order of the keys."""
    if kind == "backups":
        return FindingPage(backup_items(backups), None)
    try:
        items = await _READERS[kind](ports, scope, after, limit + 1)
    except Invalid as error:
        if error.field != "key":
            raise
        problem = "is not a valid cursor; send the next_cursor of the previous page"
        raise Invalid("cursor", problem) from error
    return FindingPage(items[:limit], items[limit - 1].key if len(items) > limit else None)


async def _contradictions(
    ports: Ports, scope: Scope, after: str | None, limit: int
) -> list[FindingItem]:
    async with ports.db.transaction(scope) as tx:
        rows = await checkup_store.contradictions(tx, read_id(after), limit)
    return [_contradiction(row) for row in rows]


def _contradiction(row: Row) -> FindingItem:
    older, newer = sorted("ab", key=lambda side: (row[f"{side}_at"], row[f"{side}_id"]))
    return FindingItem(
        key=str(row["id"]),
        subject="memory",
        id=str(row[f"{older}_id"]),
        text=_short(row[f"{older}_content"]),
        detail=f"Later: {_short(row[f'{newer}_content'])}",
        other_id=str(row[f"{newer}_id"]),
        at=row[f"{older}_at"],
    )


async def _lost(ports: Ports, scope: Scope, after: str | None, limit: int) -> list[FindingItem]:
    async with ports.db.transaction(scope) as tx:
        rows = await checkup_store.lost(tx, read_id(after), limit)
    return [_memory(row, "Its document was deleted.") for row in rows]


async def _unused(ports: Ports, scope: Scope, after: str | None, limit: int) -> list[FindingItem]:
    async with ports.db.transaction(scope) as tx:
        rows = await checkup_store.unused(tx, read_id(after), limit)
    return [_memory(row, "No search or assistant has needed it.") for row in rows]


def _memory(row: Row, detail: str) -> FindingItem:
    id, at = str(row["id"]), row["created_at"]
    return FindingItem(id, "memory", id, _short(row["content"]), detail, at=at)


async def _bare(ports: Ports, scope: Scope, after: str | None, limit: int) -> list[FindingItem]:
    async with ports.db.transaction(scope) as tx:
        models = await current_names(ports, tx)
        rows = await checkup_store.bare(tx, models, read_id(after), limit)
    return [
        _document(row, _short(row["text"]), _parts(row["parts"]))
        if row["kind"] == "document"
        else FindingItem(
            str(row["id"]),
            "memory",
            str(row["id"]),
            _short(row["text"]),
            "It has no vector.",
            at=row["created_at"],
        )
        for row in rows
    ]


def _parts(count: int) -> str:
    return "1 part has no vector." if count == 1 else f"{count:,} parts have no vector."


async def _unread(ports: Ports, scope: Scope, after: str | None, limit: int) -> list[FindingItem]:
    async with ports.db.transaction(scope) as tx:
        languages = await _languages(ports, tx)
        if not languages:
            return []
        rows = await checkup_store.unread(tx, languages, read_id(after), limit)
    return [_document(row, row["title"], f"Language: {row['language']}") for row in rows]


async def _languages(ports: Ports, tx: Tx) -> list[str]:
    """The languages that the embedding model reads; empty if they are not known."""
    if not isinstance(ports.embedder, LocalModels):
        return []
    model = (await current_embedder(ports, tx)).model
    return sorted(ports.embedder.languages_of(model) or ())


async def _gaps(ports: Ports, scope: Scope, after: str | None, limit: int) -> list[FindingItem]:
    async with ports.db.transaction(scope) as tx:
        return _later(await find_gaps(tx), after, limit)


async def _duplicates(
    ports: Ports, scope: Scope, after: str | None, limit: int
) -> list[FindingItem]:
    return _later(await find_duplicates(ports, scope), after, limit)


def _later(items: list[FindingItem], after: str | None, limit: int) -> list[FindingItem]:
    return [item for item in items if after is None or item.key > after][:limit]


def _document(row: Row, title: str, detail: str) -> FindingItem:
    at: datetime = row["created_at"]
    return FindingItem(str(row["id"]), "document", str(row["id"]), title, detail, at=at)


def _short(text: str) -> str:
    return shorten(" ".join(text.split()), _SHOWN_CHARS)


def read_id(key: str | None) -> UUID:
    """The id that is the key of an item; the smallest one without a key."""
    try:
        return UUID(key or "0" * 32)
    except ValueError as error:
        raise Invalid("key", "is none of this list; send it as it was listed") from error


_READERS: dict[FindingKind, _Reader] = {
    "duplicates": _duplicates,
    "contradictions": _contradictions,
    "lost_sources": _lost,
    "never_recalled": _unused,
    "without_vectors": _bare,
    "capture_gaps": _gaps,
    "languages": _unread,
    "secrets": find_plain_secrets,
}
