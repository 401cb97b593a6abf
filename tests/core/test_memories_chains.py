"""Chains of versions stay consistent, whatever is done to memories in whatever order."""

from dataclasses import dataclass, field
from uuid import UUID

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from remem.core.errors import Conflict, Invalid, NotFound
from remem.core.judges import by_rules as judging
from remem.core.memories.browse import get_memory
from remem.core.memories.edit import MemoryEdit, edit_memory
from remem.core.memories.forget import erase_memory, forget_memory
from remem.core.memories.lifecycle import set_lifecycle
from remem.core.memories.merge import merge_memories
from remem.core.memories.model import Memory
from remem.core.memories.versions.restore import restore_memory
from remem.core.ports import Ports
from remem.core.scope import Scope
from tests.conftest import new_scope
from tests.core.memories import contents, relate_by_slot, save

pytestmark = pytest.mark.anyio

SLOTS = st.sampled_from(["colour", "city", "editor"])
VALUES = st.sampled_from(["red", "blue", "green", "white"])
# Index into the memories seen so far.
WHICH = st.integers(0, 30)
STEPS = st.one_of(
    st.tuples(st.just("save"), SLOTS, VALUES),
    st.tuples(st.just("edit"), WHICH, VALUES),
    st.tuples(st.just("merge"), WHICH, WHICH),
    st.tuples(st.sampled_from(["restore", "delete", "undo", "erase", "hide", "wake"]), WHICH),
)


@dataclass
class World:
    """The memories of one user, and which of them were deleted."""

    ports: Ports
    scope: Scope
    seen: list[UUID] = field(default_factory=list)
    roots: dict[UUID, UUID] = field(default_factory=dict)
    deleted: set[UUID] = field(default_factory=set)
    erased: set[UUID] = field(default_factory=set)
    replaced: set[UUID] = field(default_factory=set)
    # The root of each merged chain, and the roots of the chains it was merged into.
    merged_into: dict[UUID, set[UUID]] = field(default_factory=dict)

    async def do(self, step: tuple[object, ...]) -> None:
        if step[0] == "save":
            saved = await save(self.ports, self.scope, f"{step[1]} is {step[2]} for Ada")
            self.note(saved.memory)
        elif self.seen:
            try:
                await self.change(step, self.seen[int(str(step[1])) % len(self.seen)])
            except (Conflict, Invalid, NotFound):
                # Not every step is possible in every state; only the resulting state matters.
                return

    async def change(self, step: tuple[object, ...], id: UUID) -> None:
        match step[0]:
            case "edit":
                change = MemoryEdit(frozenset({"content"}), content=f"colour is {step[2]} by hand")
                self.note(await edit_memory(self.ports, self.scope, id, change))
            case "merge":
                other = self.seen[int(str(step[2])) % len(self.seen)]
                merged = await merge_memories(self.ports, self.scope, [id, other])
                self.note(merged)
                for source in (id, other):
                    self.merged_into.setdefault(self.roots[source], set()).add(merged.root_id)
            case "restore" | "undo":
                was_deleted = self.roots[id] in self.deleted
                self.note(await restore_memory(self.ports, self.scope, id))
                if was_deleted:
                    self.deleted -= await self.deleted_together(self.roots[id])
            case "delete":
                await forget_memory(self.ports, self.scope, id)
                self.deleted |= await self.deleted_together(self.roots[id])
            case "erase":
                erased = await self.deleted_together(self.roots[id])
                await erase_memory(self.ports, self.scope, id)
                self.erased |= erased
                self.deleted |= erased
            case "hide":
                await set_lifecycle(self.ports, self.scope, id, "quarantined", None)
            case "wake":
                await set_lifecycle(self.ports, self.scope, id, "active", None)

    async def deleted_together(self, root: UUID) -> set[UUID]:
        """The roots of a chain and of those merged into it that are current nowhere else: they are
        deleted and restored together."""
        current = "SELECT root_id FROM memories WHERE is_current AND state = 'active'"
        async with self.ports.db.transaction(self.scope) as tx:
            current_roots = {row["root_id"] for row in await tx.system.fetch(current)}
        roots = {root}
        while (
            more := {merged for merged, targets in self.merged_into.items() if targets & roots}
            - roots
            - current_roots
            - self.erased
        ):
            roots |= more
        return roots

    def note(self, memory: Memory) -> None:
        if memory.id not in self.roots:
            self.seen.append(memory.id)
        self.roots[memory.id] = memory.root_id

    async def check(self) -> None:
        async with self.ports.db.transaction(self.scope) as tx:
            rows = [
                dict(row)
                for row in await tx.system.fetch("SELECT * FROM memories ORDER BY version")
            ]
            links = await tx.system.fetch("SELECT from_id, to_id, relation FROM links")
            in_word_index = {
                row["owner_id"] for row in await tx.system.fetch("SELECT owner_id FROM postings")
            }
            in_vector_index = {
                row["owner_id"] for row in await tx.system.fetch("SELECT owner_id FROM embeddings")
            }
            text_count = await tx.system.fetchval(
                "SELECT coalesce(sum(texts), 0)::int FROM text_totals"
            )
            memory_count = await tx.system.fetchval("SELECT memory_count FROM subscriptions")
        existing = [row for row in rows if row["deleted_at"] is None]
        active = {row["id"] for row in existing if row["state"] == "active"}
        assert in_word_index == in_vector_index == active
        current_count = sum(row["is_current"] for row in existing)
        assert (text_count, memory_count) == (len(active), current_count)
        self.replaced |= {link["to_id"] for link in links if link["relation"] == "updates"}
        self.replaced |= {link["from_id"] for link in links if link["relation"] == "merged_into"}
        for root in {row["root_id"] for row in existing}:
            members = [row for row in rows if row["root_id"] == root]
            current = [row["id"] for row in members if row["is_current"]]
            assert [row["version"] for row in members] == list(range(1, len(members) + 1))
            last = members[-1]["id"]
            # A chain without a current member was replaced by a member of another chain.
            assert current == [last] or (not current and last in self.replaced)
        await self.check_readers(existing)

    async def check_readers(self, existing: list[dict[str, object]]) -> None:
        listed = await contents(self.ports, self.scope)
        active = [row["content"] for row in existing if row["state"] == "active"]
        assert sorted(listed) == sorted(str(content) for content in active)
        assert len(set(listed)) == len(listed)
        for id, root in self.roots.items():
            if root in self.deleted:
                with pytest.raises(NotFound):
                    await get_memory(self.ports, self.scope, id)
            else:
                assert (await get_memory(self.ports, self.scope, id)).root_id == root


@given(steps=st.lists(STEPS, min_size=1, max_size=14))
@settings(
    max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)
async def test_a_chain_has_one_current_member_and_nothing_deleted_is_readable(
    ports: Ports, monkeypatch: pytest.MonkeyPatch, steps: list[tuple[object, ...]]
) -> None:
    monkeypatch.setattr(judging, "relate", relate_by_slot)
    world = World(ports, await new_scope(ports))
    for step in steps:
        await world.do(step)
        await world.check()
