"""A migration gives what was taken from pages, mails and files as the user's its speakers."""

from uuid import UUID

import asyncpg
import pytest

from remem.adapters.database.embedded.cluster import SUPERUSER
from remem.core.time import new_id
from remem.migrations.apply import migrate
from tests.conftest import Server
from tests.core.scratch import connected, scratch_database

pytestmark = pytest.mark.anyio

VERSION = 44
# Content type, URL, metadata, name of the file, speaker of its turns, speaker of its memory; the
# speaker after the migration.
CASES: list[tuple[str, str | None, str, str | None, str | None, str | None, str | None]] = [
    ("html", "https://example.org", "{}", None, None, None, "Page: t"),
    ("html", None, '{"author": "Ann Smith"}', None, None, "user", "Ann Smith"),
    ("email", None, '{"author": "Ann Smith"}', "a.eml", None, "user", "Ann Smith"),
    ("text", None, "{}", "card.txt", None, "user", "File: card.txt"),
    ("markdown", None, '{"author": "me"}', "card.md", "user", "user", "File: card.md"),
    ("pdf", None, "{}", None, None, None, "File: t"),
    ("text", "https://example.org", "{}", None, None, "user", "Page: t"),
    ("text", None, '{"connection_id": "c"}', None, None, "user", "File: t"),
    # The user's own.
    ("text", None, "{}", None, None, "user", "user"),
    ("markdown", "file:///home/a.md", "{}", None, None, None, None),
    ("text", None, '{"speaker": "Me"}', "card.txt", None, "user", "user"),
    ("text", "https://chat.example.org", "{}", None, "user", "user", "user"),
    ("text", None, "{}", "talk.txt", None, "Bo Lee", "Bo Lee"),
]


async def fill(admin: asyncpg.Connection) -> list[UUID]:
    tenant, user, project = (new_id() for _ in range(3))
    await admin.execute("INSERT INTO users (id, email, name) VALUES ($1, 'a@b', 'n')", user)
    await admin.execute(
        "INSERT INTO tenants (id, kind, name, slug) VALUES ($1, 'user', 'n', 'n')", tenant
    )
    await admin.execute(
        "INSERT INTO projects (tenant_id, id, slug, name) VALUES ($1, $2, 'p', 'p')",
        tenant, project,
    )  # fmt: skip
    memories = []
    for number, (kind, url, metadata, file, turns, speaker, _) in enumerate(CASES):
        document, memory = new_id(), new_id()
        key = f"{tenant}/k{number}" if file else None
        if file:
            await admin.execute(
                "INSERT INTO blobs (tenant_id, id, key, media_type, size, sha256, name)"
                " VALUES ($1, $2, $3, 'text/plain', 1, 's', $4)",
                tenant, new_id(), key, file,
            )  # fmt: skip
        await admin.execute(
            "INSERT INTO documents (tenant_id, id, project_id, user_id, title, content,"
            " content_type, source_url, metadata, blob_key, content_hash, root_id)"
            " VALUES ($1, $2, $3, $4, 't', 'c', $5, $6, $7, $8, $9, $2)",
            tenant, document, project, user, kind, url, metadata, key, str(number),
        )  # fmt: skip
        await admin.execute(
            "INSERT INTO chunks (tenant_id, id, document_id, project_id, content, chunk_index,"
            " start_offset, end_offset, speaker) VALUES ($1, $2, $3, $4, 'c', 0, 0, 1, $5)",
            tenant, new_id(), document, project, turns,
        )  # fmt: skip
        await admin.execute(
            "INSERT INTO memories (tenant_id, id, project_id, user_id, document_id, content,"
            " root_id, content_hash, speaker, source)"
            " VALUES ($1, $2, $3, $4, $5, 'c', $2, $6, $7, 'distil')",
            tenant, memory, project, user, document, str(number), speaker,
        )  # fmt: skip
        memories.append(memory)
    return memories


async def test_what_others_wrote_is_theirs(server: Server) -> None:
    async with scratch_database(server) as name:
        async with connected(server, name) as connection:
            await migrate(connection, VERSION - 1)
        async with connected(server, name, SUPERUSER) as admin:
            ids = await fill(admin)
        async with connected(server, name) as connection:
            await migrate(connection, VERSION)
        async with connected(server, name, SUPERUSER) as admin:
            rows = {
                row["id"]: (row["speaker"], row["content_hash"])
                for row in await admin.fetch("SELECT id, speaker, content_hash FROM memories")
            }
    speakers = [rows[id][0] for id in ids]
    assert speakers == [case[-1] for case in CASES]
    # A memory of another never has the hash of what the user says.
    for number, (id, case) in enumerate(zip(ids, CASES, strict=True)):
        assert (rows[id][1] == str(number)) == (case[-1] == case[-2])
