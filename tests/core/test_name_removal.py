"""A name is removed with the last item that has it: from entities, tags and stored context."""

import asyncio
import json
from typing import Any
from uuid import UUID

import pytest

from remem.core.documents.deleted.delete import delete_document
from remem.core.documents.deleted.restore import restore_document
from remem.core.documents.forget import forget_document
from remem.core.documents.ingest import ingest
from remem.core.documents.model import Document
from remem.core.documents.model import Draft as DocumentDraft
from remem.core.graph.entities import link_entities
from remem.core.graph.model import Entity
from remem.core.graph.people.names import without_names
from remem.core.graph.view import view_graph
from remem.core.language.names.model import Mention
from remem.core.memories.browse import get_memory
from remem.core.memories.consolidation.merge import merge_same
from remem.core.memories.derive import derive_memory
from remem.core.memories.edit import MemoryEdit, edit_memory
from remem.core.memories.evidence import EvidencePlace, add_place, evidence_json
from remem.core.memories.forget import erase_memory, forget_memory
from remem.core.memories.merge import merge_memories
from remem.core.memories.model import DISTIL, Memory
from remem.core.memories.tags import add_tags
from remem.core.memories.versions.restore import restore_memory
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.time import new_id
from remem.core.transaction import AnyTx
from remem.migrations.apply import migrations
from tests.conftest import Person, Server
from tests.core.memories import get_memory_after_jobs, save
from tests.core.scratch import connected, scratch_database
from tests.core.test_mentions import entities
from tests.tools.waiting import until_async
from tests.transfer.stores import export_lines, import_lines, with_footer

pytestmark = pytest.mark.anyio

OLD, NEW = "The team uses PostgreSQL 17.", "The team uses PostgreSQL 18."


async def saved_document(ports: Ports, scope: Scope, content: str, *tags: str) -> Document:
    return (await ingest(ports, scope, DocumentDraft(content, tags=list(tags)))).document


async def distilled(
    ports: Ports, scope: Scope, statement: str, source: Document, **context: str
) -> Memory:
    place = EvidencePlace(source.id, 0, 5)
    saved = await save(
        ports,
        scope,
        statement,
        source=DISTIL,
        document_id=source.id,
        evidence=evidence_json(place),
        tags=source.tags,
        context={"review": "pending", **context},
    )
    async with ports.db.transaction(scope) as tx:
        await add_place(tx, saved.memory, place)
    return saved.memory


async def add_evidence(ports: Ports, scope: Scope, memory: Memory, source: Document) -> None:
    async with ports.db.transaction(scope) as tx:
        await add_place(tx, memory, EvidencePlace(source.id, 0, 5))
        await add_tags(tx, memory, source.tags)


async def stored_text(ports: Ports, scope: Scope) -> str:
    """All rows of memories and entities as lowercase JSON."""
    async with ports.db.transaction(scope) as tx:
        rows = [
            await tx.system.fetch(f"SELECT * FROM {table}") for table in ("memories", "entities")
        ]
    return json.dumps([dict(row) for table_rows in rows for row in table_rows], default=str).lower()


# Tags and context from documents


async def test_tags_and_context_of_a_document_are_not_passed_on_to_a_replacement(
    ports: Ports, scope: Scope
) -> None:
    note = await saved_document(ports, scope, "Minutes of the meeting.", "zorbit", "meeting")
    old = await distilled(ports, scope, OLD, note, before="Zorbit is a secret.", heading="Zorbit")
    own = {"tags": [*old.tags, "mine"], "context": {**old.context, "colour": "red"}}
    await edit_memory(ports, scope, old.id, MemoryEdit(frozenset(own), **own))
    new = await save(ports, scope, NEW)
    assert new.superseded == (old.id,)
    assert (new.memory.tags, new.memory.context) == (["mine"], {"colour": "red"})
    assert await entities(ports, scope) == {"PostgreSQL": 1, "mine": 1}
    await forget_document(ports, scope, note.id)
    assert "zorbit" not in await stored_text(ports, scope)


async def test_they_are_not_passed_on_by_a_deferred_replacement_either(
    ports: Ports, scope: Scope
) -> None:
    note = await saved_document(ports, scope, "Minutes of the meeting.", "zorbit")
    old = await distilled(ports, scope, OLD, note)
    later = await save(ports, scope, NEW, defer=True)
    replacing = await get_memory_after_jobs(ports, scope, later.memory.id)
    assert (replacing.supersedes_id, replacing.tags) == (old.id, [])
    await forget_document(ports, scope, note.id)
    assert "zorbit" not in await stored_text(ports, scope)


async def test_a_merge_gives_a_persons_memory_no_tags_of_a_document(
    ports: Ports, scope: Scope
) -> None:
    note = await saved_document(ports, scope, "Minutes of the meeting.", "zorbit")
    distilled_memory = await distilled(ports, scope, "Marisol prefers her tea without sugar.", note)
    own = await save(ports, scope, "The bridge is shut.", tags=["roads"])
    merged = await merge_memories(
        ports, scope, [distilled_memory.id, own.memory.id], "Tea and a bridge."
    )
    assert merged.tags == ["roads"]


async def test_consolidation_gives_a_persons_memory_no_tags_of_a_document(
    ports: Ports, scope: Scope
) -> None:
    note = await saved_document(ports, scope, "Minutes of the meeting.", "zorbit")
    distilled_memory = await distilled(ports, scope, "Marisol prefers her tea without sugar.", note)
    own = (await save(ports, scope, "The bridge is shut.", tags=["roads"])).memory
    assert await merge_same(ports, scope, distilled_memory, own, 0.99)
    assert (await get_memory(ports, scope, own.id)).tags == ["roads"]


async def test_a_deleted_document_takes_its_tags_away_and_brings_them_back(
    ports: Ports, scope: Scope
) -> None:
    first = await saved_document(ports, scope, "Minutes of the meeting.", "zorbit", "both")
    second = await saved_document(ports, scope, "Minutes of another meeting.", "both", "other")
    statement = "I have to pay the rent by 1 May 2031 and I have to call Bo by 2 May 2031."
    memory = await distilled(ports, scope, statement, first, before="Zorbit is a secret.")
    await add_evidence(ports, scope, memory, second)
    before = await get_memory(ports, scope, memory.id)
    assert before.tags == ["zorbit", "both", "other"]
    derived = await derive_memory(ports, scope, memory.id)
    assert len(derived.facts) == 2
    await delete_document(ports, scope, first.id)
    remaining = await get_memory(ports, scope, memory.id)
    assert (remaining.tags, remaining.context) == (["both", "other"], {"review": "pending"})
    assert "zorbit" not in await stored_text(ports, scope)
    await restore_document(ports, scope, first.id)
    restored = await get_memory(ports, scope, memory.id)
    assert (restored.tags, restored.context) == (before.tags, before.context)


# The names of people


@pytest.mark.parametrize("forget", [forget_memory, erase_memory])
async def test_a_surname_is_removed_with_its_only_memory(
    ports: Ports, scope: Scope, forget: Any
) -> None:
    await save(ports, scope, "Ada keeps bees on the roof.")
    full = await save(ports, scope, "Yesterday Ada Zorbit painted the fence.")
    assert await entities(ports, scope) == {"Ada Zorbit": 2}
    await forget(ports, scope, full.memory.id)
    assert await entities(ports, scope) == {"Ada": 1}
    assert "zorbit" not in json.dumps(await _names(ports, scope)).lower()
    if forget is forget_memory:
        await restore_memory(ports, scope, full.memory.id)
        assert await entities(ports, scope) == {"Ada Zorbit": 2}


async def _names(ports: Ports, scope: Scope) -> list[Any]:
    async with ports.db.transaction(scope) as tx:
        rows = await tx.system.fetch("SELECT name, name_normalized, aliases FROM entities")
    return [tuple(row) for row in rows]


async def test_mentions_by_first_name_join_the_person_who_is_left(
    ports: Ports, scope: Scope
) -> None:
    first = await save(ports, scope, "Ada keeps bees on the roof.")
    full = await save(ports, scope, "Yesterday Ada Zorbit painted the fence.")
    await save(ports, scope, "Later Ada Byron mowed the lawn.")
    await save(ports, scope, "At noon Ada bought a red kettle in the shop.")
    assert await entities(ports, scope) == {"Ada Zorbit": 2, "Ada Byron": 1, "Ada": 1}
    await erase_memory(ports, scope, full.memory.id)
    assert await entities(ports, scope) == {"Ada": 2, "Ada Byron": 1}
    await erase_memory(ports, scope, first.memory.id)
    assert await entities(ports, scope) == {"Ada": 1, "Ada Byron": 1}


def test_the_longest_remaining_name_becomes_the_name() -> None:
    ada = Entity(new_id(), "person", "Ada Zorbit", "ada zorbit", ["Ada", "Ada B", "Mrs Zorbit"])
    remaining = without_names(ada, {"Ada Zorbit", "Mrs Zorbit"})
    assert remaining
    assert (remaining.name, remaining.name_normalized, remaining.aliases) == (
        "Ada B",
        "ada b",
        ["Ada"],
    )
    assert without_names(ada, {"Ada Zorbit", "Ada", "Ada B", "Mrs Zorbit"}) is None


# Mentions and their counts

ZORBIT = [Mention("place", "Zorbit", "zorbit", "Zorbit")]


async def test_a_deleted_memory_gets_no_mentions(ports: Ports, scope: Scope) -> None:
    saved = await save(ports, scope, "Tea is hot.")
    memory = saved.memory
    await forget_memory(ports, scope, memory.id)
    for id in (memory.id, new_id()):
        async with ports.db.transaction(scope) as tx:
            await link_entities(tx, (memory.project_id, id), ZORBIT)
        assert await entities(ports, scope) == {}


async def test_a_memory_hidden_by_sql_has_no_mentions(ports: Ports, scope: Scope) -> None:
    await save(ports, scope, "Kenji lives in Kyoto.")
    async with ports.db.transaction(scope) as tx:
        await tx.system.execute("UPDATE memories SET state = 'quarantined'")
    assert await entities(ports, scope) == {}


async def test_an_entity_is_removed_with_its_last_mention_whatever_its_count(
    ports: Ports, scope: Scope
) -> None:
    saved = await save(ports, scope, "Kenji lives in Kyoto.")
    async with ports.db.transaction(scope) as tx:
        await tx.system.execute("UPDATE entities SET mention_count = 5")
    await forget_memory(ports, scope, saved.memory.id)
    assert (await view_graph(ports, scope, None, 50)).nodes == []
    assert await entities(ports, scope) == {}


async def _is_waited_for(tx: AnyTx) -> bool:
    """Whether another transaction waits for a lock of this one."""
    waiting = "SELECT count(*) FROM pg_locks WHERE pg_backend_pid() = ANY(pg_blocking_pids(pid))"
    return await tx.connection.fetchval(waiting) > 0


@pytest.mark.parametrize("erased_first", [True, False])
async def test_a_memory_that_is_erased_while_its_mentions_are_found_leaves_none(
    ports: Ports, scope: Scope, erased_first: bool
) -> None:
    """The two transactions share no project lock."""
    memory = (await save(ports, scope, "Tea is hot.")).memory

    async def erase(tx: AnyTx) -> None:
        await tx.connection.execute("DELETE FROM memories WHERE id = $1", memory.id)

    async def mention(tx: AnyTx) -> None:
        await link_entities(tx.acting_for(scope), (memory.project_id, memory.id), ZORBIT)

    first, second = (erase, mention) if erased_first else (mention, erase)
    first_done = asyncio.Event()

    async def run_second() -> None:
        await first_done.wait()
        async with ports.db.transaction(scope) as tx:
            await second(tx)

    waiting = asyncio.create_task(run_second())
    async with ports.db.transaction(scope) as tx:
        await first(tx)
        first_done.set()
        await until_async(lambda: _is_waited_for(tx))
        assert not waiting.done()
    await waiting
    assert await entities(ports, scope) == {}
    assert (await view_graph(ports, scope, None, 50)).nodes == []


async def test_an_import_leaves_no_entity_that_nothing_mentions(
    person: Person, stranger: Person, ports: Ports
) -> None:
    person.post("/api/memories", {"content": "Kenji lives in Kyoto."})
    lines = export_lines(person)
    import_lines(
        stranger,
        with_footer([line for line in lines if '"kind":"link"' not in _without_spaces(line)]),
    )
    scope = Scope(tenant_id=UUID(stranger.tenant_id), user_id=UUID(stranger.user_id), actor="test")
    assert await entities(ports, scope) == {}


def _without_spaces(line: str) -> str:
    return line[:40].replace(" ", "")


# Rows of older versions

CLEANUP_VERSION = 39


async def test_a_migration_removes_what_older_versions_left(server: Server) -> None:
    """It runs as the owner of the tables, to whom row security applies as well."""
    (cleanup,) = [migration for migration in migrations() if migration.version == CLEANUP_VERSION]
    async with scratch_database(server) as name, connected(server, name) as connection:
        for migration in migrations():
            if migration.version < CLEANUP_VERSION:
                await connection.execute(migration.sql)
        old = OldRows(connection)
        await old.begin()
        await old.mention(await old.memory("Kyoto."), await old.entity("Kyoto"), count=7)
        await old.entity("Unlinked", count=1)
        await old.mention(new_id(), await old.entity("Erased"), count=1)
        await old.mention(await old.memory("x", deleted=True), await old.entity("Hidden"), count=1)
        await old.bind("")
        await connection.execute(cleanup.sql)
        await old.bind(str(old.tenant))
        rows = await connection.fetch("SELECT name, mention_count FROM entities")
        assert [tuple(row) for row in rows] == [("Kyoto", 1)]
        assert await connection.fetchval("SELECT count(*) FROM links") == 1


class OldRows:
    """Writes rows as older versions did, without the product's functions."""

    def __init__(self, connection: Any) -> None:
        self.connection = connection
        self.tenant, self.project = new_id(), new_id()

    async def bind(self, tenant: str) -> None:
        await self.connection.execute("SELECT set_config('remem.tenant_id', $1, false)", tenant)

    async def write(self, table: str, **values: Any) -> None:
        row = {"tenant_id": self.tenant, **values}
        marks = ", ".join(f"${n}" for n in range(1, len(row) + 1))
        await self.connection.execute(
            f"INSERT INTO {table} ({', '.join(row)}) VALUES ({marks})", *row.values()
        )

    async def begin(self) -> None:
        await self.bind(str(self.tenant))
        await self.connection.execute(
            "INSERT INTO tenants (id, kind, name, slug) VALUES ($1, 'user', 'Ada', 'ada')",
            self.tenant,
        )
        await self.write("projects", id=self.project, slug="default", name="Default")

    async def memory(self, content: str, *, deleted: bool = False) -> UUID:
        id = new_id()
        values = {"id": id, "root_id": id, "content": content, "content_hash": str(id)}
        values |= {"project_id": self.project, "user_id": new_id(), "category": "fact"}
        await self.write("memories", **values)
        if deleted:
            await self.connection.execute(
                "UPDATE memories SET deleted_at = now() WHERE id = $1", id
            )
        return id

    async def entity(self, name: str, *, count: int = 0) -> UUID:
        id, values = new_id(), {"name": name, "name_normalized": name.lower(), "type": "concept"}
        await self.write("entities", id=id, project_id=self.project, mention_count=count, **values)
        return id

    async def mention(self, memory: UUID, entity: UUID, *, count: int) -> None:
        ends = {"from_kind": "memory", "from_id": memory, "to_kind": "entity", "to_id": entity}
        await self.write("links", id=new_id(), relation="mentions", **ends)
        await self.connection.execute(
            "UPDATE entities SET mention_count = $2 WHERE id = $1", entity, count
        )


# Statements of a person and a document


async def test_a_memory_that_a_person_saved_as_well_outlives_its_document(
    ports: Ports, scope: Scope
) -> None:
    note = await saved_document(ports, scope, "Minutes of the meeting.", "zorbit")
    old = await distilled(ports, scope, OLD, note, before="Zorbit is a secret.", heading="Zorbit")
    again = await save(ports, scope, OLD, tags=["mine"])
    assert (again.status, again.memory.id) == ("duplicate", old.id)
    assert (again.memory.source, again.memory.tags) == ("api", ["mine"])
    await forget_document(ports, scope, note.id)
    remaining = await get_memory(ports, scope, old.id)
    assert (remaining.content, remaining.tags, remaining.context) == (OLD, ["mine"], {})
    assert "zorbit" not in await stored_text(ports, scope)


async def test_a_surname_after_a_title_with_a_dot_is_removed(ports: Ports, scope: Scope) -> None:
    await save(ports, scope, "Ada keeps bees on the roof.")
    full = await save(ports, scope, "Dr. Ada Zorbit is my boss.")
    await erase_memory(ports, scope, full.memory.id)
    assert await entities(ports, scope) == {"Ada": 1}
    assert "zorbit" not in json.dumps(await _names(ports, scope)).lower()


async def test_context_is_removed_with_its_document(ports: Ports, scope: Scope) -> None:
    first = await saved_document(ports, scope, "Minutes of the meeting.")
    second = await saved_document(ports, scope, "Minutes of another meeting.")
    memory = await distilled(ports, scope, OLD, first, before="Zorbit.", heading="Zorbit")
    await add_evidence(ports, scope, memory, second)
    await delete_document(ports, scope, first.id)
    await restore_document(ports, scope, first.id)
    assert "zorbit" in await stored_text(ports, scope)
    await forget_document(ports, scope, first.id)
    assert "zorbit" not in await stored_text(ports, scope)
