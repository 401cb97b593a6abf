"""SQL of search: what may be found, what is known of it, and its text."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from remem.core.db import Tx
from remem.core.index.kinds import CHUNK, MEMORY
from remem.core.ports import Among
from remem.core.scope import Scope
from remem.core.search.model import Candidate, Filters, Sign
from remem.core.search.times import Window
from remem.core.unreadable import values_of

_CHUNKS = "FROM chunks c JOIN documents d ON d.tenant_id = c.tenant_id AND d.id = c.document_id"
_ALIVE = "d.is_latest AND (d.forget_after IS NULL OR d.forget_after > now())"
_SAID = "coalesce(c.said_at, d.created_at)"
_HOLDS = (
    "m.is_current AND m.deleted_at IS NULL AND m.state = 'active'"
    " AND (m.valid_from IS NULL OR m.valid_from <= now())"
    " AND (m.valid_until IS NULL OR m.valid_until > now())"
)
_HAPPENED = "coalesce(m.occurred_at, m.said_at, m.created_at)"


@dataclass(frozen=True, slots=True)
class _Kind:
    """How one kind of thing is read: from where, which may be found, and what is known of it.

    `filters` are conditions by the name of a filter; `sign` the columns of a Sign in their order.
    `moments` tell when it was, the second where the first does not: apart from each other an index
    can answer them."""

    rows: str
    id: str
    shown: str
    moments: tuple[str, str]
    filters: Mapping[str, str]
    sign: str
    text: str


_KINDS: dict[str, _Kind] = {
    CHUNK: _Kind(
        rows=_CHUNKS,
        id="c.id",
        shown=f"c.tenant_id = {{0}} AND {_ALIVE}",
        moments=("c.said_at", "d.created_at"),
        filters={
            "content_types": "d.content_type = ANY({}::text[])",
            "tags": "d.tags @> {}::text[]",
            "created_after": "d.created_at >= {}",
            "created_before": "d.created_at < {}",
            "metadata": "d.metadata @> {}::jsonb",
        },
        sign="c.id, c.document_id, coalesce(c.strand, c.document_id),"
        " coalesce(c.place, c.chunk_index), lower(coalesce(c.speaker, '')),"
        f" {_SAID}, c.asks, c.tells_time, c.end_offset - c.start_offset, d.created_at",
        text="c.content",
    ),
    MEMORY: _Kind(
        rows="FROM memories m",
        id="m.id",
        shown=f"m.tenant_id = {{0}} AND {_HOLDS}",
        moments=("coalesce(m.occurred_at, m.said_at)", "m.created_at"),
        filters={
            "categories": "m.category = ANY({}::text[])",
            "tags": "m.tags @> {}::text[]",
            "created_after": "m.created_at >= {}",
            "created_before": "m.created_at < {}",
            "metadata": "m.context @> {}::jsonb",
        },
        sign="m.id, m.id, coalesce(m.session_id, m.id), 0, lower(coalesce(m.speaker, '')),"
        f" {_HAPPENED}, 0::real, m.occurred_at IS NOT NULL OR m.due_at IS NOT NULL,"
        " length(m.content), m.created_at",
        text="m.content",
    ),
}


def _where(way: _Kind, scope: Scope, filters: Filters) -> tuple[str, list[object]]:
    """Conditions with places, and what goes there: only what is asked, for every other condition
    would have the planner expect fewer rows."""
    conditions: list[str] = [way.shown]
    values: list[object] = [scope.tenant_id]
    for name, condition in way.filters.items():
        if value := getattr(filters, name):
            conditions.append(condition.format(f"{{{len(values)}}}"))
            values.append(list(value) if isinstance(value, tuple) else value)
    return f"WHERE {' AND '.join(conditions)}", values


def among(
    scope: Scope, kind: str, filters: Filters, windows: Sequence[Window] = ()
) -> Among | None:
    """What the filters leave, from one of the windows; None when all may be found."""
    if not filters.any and not windows:
        return None
    way = _KINDS[kind]
    where, values = _where(way, scope, filters)
    if not windows:
        return Among(f"SELECT {way.id} {way.rows} {where}", tuple(values))
    first, other = (_in_time(moment, windows, len(values)) for moment in way.moments)
    in_time = (
        f"SELECT {way.id} {way.rows} {where} AND {first} UNION ALL"
        f" SELECT {way.id} {way.rows} {where} AND {way.moments[0]} IS NULL AND {other}"
    )
    return Among(in_time, (*values, *(end for window in windows for end in window)))


def _in_time(moment: str, windows: Sequence[Window], taken: int) -> str:
    ends = range(taken, taken + 2 * len(windows), 2)
    each = (f"{moment} >= {{{n}}} AND {moment} < {{{n + 1}}}" for n in ends)
    return f"({' OR '.join(each)})"


async def speakers(tx: Tx, scope: Scope, names: Sequence[str]) -> list[str]:
    """Those of the names that are the first name of somebody who says something. Each is looked up
    as the next in order: to look for one that nobody has would read every turn."""
    rows = await tx.fetch(
        "SELECT name FROM unnest($2::text[]) AS name WHERE name = (SELECT c.voice FROM chunks c"
        " WHERE c.tenant_id = $1 AND c.voice >= name ORDER BY c.voice LIMIT 1)",
        scope.tenant_id,
        list(names),
    )
    return [row["name"] for row in rows]


async def signs(
    tx: Tx, scope: Scope, kind: str, ids: Sequence[UUID], exact: Sequence[str] = ()
) -> list[Sign]:
    """What is known of candidates; what is gone or past its time is left out."""
    way = _KINDS[kind]
    held = f"(SELECT count(*) FROM unnest($3::text[]) e WHERE lower({way.text}) ~ e)"
    rows = await tx.fetch(
        f"SELECT {way.sign}, {held if exact else '0'}::int"
        f" {way.rows} WHERE {way.shown.format('$1')} AND {way.id} = ANY($2)",
        scope.tenant_id,
        list(ids),
        *([[_to_the_letter(one) for one in exact]] if exact else []),
    )
    return [Sign(*row) for row in rows]


def _to_the_letter(wanted: str) -> str:
    """As a pattern: whatever white space is between, but not the beginning of something longer,
    as #4 is of #42."""
    bare = r"\s+".join(re.escape(word) for word in wanted.split())
    before = "(?<![a-z0-9_])" if re.match(r"[a-z0-9_]", wanted) else ""
    behind = "(?![a-z0-9_])" if re.search(r"[a-z0-9_]\Z", wanted) else ""
    return before + bare + behind


async def most_recent(
    tx: Tx, scope: Scope, filters: Filters, project_ids: Sequence[UUID] | None, limit: int
) -> list[UUID]:
    """The first chunks of the documents that were saved last."""
    way = _KINDS[CHUNK]
    template, values = _where(way, scope, filters)
    taken = len(values)
    where = template.format(*(f"${n}" for n in range(1, taken + 1)))
    rows = await tx.fetch(
        f"SELECT c.id {way.rows} {where} AND c.chunk_index = 0"
        f" AND (${taken + 1}::uuid[] IS NULL OR d.project_id = ANY(${taken + 1}))"
        f" ORDER BY d.created_at DESC, d.id DESC LIMIT ${taken + 2}",
        *values,
        list(project_ids) if project_ids is not None else None,
        limit,
    )
    return [row["id"] for row in rows]


async def candidates(tx: Tx, scope: Scope, ids: Sequence[UUID]) -> dict[UUID, Candidate]:
    """Their texts; those gone or past their time are left out."""
    rows = await tx.fetch(
        "SELECT c.id AS chunk_id, c.document_id, c.content, c.chunk_index, c.start_offset,"
        " c.end_offset, c.page, c.at_s, c.heading_path, c.speaker, c.said_at, d.title, d.summary,"
        " d.source_url, d.content_type, d.tags, d.project_id, d.forget_after, d.created_at,"
        " d.metadata"
        f" {_CHUNKS} WHERE c.tenant_id = $1 AND {_ALIVE} AND c.id = ANY($2)",
        scope.tenant_id,
        list(ids),
    )
    return {row["chunk_id"]: Candidate(**values_of(row)) for row in rows}
