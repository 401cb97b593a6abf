"""A name goes with the last thing that says it: from entities, tags and what stands around."""

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
from remem.migrations.apply import migrations
from tests.conftest import Person, Server
from tests.core.memories import save, settled
from tests.core.scratch import connected, scratch_database
from tests.core.test_mentions import entities
from tests.tools.waiting import until_so
from tests.transfer.stores import bring_in, give_out, sealed

pytestmark = pytest.mark.anyio

OLD, NEW = "The team uses PostgreSQL 17.", "The team uses PostgreSQL 18."


async def document(ports: Ports, scope: Scope, content: str, *tags: str) -> Document:
    return (await ingest(ports, scope, DocumentDraft(content, tags=list(tags)))).document


async def distilled(
    ports: Ports, scope: Scope, said: str, source: Document, **context: str
) -> Memory:
    place = EvidencePlace(source.id, 0, 5)
    saved = await save(
        ports,
        scope,
        said,
        source=DISTIL,
        document_id=source.id,
        evidence=evidence_json(place),
        tags=source.tags,
        context={"review": "pending", **context},
    )
    async with ports.db.transaction(scope) as tx:
        await add_place(tx, scope, saved.memory, place)
    return saved.memory


async def say_too(ports: Ports, scope: Scope, memory: Memory, source: Document) -> None:
    async with ports.db.transaction(scope) as tx:
        await add_place(tx, scope, memory, EvidencePlace(source.id, 0, 5))
        await add_tags(tx, scope, memory, source.tags)


async def everything(ports: Ports, scope: Scope) -> str:
    """All that the store has of memories and entities, in small letters."""
    async with ports.db.transaction(scope) as tx:
        rows = [await tx.fetch(f"SELECT * FROM {table}") for table in ("memories", "entities")]
    return json.dumps([dict(row) for found in rows for row in found], default=str).lower()


# What documents gave


async def test_what_a_document_gave_does_not_go_on_to_what_replaces_its_statement(
    ports: Ports, scope: Scope
) -> None:
    note = await document(ports, scope, "Minutes of the meeting.", "zorbit", "meeting")
    old = await distilled(ports, scope, OLD, note, before="Zorbit is a secret.", heading="Zorbit")
    own = {"tags": [*old.tags, "mine"], "context": {**old.context, "colour": "red"}}
    await edit_memory(ports, scope, old.id, MemoryEdit(frozenset(own), **own))
    new = await save(ports, scope, NEW)
    assert new.superseded == (old.id,)
    assert (new.memory.tags, new.memory.context) == (["mine"], {"colour": "red"})
    assert await entities(ports, scope) == {"PostgreSQL": 1, "mine": 1}
    await forget_document(ports, scope, note.id)
    assert "zorbit" not in await everything(ports, scope)


async def test_the_same_where_a_job_finds_that_it_replaces(ports: Ports, scope: Scope) -> None:
    note = await document(ports, scope, "Minutes of the meeting.", "zorbit")
    old = await distilled(ports, scope, OLD, note)
    later = await save(ports, scope, NEW, defer=True)
    replacing = await settled(ports, scope, later.memory.id)
    assert (replacing.supersedes_id, replacing.tags) == (old.id, [])
    await forget_document(ports, scope, note.id)
    assert "zorbit" not in await everything(ports, scope)


async def test_a_merge_gives_a_persons_memory_no_tags_of_a_document(
    ports: Ports, scope: Scope
) -> None:
    note = await document(ports, scope, "Minutes of the meeting.", "zorbit")
    copy = await distilled(ports, scope, "Marisol prefers her tea without sugar.", note)
    kept = await save(ports, scope, "The bridge is shut.", tags=["roads"])
    merged = await merge_memories(ports, scope, [copy.id, kept.memory.id], "Tea and a bridge.")
    assert merged.tags == ["roads"]


async def test_nor_does_a_merge_at_night(ports: Ports, scope: Scope) -> None:
    note = await document(ports, scope, "Minutes of the meeting.", "zorbit")
    copy = await distilled(ports, scope, "Marisol prefers her tea without sugar.", note)
    kept = (await save(ports, scope, "The bridge is shut.", tags=["roads"])).memory
    assert await merge_same(ports, scope, copy, kept, 0.99)
    assert (await get_memory(ports, scope, kept.id)).tags == ["roads"]


async def test_of_two_documents_the_one_that_is_deleted_takes_its_tags_along_and_back(
    ports: Ports, scope: Scope
) -> None:
    one = await document(ports, scope, "Minutes of the meeting.", "zorbit", "both")
    two = await document(ports, scope, "Minutes of another meeting.", "both", "other")
    said = "I have to pay the rent by 1 May 2031 and I have to call Bo by 2 May 2031."
    memory = await distilled(ports, scope, said, one, before="Zorbit is a secret.")
    await say_too(ports, scope, memory, two)
    before = await get_memory(ports, scope, memory.id)
    assert before.tags == ["zorbit", "both", "other"]
    derived = await derive_memory(ports, scope, memory.id)
    assert derived.new_count
    await delete_document(ports, scope, one.id)
    left = await get_memory(ports, scope, memory.id)
    assert (left.tags, left.context) == (["both", "other"], {"review": "pending"})
    assert "zorbit" not in await everything(ports, scope)
    await restore_document(ports, scope, one.id)
    again = await get_memory(ports, scope, memory.id)
    assert (again.tags, again.context) == (before.tags, before.context)


# The names of people


@pytest.mark.parametrize("forget", [forget_memory, erase_memory])
async def test_a_surname_goes_with_the_memory_that_had_it(
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
        rows = await tx.fetch("SELECT name, name_normalized, aliases FROM entities")
    return [tuple(row) for row in rows]


async def test_who_is_left_with_the_name_of_another_is_that_one(ports: Ports, scope: Scope) -> None:
    first = await save(ports, scope, "Ada keeps bees on the roof.")
    full = await save(ports, scope, "Yesterday Ada Zorbit painted the fence.")
    await save(ports, scope, "Later Ada Byron mowed the lawn.")
    await save(ports, scope, "At noon Ada bought a red kettle in the shop.")
    assert await entities(ports, scope) == {"Ada Zorbit": 2, "Ada Byron": 1, "Ada": 1}
    await erase_memory(ports, scope, full.memory.id)
    assert await entities(ports, scope) == {"Ada": 2, "Ada Byron": 1}
    await erase_memory(ports, scope, first.memory.id)
    assert await entities(ports, scope) == {"Ada": 1, "Ada Byron": 1}


def test_the_fullest_name_that_is_left_is_the_name() -> None:
    ada = Entity(new_id(), "person", "Ada Zorbit", "ada zorbit", ["Ada", "Ada B", "Mrs Zorbit"])
    after = without_names(ada, {"Ada Zorbit", "Mrs Zorbit"})
    assert after
    assert (after.name, after.name_normalized, after.aliases) == ("Ada B", "ada b", ["Ada"])
    assert without_names(ada, {"Ada Zorbit", "Ada", "Ada B", "Mrs Zorbit"}) is None


# Mentions and their counts

ZORBIT = [Mention("place", "Zorbit", "zorbit", "Zorbit")]


async def test_what_is_not_shown_mentions_nothing(ports: Ports, scope: Scope) -> None:
    saved = await save(ports, scope, "Tea is hot.")
    memory = saved.memory
    await forget_memory(ports, scope, memory.id)
    for id in (memory.id, new_id()):
        async with ports.db.transaction(scope) as tx:
            await link_entities(tx, scope, (memory.project_id, id), ZORBIT)
        assert await entities(ports, scope) == {}


async def test_what_is_hidden_past_every_verb_mentions_nothing(ports: Ports, scope: Scope) -> None:
    await save(ports, scope, "Kenji lives in Kyoto.")
    async with ports.db.transaction(scope) as tx:
        await tx.execute("UPDATE memories SET state = 'quarantined'")
    assert await entities(ports, scope) == {}


async def test_an_entity_goes_with_its_last_mention_whatever_was_counted(
    ports: Ports, scope: Scope
) -> None:
    saved = await save(ports, scope, "Kenji lives in Kyoto.")
    async with ports.db.transaction(scope) as tx:
        await tx.execute("UPDATE entities SET mention_count = 5")
    await forget_memory(ports, scope, saved.memory.id)
    assert (await view_graph(ports, scope, None, 50)).nodes == []
    assert await entities(ports, scope) == {}


async def _is_waited_for(tx: Any) -> bool:
    """Whether another transaction waits for what this one has."""
    waiting = "SELECT count(*) FROM pg_locks WHERE pg_backend_pid() = ANY(pg_blocking_pids(pid))"
    return await tx.fetchval(waiting) > 0


@pytest.mark.parametrize("erased_first", [True, False])
async def test_a_memory_that_is_erased_while_its_mentions_are_found_leaves_none(
    ports: Ports, scope: Scope, erased_first: bool
) -> None:
    """Two transactions that no lock of a project keeps apart."""
    memory = (await save(ports, scope, "Tea is hot.")).memory

    async def erase(tx: Any) -> None:
        await tx.execute("DELETE FROM memories WHERE id = $1", memory.id)

    async def mention(tx: Any) -> None:
        await link_entities(tx, scope, (memory.project_id, memory.id), ZORBIT)

    first, second = (erase, mention) if erased_first else (mention, erase)
    begun = asyncio.Event()

    async def run_second() -> None:
        await begun.wait()
        async with ports.db.transaction(scope) as tx:
            await second(tx)

    waiting = asyncio.create_task(run_second())
    async with ports.db.transaction(scope) as tx:
        await first(tx)
        begun.set()
        await until_so(lambda: _is_waited_for(tx))
        assert not waiting.done()
    await waiting
    assert await entities(ports, scope) == {}
    assert (await view_graph(ports, scope, None, 50)).nodes == []


async def test_an_import_leaves_no_entity_that_nothing_mentions(
    person: Person, stranger: Person, ports: Ports
) -> None:
    person.post("/api/memories", {"content": "Kenji lives in Kyoto."})
    lines = give_out(person)
    bring_in(stranger, sealed([one for one in lines if '"kind":"link"' not in _bare(one)]))
    scope = Scope(tenant_id=UUID(stranger.tenant_id), user_id=UUID(stranger.user_id), actor="test")
    assert await entities(ports, scope) == {}


def _bare(line: str) -> str:
    return line[:40].replace(" ", "")


# Stores of before

HEALS = 39


async def test_what_older_versions_left_is_gone(server: Server) -> None:
    """By the role that owns the tables, for whom their policies are forced."""
    (heals,) = [one for one in migrations() if one.version == HEALS]
    async with scratch_database(server) as name, connected(server, name) as connection:
        for migration in migrations():
            if migration.version < HEALS:
                await connection.execute(migration.sql)
        old = Older(connection)
        await old.begin()
        await old.mention(await old.memory("Kyoto."), await old.entity("Kyoto"), count=7)
        await old.entity("Unlinked", count=1)
        await old.mention(new_id(), await old.entity("Erased"), count=1)
        await old.mention(await old.memory("x", deleted=True), await old.entity("Hidden"), count=1)
        await old.bind("")
        await connection.execute(heals.sql)
        await old.bind(str(old.tenant))
        rows = await connection.fetch("SELECT name, mention_count FROM entities")
        assert [tuple(row) for row in rows] == [("Kyoto", 1)]
        assert await connection.fetchval("SELECT count(*) FROM links") == 1


class Older:
    """Writes rows as they were, past every verb."""

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


# What a person says too


async def test_what_a_person_says_too_stays_without_the_document(
    ports: Ports, scope: Scope
) -> None:
    note = await document(ports, scope, "Minutes of the meeting.", "zorbit")
    old = await distilled(ports, scope, OLD, note, before="Zorbit is a secret.", heading="Zorbit")
    again = await save(ports, scope, OLD, tags=["mine"])
    assert (again.status, again.memory.id) == ("duplicate", old.id)
    assert (again.memory.source, again.memory.tags) == ("api", ["mine"])
    await forget_document(ports, scope, note.id)
    left = await get_memory(ports, scope, old.id)
    assert (left.content, left.tags, left.context) == (OLD, ["mine"], {})
    assert "zorbit" not in await everything(ports, scope)


async def test_a_surname_behind_a_title_with_a_dot_goes_too(ports: Ports, scope: Scope) -> None:
    await save(ports, scope, "Ada keeps bees on the roof.")
    full = await save(ports, scope, "Dr. Ada Zorbit is my boss.")
    await erase_memory(ports, scope, full.memory.id)
    assert await entities(ports, scope) == {"Ada": 1}
    assert "zorbit" not in json.dumps(await _names(ports, scope)).lower()


async def test_what_stood_around_it_goes_with_either_document(ports: Ports, scope: Scope) -> None:
    one = await document(ports, scope, "Minutes of the meeting.")
    two = await document(ports, scope, "Minutes of another meeting.")
    memory = await distilled(ports, scope, OLD, one, before="Zorbit.", heading="Zorbit")
    await say_too(ports, scope, memory, two)
    await delete_document(ports, scope, one.id)
    await restore_document(ports, scope, one.id)
    assert "zorbit" in await everything(ports, scope)
    await forget_document(ports, scope, one.id)
    assert "zorbit" not in await everything(ports, scope)
