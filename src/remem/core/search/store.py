"""SQL of search: what may be found, the features of candidates, and their texts."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal
from uuid import UUID

from remem.core.current import current_documents, replaced_memories
from remem.core.filter_sql import CHUNK_ROWS, FILTERABLE, where_sql
from remem.core.filters import Filters
from remem.core.flags import Flag, flags_sql
from remem.core.index.kinds import CHUNK, MEMORY
from remem.core.search.model import Candidate, Features, Where
from remem.core.transaction import Row, Tx
from remem.core.unreadable import row_values


def _offset_of(alias: str, end: Literal["start", "end"]) -> str:
    """The offset in its document of the start or end of the sentence that a memory was taken
    from."""
    value = f"{alias}.evidence->'{end}'"
    return f"CASE jsonb_typeof({value}) WHEN 'number' THEN ({value})::int END"


_SAID_AT = "coalesce(c.said_at, d.created_at)"
_HAPPENED_AT = "coalesce(m.occurred_at, m.said_at, m.created_at)"
_ALIVE = current_documents("d")
# The chunk that a memory was taken from: of overlapping chunks, the first that contains its
# beginning.
_BEGINNING = _offset_of("m", "start")
_SOURCE = (
    f"(SELECT c.id {CHUNK_ROWS} WHERE c.tenant_id = $1 AND c.project_id = m.project_id"
    f" AND c.document_id = m.document_id AND c.start_offset <= {_BEGINNING}"
    f" AND c.end_offset > {_BEGINNING} AND {_ALIVE} ORDER BY c.chunk_index LIMIT 1)"
)


@dataclass(frozen=True, slots=True)
class _Kind:
    """The SQL of one kind of row, in addition to its filters. `columns` are those of Features in
    their order; `source` is its chunk, `title` that of its document, `quality` its rating."""

    columns: str
    project: str
    source: str
    text: str
    title: str
    quality: str


_KINDS: dict[str, _Kind] = {
    CHUNK: _Kind(
        columns="c.id, c.document_id, coalesce(c.thread_id, c.document_id),"
        " coalesce(c.place, c.chunk_index), lower(coalesce(c.speaker, '')),"
        f" {_SAID_AT}, c.asks, c.tells_time, c.end_offset - c.start_offset, d.created_at",
        project="d.project_id",
        source="c.id",
        text="c.content",
        title="CASE WHEN c.speaker IS NULL THEN d.title ELSE '' END",
        quality="0",
    ),
    MEMORY: _Kind(
        columns="m.id, m.id, coalesce(m.session_id, m.id), 0, lower(coalesce(m.speaker, '')),"
        f" {_HAPPENED_AT}, 0::real, m.occurred_at IS NOT NULL OR m.due_at IS NOT NULL,"
        " length(m.content), m.created_at",
        project="m.project_id",
        source=_SOURCE,
        text="m.content",
        title="''",
        quality="CASE m.quality WHEN 'good' THEN 1 WHEN 'bad' THEN -1 ELSE 0 END",
    ),
}


async def speakers(tx: Tx, names: Sequence[str]) -> list[str]:
    """Those of the names that are the first name of a speaker. Each is looked up as the next name
    in index order, because an equality search for a name that nobody has would read every turn."""
    rows = await tx.fetch(
        "SELECT name FROM unnest($2::text[]) AS name WHERE name = (SELECT c.voice FROM chunks c"
        " WHERE c.tenant_id = $1 AND c.voice >= name ORDER BY c.voice LIMIT 1)",
        list(names),
    )
    return [row["name"] for row in rows]


async def features(
    tx: Tx, kind: str, ids: Sequence[UUID], where: Where | None = None, exact: Sequence[str] = ()
) -> list[Features]:
    """The features of candidates; those that are deleted, expired or outside of `where` are left
    out."""
    sql, rows = _KINDS[kind], FILTERABLE[kind]
    values: list[object] = [tx.scope.tenant_id]
    conditions = where_sql(rows, values, where.filters if where else Filters())
    conditions += f" AND {rows.id} = ANY({{{len(values)}}})"
    values.append(list(ids))
    if where and where.projects is not None:
        conditions += f" AND {sql.project} = ANY({{{len(values)}}})"
        values.append(list(where.projects))
    matches = "0"
    if exact:
        patterns = f"unnest({{{len(values)}}}::text[]) e"
        matches = f"(SELECT count(*) FROM {patterns} WHERE lower({sql.text}) ~ e)"
        values.append([_exact_pattern(string) for string in exact])
    columns = f"{sql.columns}, {matches}::int, '{kind}', {sql.source}, {sql.title}, {sql.quality}"
    text = f"SELECT {columns} {rows.rows} {conditions}"
    placeholders = (f"${n}" for n in range(1, len(values) + 1))
    return [Features(*row) for row in await tx.system.fetch(text.format(*placeholders), *values)]


def _exact_pattern(text: str) -> str:
    """A pattern for the string with any white space between its words, but not as part of a longer
    one: #4 does not match #42."""
    words = r"\s+".join(re.escape(word) for word in text.split())
    start = "(?<![a-z0-9_])" if re.match(r"[a-z0-9_]", text) else ""
    end = "(?![a-z0-9_])" if re.search(r"[a-z0-9_]\Z", text) else ""
    return start + words + end


async def most_recent(tx: Tx, kind: str, where: Where, limit: int) -> list[UUID]:
    """The newest items: the first chunks of documents, and memories without a document."""
    sql, rows = _KINDS[kind], FILTERABLE[kind]
    values: list[object] = [tx.scope.tenant_id]
    top_level = "c.chunk_index = 0" if kind == CHUNK else f"{_SOURCE} IS NULL"
    conditions = f"{where_sql(rows, values, where.filters)} AND {top_level}"
    if where.projects is not None:
        conditions += f" AND {sql.project} = ANY({{{len(values)}}})"
        values.append(list(where.projects))
    order = f"{rows.moments[1]} DESC, {rows.id} DESC LIMIT {limit:d}"
    placeholders = (f"${n}" for n in range(1, len(values) + 1))
    text = f"SELECT {rows.id} {rows.rows} {conditions} ORDER BY {order}".format(*placeholders)
    return [row["id"] for row in await tx.system.fetch(text, *values)]


async def candidates(tx: Tx, ids: Sequence[UUID]) -> dict[UUID, Candidate]:
    """The texts of chunks; those that are deleted or expired are left out."""
    rows = await tx.fetch(
        "SELECT c.id AS chunk_id, c.document_id, c.content, c.chunk_index, c.start_offset,"
        " c.end_offset, c.page, c.at_s, c.heading_path, c.speaker, c.said_at, d.title, d.summary,"
        " d.source_url, d.content_type, d.tags, d.project_id,"
        " project_ref(p.slug, p.name, p.settings) AS project_ref,"
        " d.forget_after, d.created_at, d.metadata,"
        " (SELECT b.name FROM blobs b WHERE b.tenant_id = $1 AND b.key = d.blob_key)"
        " AS file_name,"
        " coalesce((SELECT greatest(b.end_offset - c.start_offset, 0) FROM chunks b"
        " WHERE b.tenant_id = $1 AND b.document_id = c.document_id"
        " AND b.chunk_index = c.chunk_index - 1 AND b.heading_path <> c.heading_path), 0)"
        " AS repeated"
        f" {CHUNK_ROWS} JOIN projects p ON p.tenant_id = $1 AND p.id = d.project_id"
        f" WHERE c.tenant_id = $1 AND {_ALIVE} AND c.id = ANY($2)",
        list(ids),
    )
    return {row["chunk_id"]: Candidate(**row_values(row)) for row in rows}


async def texts(tx: Tx, ids: Sequence[UUID]) -> dict[UUID, tuple[str, str | None]]:
    """The text of each chunk, and in a conversation that of the turn before it."""
    rows = await tx.fetch(
        "SELECT c.id, c.content, b.content AS before FROM chunks c LEFT JOIN chunks b"
        " ON c.speaker IS NOT NULL AND b.tenant_id = $1 AND b.document_id = c.document_id"
        " AND b.chunk_index = c.chunk_index - 1 WHERE c.tenant_id = $1 AND c.id = ANY($2)",
        list(ids),
    )
    return {row["id"]: (row["content"], row["before"]) for row in rows}


_START, _END = _offset_of("o", "start"), _offset_of("o", "end")


async def replaced_statements(tx: Tx, documents: Collection[UUID]) -> list[Row]:
    """The replaced statements of these documents, with their offsets and chunk."""
    return await tx.fetch(
        f"SELECT o.id, o.root_id, o.content_hash, {_START} AS first,"
        f" least({_END}, c.end_offset) AS last, c.id AS chunk_id, c.project_id,"
        " c.end_offset - c.start_offset AS chars FROM memories o"
        " JOIN chunks c ON c.tenant_id = $1 AND c.document_id = o.document_id"
        f" AND c.start_offset <= {_START} AND c.end_offset > {_START}"
        f" WHERE o.tenant_id = $1 AND o.document_id = ANY($2) AND {replaced_memories('o')}",
        list(documents),
    )


async def replacing_chains(tx: Tx, ids: Collection[UUID]) -> dict[UUID, UUID]:
    """The chain that replaced each of these memories, if it is not its own."""
    rows = await tx.fetch(
        "SELECT l.to_id, u.root_id FROM links l"
        " JOIN memories u ON u.tenant_id = $1 AND u.id = l.from_id"
        " WHERE l.tenant_id = $1 AND l.to_kind = 'memory' AND l.to_id = ANY($2)"
        " AND l.from_kind = 'memory' AND l.relation = 'updates' ORDER BY l.id",
        list(ids),
    )
    return {row["to_id"]: row["root_id"] for row in rows}


async def merged_chains(tx: Tx, ids: Collection[UUID]) -> dict[UUID, UUID]:
    """The chain that each of these memories was merged into."""
    rows = await tx.fetch(
        "SELECT l.from_id, u.root_id FROM links l"
        " JOIN memories u ON u.tenant_id = $1 AND u.id = l.to_id"
        " WHERE l.tenant_id = $1 AND l.from_kind = 'memory' AND l.from_id = ANY($2)"
        " AND l.to_kind = 'memory' AND l.relation = 'merged_into' ORDER BY l.id",
        list(ids),
    )
    return {row["from_id"]: row["root_id"] for row in rows}


async def current_in_chains(tx: Tx, roots: Collection[UUID]) -> dict[UUID, Row]:
    """The current memory of each chain that has one, and the chunk it was taken from."""
    rows = await tx.fetch(
        "SELECT m.root_id, m.id, m.content, m.category, m.project_id, m.content_hash,"
        f" coalesce(m.valid_from, m.created_at) AS since, {_SOURCE} AS source FROM memories m"
        f" WHERE {FILTERABLE[MEMORY].shown.format('$1')} AND m.root_id = ANY($2)",
        list(roots),
    )
    return {row["root_id"]: row for row in rows}


_ID_QUERIES = {
    "document": "SELECT 'document' AS kind, d.id FROM documents d WHERE d.tenant_id = $1 AND {}",
    "memory": "SELECT 'memory' AS kind, d.id FROM memories d WHERE d.tenant_id = $1 AND {}",
    "chunk": "SELECT 'chunk' AS kind, d.id FROM chunks d WHERE d.tenant_id = $1 AND {}",
}


async def by_short_id(
    tx: Tx, short: str, kinds: Sequence[str], limit: int
) -> list[tuple[str, UUID]]:
    """The kinds and ids of items whose id begins or ends with these digits."""
    digits = short.replace("-", "")
    condition = "(d.id BETWEEN $2 AND $3 OR d.id::text LIKE $4)"
    rows = await tx.fetch(
        " UNION ALL ".join(_ID_QUERIES[kind].format(condition) for kind in kinds)
        + f" LIMIT {limit:d}",
        UUID(digits.ljust(32, "0")),
        UUID(digits.ljust(32, "f")),
        f"%{short}",
    )
    return [(row["kind"], row["id"]) for row in rows]


async def flagged_documents(tx: Tx, flags: Sequence[Flag]) -> set[UUID]:
    """The documents on which the caller has set all of these flags."""
    rows = await tx.fetch(
        f"SELECT d.id FROM documents d WHERE d.tenant_id = $1 AND {flags_sql()} @> $2::text[]",
        list(flags),
    )
    return {row["id"] for row in rows}
