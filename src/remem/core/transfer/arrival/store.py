"""SQL of imports: lines as rows, first beside the tables to be checked, then in them."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

import asyncpg

from remem.core.current import kept_memories
from remem.core.db import Row, Tx
from remem.core.scope import Scope
from remem.core.transfer.kinds import BY_NAME, ENDS, SESSION, Kind


@dataclass(frozen=True, slots=True)
class Lines:
    """Lines of one kind as the database takes them: `patches` replace fields of their rows."""

    kind: Kind
    columns: tuple[str, ...]
    numbers: list[int]
    texts: list[str]
    patches: list[str]


def _given(kind: Kind, taken: int = 1) -> str:
    return (
        f"(SELECT g.line, r.* FROM unnest(${taken + 1}::bigint[], ${taken + 2}::text[],"
        f" ${taken + 3}::text[]) AS g(line, text, patch) CROSS JOIN LATERAL jsonb_populate_record("
        f"NULL::{kind.table}, (g.text::jsonb -> 'row') || g.patch::jsonb) AS r)"
    )


def _values(lines: Lines) -> tuple[list[int], list[str], list[str]]:
    return lines.numbers, lines.texts, lines.patches


async def column_types(tx: Tx, scope: Scope, kind: Kind) -> dict[str, str]:
    """What a row of this kind may say, and what each column has."""
    rows = await tx.fetch(
        "SELECT attname, format_type(atttypid, NULL) AS type FROM pg_attribute"
        " WHERE attrelid = $1::text::regclass AND attnum > 0 AND NOT attisdropped",
        kind.table,
    )
    behind = {"tenant_id", *kind.behind}
    return {row["attname"]: row["type"] for row in rows if row["attname"] not in behind}


# Checking


async def make_tables(tx: Tx, scope: Scope) -> None:
    """A place beside each table with the same rules, which is gone with the transaction."""
    for kind in BY_NAME.values():
        await tx.execute(
            f"CREATE TEMP TABLE arriving_{kind.name} (LIKE {kind.table} INCLUDING DEFAULTS"
            " INCLUDING CONSTRAINTS INCLUDING INDEXES, line bigint NOT NULL) ON COMMIT DROP"
        )


async def stage(tx: Tx, scope: Scope, lines: Lines) -> str | None:
    """Put lines there; None, or why they cannot be rows."""
    names = ", ".join(lines.columns)
    await tx.execute("SAVEPOINT staging")
    try:
        await tx.execute(
            f"INSERT INTO arriving_{lines.kind.name} (tenant_id, line, {names})"
            f" SELECT $1, line, {names} FROM {_given(lines.kind)} k",
            scope.tenant_id,
            *_values(lines),
        )
    except (asyncpg.DataError, asyncpg.IntegrityConstraintViolationError) as error:
        await tx.execute("ROLLBACK TO SAVEPOINT staging")
        return _said(error)
    await tx.execute("RELEASE SAVEPOINT staging")
    return None


def _said(error: asyncpg.PostgresError) -> str:
    fields = error.as_dict()
    match error:
        case asyncpg.NotNullViolationError():
            return f"the field '{fields.get('column_name')}' is missing"
        case asyncpg.UniqueViolationError():
            return "it repeats another line: an id, or what may stand in a project only once"
        case asyncpg.CheckViolationError():
            return f"a field has a value that is not allowed ({fields.get('constraint_name')})"
        case _:
            return str(error).rstrip(".")


async def analyse(tx: Tx, scope: Scope) -> None:
    for name in BY_NAME:
        await tx.execute(f"ANALYZE arriving_{name}")


async def dangling(tx: Tx, scope: Scope, kind: Kind) -> tuple[int, str] | None:
    """The first line that names what is neither in the file nor in the store, and what it is."""
    named = {**kind.needs, **kind.may_name, **({kind.own: kind.name} if kind.own else {})}
    for column, other in named.items():
        missing = f"k.{column} IS NOT NULL AND {_nowhere(other, column)}"
        if found := await _first(tx, scope, kind, column, missing):
            return found["line"], f"its {other} {found['named']}"
    return None


async def dangling_end(tx: Tx, scope: Scope, kind: Kind) -> tuple[int, str] | None:
    """The same of links, whose ends are of several kinds."""
    for kind_column, column in ENDS:
        cases = (
            f"k.{kind_column} = '{other}' AND {_nowhere(other, column)}"
            for other in ("memory", "document", "entity")
        )
        if found := await _first(tx, scope, kind, column, " OR ".join(cases)):
            return found["line"], f"its end {found['named']}"
    return None


async def _first(tx: Tx, scope: Scope, kind: Kind, column: str, missing: str) -> Row | None:
    return await tx.fetchrow(
        f"SELECT line, {column} AS named FROM arriving_{kind.name} k"
        f" WHERE k.tenant_id = $1 AND ({missing}) ORDER BY line LIMIT 1",
        scope.tenant_id,
    )


def _nowhere(other: str, column: str) -> str:
    return (
        f"NOT EXISTS (SELECT FROM arriving_{other} x WHERE x.tenant_id = $1 AND x.id = k.{column})"
        f" AND NOT {_is_here(other, column)}"
    )


async def count_new_memories(tx: Tx, scope: Scope) -> int:
    return await tx.fetchval(
        "SELECT count(*) FROM arriving_memory k WHERE NOT EXISTS (SELECT FROM memories m"
        f" WHERE m.tenant_id = $1 AND m.id = k.id AND {kept_memories('m')})",
        scope.tenant_id,
    )


# Loading

_STANDS_IN_ITS_DOCUMENT = (
    "EXISTS (SELECT FROM documents d WHERE d.tenant_id = $1 AND d.id = k.document_id AND"
    " substr(d.content, k.start_offset + 1, k.end_offset - k.start_offset) = k.content)"
)


def _is_here(other: str, column: str) -> str:
    """A session of somebody else is not: nothing is put into it."""
    own = " AND x.user_id = (SELECT bound_user())" if other == SESSION.name else ""
    table = BY_NAME[other].table
    return f"EXISTS (SELECT FROM {table} x WHERE x.tenant_id = $1 AND x.id = k.{column}{own})"


def _fits(kind: Kind) -> str:
    """Whether what a row needs is here."""
    if kind.name == "link":
        return " AND ".join(
            "("
            + " OR ".join(
                f"k.{kind_column} = '{other}' AND {_is_here(other, column)}"
                for other in ("memory", "document", "entity")
            )
            + ")"
            for kind_column, column in ENDS
        )
    needs = [_is_here(other, column) for column, other in kind.needs.items()]
    if kind.name == "chunk":
        needs.append(_STANDS_IN_ITS_DOCUMENT)
    return " AND ".join(needs) or "true"


def _source(kind: Kind, column: str) -> str:
    """What names a row of the same kind is set when all of them are there."""
    if column == kind.own:
        return "NULL"
    if other := kind.may_name.get(column):
        return f"CASE WHEN {_is_here(other, column)} THEN k.{column} END"
    return f"k.{column}"


async def load(tx: Tx, scope: Scope, lines: Lines, uncompared: Sequence[str]) -> list[Row]:
    """Insert what is not here. Of each line: its id, whether it was `made`, was `here` before, was
    the `same`, and whether what it needs is here (`fits`)."""
    kind = lines.kind
    sources = ", ".join(_source(kind, column) for column in lines.columns)
    return await tx.fetch(
        f"WITH k AS MATERIALIZED {_given(kind)}, made AS ("
        f" INSERT INTO {kind.table} (tenant_id, {', '.join(lines.columns)})"
        f" SELECT $1, {sources} FROM k WHERE {_fits(kind)} ORDER BY k.id"
        " ON CONFLICT DO NOTHING RETURNING id)"
        " SELECT k.line, k.id, made.id IS NOT NULL AS made, t.id IS NOT NULL AS here,"
        " coalesce(to_jsonb(t) - $5::text[] = to_jsonb(k) - $5::text[], false) AS same,"
        f" ({_fits(kind)}) AS fits FROM k LEFT JOIN made ON made.id = k.id"
        f" LEFT JOIN {kind.table} t ON t.tenant_id = $1 AND t.id = k.id ORDER BY k.line",
        scope.tenant_id,
        *_values(lines),
        [*uncompared, "line"],
    )


async def clear_deleted(tx: Tx, scope: Scope, ids: Sequence[UUID]) -> None:
    """What was deleted softly gives way to itself: to import it is to want it back."""
    await tx.execute(
        f"DELETE FROM memories WHERE tenant_id = $1 AND id = ANY($2) AND NOT ({kept_memories()})",
        scope.tenant_id,
        list(ids),
    )


async def drop_unmentioned(tx: Tx, scope: Scope) -> None:
    """Entities of a file without the memories that mention them: a name of nothing."""
    await tx.execute(
        "DELETE FROM entities e WHERE e.tenant_id = $1 AND NOT EXISTS (SELECT FROM links l"
        " WHERE l.tenant_id = $1 AND l.to_kind = 'entity' AND l.to_id = e.id"
        " AND l.relation = 'mentions')",
        scope.tenant_id,
    )


async def join_own(tx: Tx, scope: Scope, lines: Lines) -> None:
    """Let rows name those of their own kind, where they name none."""
    kind = lines.kind
    await tx.execute(
        f"UPDATE {kind.table} t SET {kind.own} = k.{kind.own} FROM {_given(kind)} k"
        f" WHERE t.tenant_id = $1 AND t.id = k.id AND t.{kind.own} IS NULL"
        f" AND k.{kind.own} <> k.id AND {_is_here(kind.name, str(kind.own))}",
        scope.tenant_id,
        *_values(lines),
    )


# Projects and originals


async def project_at(tx: Tx, scope: Scope, slug: str) -> Row | None:
    """The project of that path, and whether nothing is in it."""
    filled = " OR ".join(
        f"EXISTS (SELECT FROM {table} x WHERE x.tenant_id = p.tenant_id AND x.{column} = p.id)"
        for table, column in (
            ("documents", "project_id"),
            ("memories", "project_id"),
            ("sessions", "project_id"),
            ("entities", "project_id"),
            ("projects", "parent_id"),
        )
    )
    return await tx.fetchrow(
        f"SELECT id, NOT ({filled}) AS is_empty FROM projects p"
        " WHERE p.tenant_id = $1 AND p.slug = $2 FOR UPDATE",
        scope.tenant_id,
        slug,
    )


async def project_exists(tx: Tx, scope: Scope, id: UUID) -> bool:
    return await tx.fetchval(
        "SELECT exists (SELECT FROM projects WHERE tenant_id = $1 AND id = $2)",
        scope.tenant_id,
        id,
    )


async def drop_project(tx: Tx, scope: Scope, id: UUID) -> None:
    await tx.execute("DELETE FROM projects WHERE tenant_id = $1 AND id = $2", scope.tenant_id, id)


async def original_exists(tx: Tx, scope: Scope, id: UUID, key: str) -> bool:
    return await tx.fetchval(
        "SELECT exists (SELECT FROM blobs WHERE tenant_id = $1 AND (id = $2 OR key = $3))",
        scope.tenant_id,
        id,
        key,
    )


async def lock_tenant(tx: Tx, scope: Scope) -> None:
    """One batch of a tenant at a time."""
    await tx.execute(
        "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", f"import:{scope.tenant_id}"
    )
