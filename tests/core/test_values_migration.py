"""A migration repairs rows with values that its new constraints do not allow."""

from collections.abc import AsyncIterator
from uuid import UUID

import asyncpg
import pytest

from remem.core.time import new_id
from remem.migrations import apply
from remem.migrations.apply import migrate, migrations
from tests.conftest import Server
from tests.core.scratch import connected, scratch_database

pytestmark = pytest.mark.anyio

VALUES_VERSION = 13
DEEP = '{"a":' * 300 + "1" + "}" * 300


@pytest.fixture
async def old_store(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[asyncpg.Connection]:
    """A database before the migration, connected as a role with row security."""
    async with scratch_database(server) as name, connected(server, name) as connection:
        with monkeypatch.context() as patch:
            before = [migration for migration in migrations() if migration.version < VALUES_VERSION]
            patch.setattr(apply, "migrations", lambda: before)
            await migrate(connection)
        yield connection


async def fill(connection: asyncpg.Connection) -> UUID:
    """Insert a tenant in which every row violates a constraint."""
    tenant, user, project, document, memory = (new_id() for _ in range(5))
    await connection.execute(f"SET remem.tenant_id = '{tenant}'")
    await connection.execute(
        f"""
        INSERT INTO users (id, email, name, created_at)
          VALUES ('{user}', 'a@b', repeat('n', 300), '-infinity');
        INSERT INTO tenants (id, kind, name, slug) VALUES ('{tenant}', 'user', 'n', '{tenant}');
        INSERT INTO projects (tenant_id, id, slug, name, settings, archived_at)
          VALUES ('{tenant}', '{project}', 'p', '', '[]', 'infinity');
        INSERT INTO documents (tenant_id, id, project_id, user_id, title, content, content_type,
            source_url, metadata, tags, content_hash, root_id, version, created_at)
          VALUES ('{tenant}', '{document}', '{project}', '{user}', repeat('t', 2000000), 'c',
            'text', 'javascript:alert(1)', '{DEEP}', ARRAY[ARRAY['a', ''], ARRAY[NULL, 'b']], 'h',
            '{document}', 0, '0044-03-15 BC');
        INSERT INTO chunks (tenant_id, id, document_id, project_id, content, chunk_index,
            start_offset, end_offset, said_at, at_s)
          VALUES ('{tenant}', '{new_id()}', '{document}', '{project}', 'c', 0, 0, 1,
            '20000-01-01', 'NaN');
        INSERT INTO memories (tenant_id, id, project_id, user_id, content, context, tags, root_id,
            content_hash, due_at, valid_until)
          VALUES ('{tenant}', '{memory}', '{project}', '{user}', 'c', '[1, 2]', ARRAY[''],
            '{memory}', 'h', '294275-01-01', '9999-12-31 23:59:59+00');
        INSERT INTO blobs (tenant_id, id, key, media_type, size, sha256)
          VALUES ('{tenant}', '{new_id()}', 'k', E'text/plain\\r\\nX-Evil: 1', -1, 's');
        INSERT INTO events (tenant_id, id, subject_kind, subject_id, type, data, actor)
          VALUES ('{tenant}', '{new_id()}', 'memory', '{memory}', 'create',
            '{{"n": 1e131000}}', 'someone');
        RESET remem.tenant_id;
        """
    )
    return tenant


async def one_row(connection: asyncpg.Connection, tenant: UUID, columns: str) -> asyncpg.Record:
    table, _, names = columns.partition(": ")
    async with connection.transaction():
        await connection.execute(
            f"SET LOCAL remem.tenant_id = '{tenant}'; SET LOCAL timezone = 'UTC';"
            " SET LOCAL datestyle = 'ISO'"
        )
        row = await connection.fetchrow(f"SELECT {names} FROM {table}")
    assert row is not None
    return row


async def test_bad_rows_are_repaired_and_kept(old_store: asyncpg.Connection) -> None:
    tenant = await fill(old_store)
    assert await migrate(old_store) >= VALUES_VERSION
    document = await one_row(
        old_store,
        tenant,
        "documents: title, source_url, metadata->>'source_url' AS removed, tags, version,"
        " created_at::text, length(metadata->>'unreadable') AS kept",
    )
    assert dict(document) == {
        "title": "t" * 500,
        "source_url": None,
        "removed": "javascript:alert(1)",
        "tags": ["a", "b"],
        "version": 1,
        "created_at": "0001-01-01 00:00:00+00",
        "kept": len(DEEP) + 300,
    }
    memory = await one_row(
        old_store, tenant, "memories: context::text, tags, due_at::text, valid_until::text"
    )
    assert memory["context"] == '{"unreadable": "[1, 2]"}'
    assert memory["tags"] == []
    assert memory["due_at"] == "9999-12-31 23:59:59.999999+00"
    assert memory["valid_until"] == "9999-12-31 23:59:59+00"
    chunk = await one_row(old_store, tenant, "chunks: said_at::text, at_s")
    assert tuple(chunk) == ("9999-12-31 23:59:59.999999+00", None)
    blob = await one_row(old_store, tenant, "blobs: media_type, size")
    assert tuple(blob) == ("application/octet-stream", 0)
    project = await one_row(old_store, tenant, "projects: name, settings::text, archived_at::text")
    assert tuple(project)[:2] == ("p", '{"unreadable": "[]"}')
    event = await one_row(old_store, tenant, "events: data ? 'unreadable', actor, claimed_actor")
    assert tuple(event) == (True, "someone", None)


async def test_policies_and_triggers_are_as_before(old_store: asyncpg.Connection) -> None:
    tenant = await fill(old_store)
    await migrate(old_store)
    assert await old_store.fetchval("SELECT count(*) FROM memories") == 0
    with pytest.raises(asyncpg.RaiseError, match="events are final"):
        await one_row(old_store, tenant, "events: 1")
        async with old_store.transaction():
            await old_store.execute(f"SET LOCAL remem.tenant_id = '{tenant}'")
            await old_store.execute("DELETE FROM events")


async def test_every_time_column_is_constrained_to_the_calendar(
    old_store: asyncpg.Connection,
) -> None:
    """A column that a later migration adds needs a constraint as well."""
    await migrate(old_store)
    unchecked = await old_store.fetch(
        "SELECT c.relname, a.attname FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid"
        " WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND attnum > 0"
        " AND atttypid = 'timestamptz'::regtype AND c.relname <> 'schema_migrations'"
        " AND NOT attisdropped AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conrelid = c.oid"
        "  AND k.contype = 'c' AND a.attnum = ANY(k.conkey)"
        "  AND pg_get_constraintdef(k.oid) LIKE '%in_calendar%') AND c.relname <> 'embeddings'"
    )
    assert not unchecked


async def test_documents_with_tags_or_an_author_are_indexed_again(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with scratch_database(server) as name, connected(server, name) as connection:
        with monkeypatch.context() as patch:
            before = [migration for migration in migrations() if "header" not in migration.name]
            patch.setattr(apply, "migrations", lambda: before)
            await migrate(connection)
        tenant, user, project, *documents = (new_id() for _ in range(6))
        await connection.execute(
            f"SET remem.tenant_id = '{tenant}';"
            f"INSERT INTO users (id, email, name) VALUES ('{user}', 'a@b', 'n');"
            f"INSERT INTO tenants (id, kind, name, slug)"
            f" VALUES ('{tenant}', 'user', 'n', '{tenant}');"
            f"INSERT INTO projects (tenant_id, id, slug, name)"
            f" VALUES ('{tenant}', '{project}', 'p', 'p');"
        )
        described = (("{a}", "{}"), ("{}", '{"author": "Ada"}'), ("{}", '{"page": 1}'))
        for document, (tags, metadata) in zip(documents, described, strict=True):
            await connection.execute(
                "INSERT INTO documents (tenant_id, id, project_id, user_id, title, content,"
                " content_type, tags, metadata, content_hash, root_id) VALUES ($1, $2, $3, $4,"
                " 't', 'c', 'text', $5::text::text[], $6::text::jsonb, $2::uuid::text, $2)",
                tenant, document, project, user, tags, metadata,
            )  # fmt: skip
        await connection.execute("RESET remem.tenant_id")
        await migrate(connection)
        row = await one_row(
            connection, tenant, "documents_to_index: array_agg(document_id ORDER BY document_id)"
        )
        assert row[0] == sorted(documents[:2])


async def test_tenants_keep_the_model_of_their_vectors(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The tenants of one model of this machine, and none whose vectors a service made."""
    async with scratch_database(server) as name, connected(server, name) as connection:
        with monkeypatch.context() as patch:
            before = [m for m in migrations() if "vector_models" not in m.name]
            patch.setattr(apply, "migrations", lambda: before)
            await migrate(connection)
        tenants = [new_id() for _ in range(3)]
        models = ("all-MiniLM-L6-v2-int8", "text-embedding-3-small", None)
        for tenant, model in zip(tenants, models, strict=True):
            user, project, memory = (new_id() for _ in range(3))
            await connection.execute(
                f"SET remem.tenant_id = '{tenant}';"
                f"INSERT INTO users (id, email, name) VALUES ('{user}', '{user}@b', 'n');"
                f"INSERT INTO tenants (id, kind, name, slug)"
                f" VALUES ('{tenant}', 'user', 'n', '{tenant}');"
                f"INSERT INTO projects (tenant_id, id, slug, name)"
                f" VALUES ('{tenant}', '{project}', 'p', 'p');"
            )
            await connection.execute(
                "INSERT INTO memories (tenant_id, id, project_id, user_id, content, root_id,"
                " content_hash, embedded_with) VALUES ($1, $2, $3, $4, 'c', $2, 'h', $5)",
                tenant, memory, project, user, model,
            )  # fmt: skip
        await connection.execute("RESET remem.tenant_id")
        await migrate(connection)
        kept = []
        for tenant in tenants:
            row = await one_row(connection, tenant, "vector_models: array_agg(model) AS models")
            kept.append(row["models"])
        assert kept == [["all-MiniLM-L6-v2-int8"], None, None]
