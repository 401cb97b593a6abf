"""SQL of projects."""

from collections.abc import Sequence
from uuid import UUID

from remem.core.current import current_documents, current_memories
from remem.core.projects.model import DEFAULT_SLUG, Project
from remem.core.transaction import Row, Tx

_COLUMNS = (
    "id, slug, name, description, parent_id, is_default, generation, archived_at,"
    " created_at, updated_at, coalesce(settings->'pinned' = 'true', false) AS is_pinned,"
    " project_ref(slug, name, settings) AS ref"
)
_CURRENT_DOCUMENTS = current_documents("d")
_CURRENT_MEMORIES = current_memories("m")


def _project(row: Row | None) -> Project | None:
    return Project(**dict(row)) if row else None


async def find(tx: Tx, id: UUID) -> Project | None:
    return _project(
        await tx.fetchrow(f"SELECT {_COLUMNS} FROM projects WHERE tenant_id = $1 AND id = $2", id)
    )


async def find_by_slug(tx: Tx, slug: str) -> Project | None:
    return _project(
        await tx.fetchrow(
            f"SELECT {_COLUMNS} FROM projects WHERE tenant_id = $1 AND slug = $2", slug
        )
    )


async def find_folded(tx: Tx, folded: Sequence[str]) -> list[Project]:
    """The projects whose slug, without signs and hash, is one of these; the oldest first."""
    rows = await tx.fetch(
        f"SELECT {_COLUMNS} FROM projects WHERE tenant_id = $1 AND folded_slug(slug) = ANY($2)"
        " ORDER BY id",
        list(folded),
    )
    return [Project(**dict(row)) for row in rows]


async def names(tx: Tx) -> list[tuple[UUID, str]]:
    """The names that are not just the end of a path, the oldest first."""
    rows = await tx.fetch(
        "SELECT id, name FROM projects WHERE tenant_id = $1"
        " AND slug <> name AND right(slug, length(name) + 1) <> '.' || name ORDER BY id"
    )
    return [(row["id"], row["name"]) for row in rows]


async def lock_name(tx: Tx, folded: str) -> None:
    """Let one transaction at a time create a project of this name."""
    await tx.execute(
        "SELECT pg_advisory_xact_lock(hashtextextended($1::uuid::text || ' ' || $2, 0))", folded
    )


async def find_default(tx: Tx) -> Project | None:
    return _project(
        await tx.fetchrow(f"SELECT {_COLUMNS} FROM projects WHERE tenant_id = $1 AND is_default")
    )


async def insert(
    tx: Tx,
    id: UUID,
    slug: str,
    name: str,
    description: str | None = None,
    parent_id: UUID | None = None,
    spelling: str | None = None,
) -> Project | None:
    """None when the slug is taken. The project with the default slug is the default. `spelling` is
    the path as it was sent."""
    return _project(
        await tx.fetchrow(
            "INSERT INTO projects"
            " (tenant_id, id, slug, name, description, parent_id, settings, is_default)"
            " VALUES ($1, $2, $3, $4, $5, $6, jsonb_strip_nulls(jsonb_build_object("
            f"'spelling', $7::text)), $3 = '{DEFAULT_SLUG}')"
            f" ON CONFLICT DO NOTHING RETURNING {_COLUMNS}",
            id,
            slug,
            name,
            description,
            parent_id,
            spelling,
        )
    )


async def list_all(tx: Tx) -> list[Project]:
    rows = await tx.fetch(
        f"SELECT {_COLUMNS}, (SELECT count(*) FROM documents d WHERE d.tenant_id = $1"
        f" AND d.project_id = p.id AND {_CURRENT_DOCUMENTS})::int AS document_count,"
        " (SELECT count(*) FROM memories m WHERE m.tenant_id = $1 AND m.project_id = p.id"
        f" AND {_CURRENT_MEMORIES})::int AS memory_count"
        " FROM projects p WHERE tenant_id = $1 ORDER BY is_default DESC, slug"
    )
    return [Project(**dict(row)) for row in rows]


async def counts(tx: Tx, id: UUID) -> tuple[int, int]:
    """The number of documents and of memories in a project."""
    row = await tx.fetchrow(
        "SELECT (SELECT count(*)::int FROM documents d"
        f" WHERE tenant_id = $1 AND project_id = $2 AND {_CURRENT_DOCUMENTS}) AS document_count,"
        " (SELECT count(*)::int FROM memories m"
        f" WHERE tenant_id = $1 AND project_id = $2 AND {_CURRENT_MEMORIES}) AS memory_count",
        id,
    )
    return row["document_count"], row["memory_count"]


async def update(
    tx: Tx, id: UUID, name: str | None, description: str | None, pinned: bool | None
) -> Project | None:
    return _project(
        await tx.fetchrow(
            "UPDATE projects SET name = coalesce($3, name), updated_at = now(),"
            " settings = settings || $5::jsonb,"
            f" description = coalesce($4, description) WHERE tenant_id = $1 AND id = $2"
            f" RETURNING {_COLUMNS}",
            id,
            name,
            description,
            {} if pinned is None else {"pinned": pinned},
        )
    )


async def is_taken(tx: Tx, slug: str) -> bool:
    """Whether a project has this path, or one below it."""
    return await tx.fetchval(
        "SELECT EXISTS (SELECT FROM projects WHERE tenant_id = $1"
        " AND (slug = $2 OR starts_with(slug, $2 || '.')))",
        slug,
    )


async def move_path(tx: Tx, slug: str, to: str) -> None:
    """Change the path of a project and of those below it."""
    await tx.execute(
        "UPDATE projects SET slug = $3 || substr(slug, length($2) + 1),"
        " settings = settings - 'spelling', updated_at = now()"
        " WHERE tenant_id = $1 AND (slug = $2 OR starts_with(slug, $2 || '.'))",
        slug,
        to,
    )


async def set_archived(tx: Tx, id: UUID) -> None:
    await tx.execute(
        "UPDATE projects SET archived_at = least(archived_at, now()), updated_at = now()"
        " WHERE tenant_id = $1 AND id = $2",
        id,
    )


async def lock(tx: Tx, id: UUID) -> None:
    """Wait for writers of the project, and block new ones."""
    await tx.execute("SELECT FROM projects WHERE tenant_id = $1 AND id = $2 FOR UPDATE", id)


async def delete(tx: Tx, id: UUID) -> None:
    await tx.execute("DELETE FROM projects WHERE tenant_id = $1 AND id = $2", id)


async def increment_generation(tx: Tx, id: UUID) -> Project | None:
    """Increment the generation; None when there is no such project."""
    return _project(
        await tx.fetchrow(
            "UPDATE projects SET generation = generation + 1 WHERE tenant_id = $1 AND id = $2"
            f" RETURNING {_COLUMNS}",
            id,
        )
    )


async def below(tx: Tx, slug: str) -> list[Project]:
    """The projects below a path, the deepest first."""
    rows = await tx.fetch(
        f"SELECT {_COLUMNS} FROM projects WHERE tenant_id = $1 AND starts_with(slug, $2 || '.')"
        " ORDER BY length(slug) DESC, slug",
        slug,
    )
    return [Project(**dict(row)) for row in rows]


async def at_or_below(tx: Tx, slug: str) -> list[UUID]:
    """The project with this path and all below it; the project itself need not exist."""
    rows = await tx.fetch(
        "SELECT id FROM projects WHERE tenant_id = $1"
        " AND (slug = $2 OR starts_with(slug, $2 || '.'))",
        slug,
    )
    return [row["id"] for row in rows]


async def above(tx: Tx, slug: str) -> list[UUID]:
    """The projects above a path."""
    rows = await tx.fetch(
        "SELECT id FROM projects WHERE tenant_id = $1 AND starts_with($2, slug || '.')", slug
    )
    return [row["id"] for row in rows]


async def generations(tx: Tx, ids: Sequence[UUID] | None) -> str:
    """A hash that changes with every write to any of the projects (to all, when None)."""
    return await tx.fetchval(
        "SELECT coalesce(md5(string_agg(id::text || generation, ' ' ORDER BY id)), '')"
        " FROM projects WHERE tenant_id = $1 AND ($2::uuid[] IS NULL OR id = ANY($2))",
        list(ids) if ids is not None else None,
    )
