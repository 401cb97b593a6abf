"""SQL of imports: lines as rows, first in temporary tables to check them, then in the real ones."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

import asyncpg

from remem.core.current import undeleted_memories
from remem.core.transaction import Row, Tx
from remem.core.transfer.kinds import BY_NAME, LINK_ENDS, SESSION, Kind


@dataclass(frozen=True, slots=True)
class Lines:
    """Lines of one kind as query parameters: `patches` replace fields of their rows."""

    kind: Kind
    columns: tuple[str, ...]
    numbers: list[int]
    texts: list[str]
    patches: list[str]


def _lines_sql(kind: Kind, taken: int = 1) -> str:
    return (
        f"(SELECT g.line, r.* FROM unnest(${taken + 1}::bigint[], ${taken + 2}::text[],"
        f" ${taken + 3}::text[]) AS g(line, text, patch) CROSS JOIN LATERAL jsonb_populate_record("
        f"NULL::{kind.table}, (g.text::jsonb -> 'row') || g.patch::jsonb) AS r)"
    )


def _parameters(lines: Lines) -> tuple[list[int], list[str], list[str]]:
    return lines.numbers, lines.texts, lines.patches


async def column_types(tx: Tx, kind: Kind) -> dict[str, str]:
    """The columns of a kind and their types."""
    rows = await tx.system.fetch(
        "SELECT attname, format_type(atttypid, NULL) AS type FROM pg_attribute"
        " WHERE attrelid = $1::text::regclass AND attnum > 0 AND NOT attisdropped",
        kind.table,
    )
    excluded = {"tenant_id", *kind.excluded}
    return {row["attname"]: row["type"] for row in rows if row["attname"] not in excluded}


# Checking


async def make_tables(tx: Tx) -> None:
    """Create a temporary table with the same constraints for each kind, dropped on commit."""
    for kind in BY_NAME.values():
        await tx.system.execute(
            f"CREATE TEMP TABLE arriving_{kind.name} (LIKE {kind.table} INCLUDING DEFAULTS"
            " INCLUDING CONSTRAINTS INCLUDING INDEXES, line bigint NOT NULL) ON COMMIT DROP"
        )


async def stage(tx: Tx, lines: Lines) -> str | None:
    """Insert lines into the temporary table; return None, or why they are invalid."""
    names = ", ".join(lines.columns)
    await tx.system.execute("SAVEPOINT staging")
    try:
        await tx.execute(
            f"INSERT INTO arriving_{lines.kind.name} (tenant_id, line, {names})"
            f" SELECT $1, line, {names} FROM {_lines_sql(lines.kind)} k",
            *_parameters(lines),
        )
    except (asyncpg.DataError, asyncpg.IntegrityConstraintViolationError) as error:
        await tx.system.execute("ROLLBACK TO SAVEPOINT staging")
        return _error_reason(error)
    await tx.system.execute("RELEASE SAVEPOINT staging")
    return None


def _error_reason(error: asyncpg.PostgresError) -> str:
    fields = error.as_dict()
    match error:
        case asyncpg.NotNullViolationError():
            return f"the field '{fields.get('column_name')}' is missing"
        case asyncpg.UniqueViolationError():
            return "it repeats another line: an id, or what may be in a project only once"
        case asyncpg.CheckViolationError():
            return f"a field has a value that is not allowed ({fields.get('constraint_name')})"
        case _:
            return str(error).rstrip(".")


async def analyse(tx: Tx) -> None:
    for name in BY_NAME:
        await tx.system.execute(f"ANALYZE arriving_{name}")


async def dangling(tx: Tx, kind: Kind) -> tuple[int, str] | None:
    """The first line that refers to something neither in the file nor in the store, and its
    name."""
    references = {
        **kind.requires,
        **kind.may_reference,
        **({kind.self_reference: kind.name} if kind.self_reference else {}),
    }
    for column, other in references.items():
        missing = f"k.{column} IS NOT NULL AND {_is_missing(other, column)}"
        if row := await _first(tx, kind, column, missing):
            return row["line"], f"its {other} {row['named']}"
    return None


async def dangling_end(tx: Tx, kind: Kind) -> tuple[int, str] | None:
    """Like `dangling`, for links, whose ends are of several kinds."""
    for kind_column, column in LINK_ENDS:
        cases = (
            f"k.{kind_column} = '{other}' AND {_is_missing(other, column)}"
            for other in ("memory", "document", "entity")
        )
        if row := await _first(tx, kind, column, " OR ".join(cases)):
            return row["line"], f"its end {row['named']}"
    return None


async def _first(tx: Tx, kind: Kind, column: str, missing: str) -> Row | None:
    return await tx.fetchrow(
        f"SELECT line, {column} AS named FROM arriving_{kind.name} k"
        f" WHERE k.tenant_id = $1 AND ({missing}) ORDER BY line LIMIT 1"
    )


def _is_missing(other: str, column: str) -> str:
    return (
        f"NOT EXISTS (SELECT FROM arriving_{other} x WHERE x.tenant_id = $1 AND x.id = k.{column})"
        f" AND NOT {_is_here(other, column)}"
    )


async def count_new_memories(tx: Tx) -> int:
    return await tx.fetchval(
        "SELECT count(*) FROM arriving_memory k WHERE NOT EXISTS (SELECT FROM memories m"
        f" WHERE m.tenant_id = $1 AND m.id = k.id AND {undeleted_memories('m')})"
    )


# Loading

_MATCHES_DOCUMENT = (
    "EXISTS (SELECT FROM documents d WHERE d.tenant_id = $1 AND d.id = k.document_id AND"
    " substr(d.content, k.start_offset + 1, k.end_offset - k.start_offset) = k.content)"
)


def _is_here(other: str, column: str) -> str:
    """The condition that a row exists. A session of another user does not count: nothing may be
    added to it."""
    owned = " AND x.user_id = (SELECT bound_user())" if other == SESSION.name else ""
    table = BY_NAME[other].table
    return f"EXISTS (SELECT FROM {table} x WHERE x.tenant_id = $1 AND x.id = k.{column}{owned})"


def _fits(kind: Kind) -> str:
    """The condition that everything a row requires exists."""
    if kind.name == "link":
        return " AND ".join(
            "("
            + " OR ".join(
                f"k.{kind_column} = '{other}' AND {_is_here(other, column)}"
                for other in ("memory", "document", "entity")
            )
            + ")"
            for kind_column, column in LINK_ENDS
        )
    requires = [_is_here(other, column) for column, other in kind.requires.items()]
    if kind.name == "chunk":
        requires.append(_MATCHES_DOCUMENT)
    return " AND ".join(requires) or "true"


def _column_sql(kind: Kind, column: str) -> str:
    """The SQL for a column. References to the same kind are set later, when all rows exist."""
    if column == kind.self_reference:
        return "NULL"
    if other := kind.may_reference.get(column):
        return f"CASE WHEN {_is_here(other, column)} THEN k.{column} END"
    return f"k.{column}"


async def load(tx: Tx, lines: Lines, uncompared: Sequence[str]) -> list[Row]:
    """Insert rows that do not exist. Return for each line its id, whether it was inserted (`made`),
    existed (`here`), is equal to the existing row (`same`), and whether what it requires exists
    (`fits`)."""
    kind = lines.kind
    sources = ", ".join(_column_sql(kind, column) for column in lines.columns)
    return await tx.fetch(
        f"WITH k AS MATERIALIZED {_lines_sql(kind)}, made AS ("
        f" INSERT INTO {kind.table} (tenant_id, {', '.join(lines.columns)})"
        f" SELECT $1, {sources} FROM k WHERE {_fits(kind)} ORDER BY k.id"
        " ON CONFLICT DO NOTHING RETURNING id)"
        " SELECT k.line, k.id, made.id IS NOT NULL AS made, t.id IS NOT NULL AS here,"
        " coalesce(to_jsonb(t) - $5::text[] = to_jsonb(k) - $5::text[], false) AS same,"
        f" ({_fits(kind)}) AS fits FROM k LEFT JOIN made ON made.id = k.id"
        f" LEFT JOIN {kind.table} t ON t.tenant_id = $1 AND t.id = k.id ORDER BY k.line",
        *_parameters(lines),
        [*uncompared, "line"],
    )


async def clear_deleted(tx: Tx, ids: Sequence[UUID]) -> None:
    """Delete soft-deleted memories that are imported again."""
    await tx.execute(
        "DELETE FROM memories WHERE tenant_id = $1 AND id = ANY($2)"
        f" AND NOT ({undeleted_memories()})",
        list(ids),
    )


async def drop_unmentioned(tx: Tx) -> None:
    """Delete imported entities that no memory mentions."""
    await tx.execute(
        "DELETE FROM entities e WHERE e.tenant_id = $1 AND NOT EXISTS (SELECT FROM links l"
        " WHERE l.tenant_id = $1 AND l.to_kind = 'entity' AND l.to_id = e.id"
        " AND l.relation = 'mentions')"
    )


async def join_own(tx: Tx, lines: Lines) -> None:
    """Set the references of rows to their own kind, where they are null."""
    kind = lines.kind
    await tx.execute(
        f"UPDATE {kind.table} t SET {kind.self_reference} = k.{kind.self_reference}"
        f" FROM {_lines_sql(kind)} k WHERE t.tenant_id = $1 AND t.id = k.id"
        f" AND t.{kind.self_reference} IS NULL"
        f" AND k.{kind.self_reference} <> k.id AND {_is_here(kind.name, str(kind.self_reference))}",
        *_parameters(lines),
    )


# Projects and originals


async def project_at(tx: Tx, slug: str) -> Row | None:
    """The project with a path, and whether it is empty."""
    has_content = " OR ".join(
        f"EXISTS (SELECT FROM {table} x WHERE x.tenant_id = $1 AND x.{column} = p.id)"
        for table, column in (
            ("documents", "project_id"),
            ("memories", "project_id"),
            ("sessions", "project_id"),
            ("entities", "project_id"),
            ("projects", "parent_id"),
        )
    )
    return await tx.fetchrow(
        f"SELECT id, NOT ({has_content}) AS is_empty FROM projects p"
        " WHERE p.tenant_id = $1 AND p.slug = $2 FOR UPDATE",
        slug,
    )


async def project_exists(tx: Tx, id: UUID) -> bool:
    return await tx.fetchval(
        "SELECT exists (SELECT FROM projects WHERE tenant_id = $1 AND id = $2)", id
    )


async def drop_project(tx: Tx, id: UUID) -> None:
    await tx.execute("DELETE FROM projects WHERE tenant_id = $1 AND id = $2", id)


async def original_exists(tx: Tx, id: UUID, key: str) -> bool:
    return await tx.fetchval(
        "SELECT exists (SELECT FROM blobs WHERE tenant_id = $1 AND (id = $2 OR key = $3))", id, key
    )


async def lock_tenant(tx: Tx) -> None:
    """Lock imports of a tenant: one batch at a time."""
    await tx.system.execute(
        "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", f"import:{tx.scope.tenant_id}"
    )
