"""The latest statement is the current one, in whatever order statements are processed, and even if
the process dies in between."""

import itertools
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from remem.core.documents.distil import distil_document
from remem.core.documents.ingest import ingest
from remem.core.documents.model import Draft as DocumentDraft
from remem.core.errors import Conflict, NotFound
from remem.core.judgements import KnownMemory, Passage, Relation, Statement, StatementContext
from remem.core.judges.by_rules import RulesJudge
from remem.core.memories.edit import MemoryEdit, edit_memory
from remem.core.memories.forget import forget_memory
from remem.core.memories.model import Memory
from remem.core.memories.process import relate_memory
from remem.core.ports import Ports
from remem.core.queued import Job
from remem.core.scope import Scope
from remem.core.time import new_id, now
from remem.core.transaction import AnyTx, Tx
from tests.conftest import new_scope
from tests.core.memories import relate_by_slot, save

pytestmark = pytest.mark.anyio

SLOTS = st.sampled_from(["colour", "city"])
VALUES = st.sampled_from(["red", "blue", "green"])
WHICH = st.integers(0, 20)
STEPS = st.one_of(
    st.tuples(st.just("say"), SLOTS, VALUES),
    st.tuples(st.just("defer"), SLOTS, VALUES),
    st.tuples(st.just("write"), SLOTS, VALUES),
    st.tuples(st.just("bring in"), SLOTS, VALUES, st.integers(1, 9)),
    st.tuples(st.just("edit"), WHICH, VALUES),
    st.tuples(st.just("work"), WHICH),
    st.tuples(st.just("die"), WHICH, st.integers(1, 3)),
    st.tuples(st.just("delete"), WHICH),
)

ORDER = st.lists(WHICH, min_size=1, max_size=6)


def statement_of(slot: object, value: object) -> str:
    return f"{slot} is {value} for Ada"


class SlotJudge(RulesJudge):
    """Relates by the first word, and makes each line of a document a statement."""

    async def relate(
        self, content: str, known: Sequence[KnownMemory], context: StatementContext
    ) -> list[Relation]:
        return relate_by_slot(content, known)

    async def distil(self, passages: Sequence[Passage]) -> list[Statement]:
        lines = "\n".join(passage.text for passage in passages).splitlines()
        return [Statement(line, "fact", 0.8, 0, len(line)) for line in lines if "Ada" in line]


class Killed(Exception):
    """The process ended here."""


@dataclass
class MortalDatabase:
    """A database whose process is killed before one of the next transactions."""

    db: Any
    transactions_left: int

    def transaction(self, scope: Scope, **options: Any) -> AbstractAsyncContextManager[Tx]:
        self.transactions_left -= 1
        if self.transactions_left <= 0:
            raise Killed
        return self.db.transaction(scope, **options)


JOBS = {"relate_memory": relate_memory, "distil_document": distil_document}


@dataclass
class ManualQueue:
    """A queue whose jobs the test runs in an order of its own."""

    jobs: list[tuple[str, UUID]] = field(default_factory=list)

    async def enqueue(self, tx: AnyTx, job: Job, **_: Any) -> None:
        if job.name == "relate_memory":
            self.jobs.append((job.name, job.subject_id))


@dataclass
class World:
    ports: Ports
    scope: Scope
    start: datetime
    jobs: list[tuple[str, UUID]]
    acknowledged: dict[UUID, str] = field(default_factory=dict)
    # The time and the value of the latest statement about each slot.
    newest: dict[str, tuple[datetime, str]] = field(default_factory=dict)
    deleted_slots: set[str] = field(default_factory=set)
    deleted: set[UUID] = field(default_factory=set)

    async def do(self, step: tuple[Any, ...]) -> None:
        match step:
            case ("say", slot, value):
                self.note(slot, value, (await self.save(statement_of(slot, value))).memory)
            case ("defer", slot, value):
                saved = await self.save(statement_of(slot, value), defer=True)
                self.note(slot, value, saved.memory)
            case ("write", slot, value):
                await self.write(slot, value)
            case ("bring in", slot, value, days):
                at = self.start - timedelta(days=days, seconds=len(self.acknowledged))
                saved = await self.save(statement_of(slot, value), created_at=at)
                self.note(slot, value, saved.memory, at)
            case ("edit", which, value):
                await self.edit(which, value)
            case ("delete", which):
                await self.delete(which)
            case ("work", which):
                await self.work(which)
            case ("die", which, after):
                await self.die(which, after)

    async def save(self, content: str, **fields: Any) -> Any:
        return await save(self.ports, self.scope, content, **fields)

    def note(self, slot: str, value: str, memory: Memory, at: datetime | None = None) -> None:
        self.acknowledged[memory.id] = memory.content
        self.newest[slot] = max(self.newest.get(slot, (self.start, "")), (at or now(), value))
        if at and self.newest[slot][1] == "":
            self.newest[slot] = (at, value)

    async def write(self, slot: str, value: str) -> None:
        # The id makes each document unique, even if the statement is the same.
        content = f"{statement_of(slot, value)}\n{new_id()}"
        draft = DocumentDraft(content=content, content_type="text")
        document = (await ingest(self.ports, self.scope, draft)).document
        moment = document.created_at
        self.newest[slot] = max(self.newest.get(slot, (self.start, "")), (moment, value))
        self.jobs.append(("distil_document", document.id))

    def chosen(self, which: int) -> UUID | None:
        ids = [id for id in self.acknowledged if id not in self.deleted]
        return ids[which % len(ids)] if ids else None

    async def edit(self, which: int, value: str) -> None:
        id = self.chosen(which)
        if id is None:
            return
        slot = self.acknowledged[id].split()[0]
        change = MemoryEdit(frozenset({"content"}), content=statement_of(slot, value))
        try:
            memory = await edit_memory(self.ports, self.scope, id, change)
        except (Conflict, NotFound):
            return
        # An edit that changes no word is no new statement.
        if memory.id != id:
            self.note(slot, value, memory)

    async def delete(self, which: int) -> None:
        id = self.chosen(which)
        if id is None:
            return
        try:
            await forget_memory(self.ports, self.scope, id)
        except NotFound:
            return
        self.deleted_slots.add(self.acknowledged[id].split()[0])
        async with self.ports.db.transaction(self.scope) as tx:
            rows = await tx.system.fetch("SELECT id FROM memories WHERE deleted_at IS NOT NULL")
        self.deleted |= {row["id"] for row in rows}

    async def work(self, which: int) -> None:
        if self.jobs:
            name, id = self.jobs.pop(which % len(self.jobs))
            await JOBS[name](self.ports, self.scope, id)

    async def die(self, which: int, after: int) -> None:
        if self.jobs:
            mortal_ports = replace(self.ports, db=MortalDatabase(self.ports.db, after))  # type: ignore[arg-type]
            name, id = self.jobs[which % len(self.jobs)]
            try:
                await JOBS[name](mortal_ports, self.scope, id)
            except Killed:
                return

    async def rows(self) -> list[dict[str, Any]]:
        async with self.ports.db.transaction(self.scope) as tx:
            rows = await tx.system.fetch(
                "SELECT *, coalesce(stated_at, least(valid_from, created_at)) AS said FROM memories"
                " ORDER BY root_id, version"
            )
        return [dict(row) for row in rows]

    async def check_chains(self) -> None:
        rows = await self.rows()
        for root in {row["root_id"] for row in rows if row["deleted_at"] is None}:
            members = [row for row in rows if row["root_id"] == root]
            assert [row["version"] for row in members] == list(range(1, len(members) + 1))
            current = [row for row in members if row["is_current"]]
            assert len(current) <= 1 and current in ([], members[-1:])
        content_by_id = {row["id"]: row["content"] for row in rows if row["deleted_at"] is None}
        for id, content in self.acknowledged.items():
            assert id in self.deleted or content_by_id[id] == content

    async def check_end(self) -> None:
        rows = [row for row in await self.rows() if row["deleted_at"] is None]
        for slot, (_, value) in self.newest.items():
            members = [row for row in rows if row["content"].startswith(slot)]
            current = [row for row in members if row["state"] == "active"]
            assert len(current) <= 1, [row["content"] for row in current]
            for row in current:
                assert row["said"] == max(member["said"] for member in members)
            if slot not in self.deleted_slots:
                assert [row["content"] for row in current] == [statement_of(slot, value)]


@given(steps=st.lists(STEPS, min_size=2, max_size=9), order=ORDER)
@example(steps=[("write", "city", "red"), ("say", "city", "blue")], order=[0]).via(
    "a document that is processed after a memory that was said later"
)
@example(
    steps=[("say", "city", "red"), ("write", "city", "blue"), ("say", "city", "red")], order=[0]
).via("what was said again counts from then on")
@example(
    steps=[("say", "city", "red"), ("defer", "city", "blue"), ("edit", 1, "green")], order=[0]
).via("what is edited before its job has run")
@settings(
    max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)
async def test_the_newest_statement_is_current_whatever_the_order(
    ports: Ports, steps: list[tuple[Any, ...]], order: list[int]
) -> None:
    queue = ManualQueue()
    idle_ports = replace(ports, queue=queue, judge=SlotJudge(ports.analysis))  # type: ignore[arg-type]
    world = World(idle_ports, await new_scope(ports), now(), queue.jobs)
    for step in steps:
        await world.do(step)
        await world.check_chains()
    choices = itertools.cycle(order)
    while world.jobs:
        await world.work(next(choices))
    await world.check_chains()
    await world.check_end()


# Fields that an update keeps


async def test_an_update_keeps_fields_that_were_not_given(ports: Ports, scope: Scope) -> None:
    due = now() + timedelta(days=3)
    old = await save(
        ports, scope, "Our office is in Berlin.", category="decision", tags=["place"], due_at=due,
        context={"team": "core"}, confidence=0.7, title="Where we sit",
    )  # fmt: skip
    new = await save(ports, scope, "Our office is in Munich.", context={"by": "Ada"})
    assert new.superseded == (old.memory.id,)
    memory = new.memory
    assert (memory.category, memory.tags, memory.due_at) == ("decision", ["place"], due)
    assert (memory.title, round(memory.confidence, 3)) == ("Where we sit", 0.7)
    assert memory.context == {"by": "Ada"}
    last = await save(ports, scope, "Our office is in Hamburg.", category="fact", tags=["seat"])
    assert (last.memory.category, last.memory.tags) == ("fact", ["seat"])


async def test_a_deferred_update_keeps_them_too(
    ports: Ports, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    idle = replace(ports, queue=ManualQueue())  # type: ignore[arg-type]
    await save(idle, scope, "Our office is in Berlin.", category="decision", tags=["place"])
    new = await save(idle, scope, "Our office is in Munich.", defer=True)
    assert new.memory.category == "fact"
    await relate_memory(idle, scope, new.memory.id)
    async with ports.db.transaction(scope) as tx:
        row = await tx.system.fetchrow("SELECT * FROM memories WHERE is_current")
    assert (row["id"], row["category"], row["tags"]) == (new.memory.id, "decision", ["place"])


async def test_an_older_statement_that_comes_late_passes_its_fields_on(
    ports: Ports, scope: Scope
) -> None:
    await save(ports, scope, "Our office is in Munich.")
    new = await save(ports, scope, "Our office is in Hamburg.")
    before = now() - timedelta(days=9)
    old = await save(
        ports, scope, "Our office is in Berlin.", category="decision", created_at=before
    )
    assert (old.memory.is_current, old.memory.version) == (False, 1)
    async with ports.db.transaction(scope) as tx:
        rows = await tx.system.fetch("SELECT * FROM memories ORDER BY version")
    assert [(row["version"], row["category"]) for row in rows] == [
        (1, "decision"),
        (2, "decision"),
        (3, "decision"),
    ]
    assert [row["supersedes_id"] for row in rows] == [None, rows[0]["id"], rows[1]["id"]]
    assert [row["id"] for row in rows if row["is_current"]] == [new.memory.id]


async def test_a_title_that_names_what_changed_is_not_kept(ports: Ports, scope: Scope) -> None:
    await save(ports, scope, "Our office is in Berlin.", title="The Berlin office")
    assert (await save(ports, scope, "Our office is in Munich.")).memory.title is None
