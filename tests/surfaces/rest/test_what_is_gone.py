"""After random actions in random order, deleted items appear in no read path."""

import random
import re
from collections import Counter
from dataclasses import dataclass, field
from itertools import chain
from typing import Any
from uuid import UUID

import pytest

from remem.core.documents.distil import distil_document
from remem.core.ports import Ports
from remem.core.scope import Scope
from tests.conftest import Person
from tests.core.memories import wait_for_jobs
from tests.surfaces.rest.read_paths import AUDIT, lists, searches

pytestmark = pytest.mark.anyio

STEPS, CHECK_EVERY = 45, 5
PROJECTS = ("walk", "walk.below")
WORD = re.compile(r"Zor[a-z]{6}")
QUERY = "Which colour does the boat of Ada have, and who owns it?"
TEMPLATES = (
    "The colour of the boat is {0}.",
    "The owner of the boat is {0}.",
    "Ada likes {0}.",
    "Ada lives in {0}.",
    "Ada and Bert met in {0} on Friday.",
)
ACTIONS = {
    "save": 8, "edit": 3, "restore": 2, "delete": 4, "erase": 2, "forget": 1, "quarantine": 1,
    "activate": 1,
    "document": 3, "distil": 2, "drop_document": 2, "undo_drop": 2, "archive": 1,
}  # fmt: skip


@dataclass
class Walk:
    """Saves and deletes at random, and records what must be gone."""

    person: Person
    ports: Ports
    scope: Scope
    dice: random.Random
    owners: dict[str, set[str]] = field(default_factory=dict)
    """For every word, the memories and documents that ever contained it."""
    chains: dict[str, str] = field(default_factory=dict)
    documents: set[str] = field(default_factory=set)
    projects: set[str] = field(default_factory=lambda: set(PROJECTS))
    gone: set[str] = field(default_factory=set)
    erased: set[str] = field(default_factory=set)
    searches_done: int = 0

    async def step(self) -> str:
        action = self.dice.choices(list(ACTIONS), list(ACTIONS.values()))[0]
        await getattr(self, action)()
        await self.record()
        return action

    def word(self) -> str:
        return "Zor" + "".join(self.dice.choices("abcdefghiklmnoprstuvwz", k=6))

    def statement(self) -> str:
        return self.dice.choice(TEMPLATES).format(self.word())

    def project(self) -> str:
        return self.dice.choice(sorted(self.projects))

    def any_id(self) -> str:
        return self.dice.choice(sorted(self.chains)) if self.chains else str(UUID(int=1))

    def chain(self, id: str) -> set[str]:
        return {member for member, root in self.chains.items() if root == self.chains.get(id)}

    async def save(self) -> None:
        body = {"content": self.statement(), "project": self.project()}
        reply = self.person.post("/api/memories", body)
        assert reply.status_code in (200, 201), reply.text

    async def edit(self) -> None:
        self.person.http.put(f"/api/memories/{self.any_id()}", json={"content": self.statement()})

    async def restore(self) -> None:
        id = self.any_id()
        if self.person.post(f"/api/memories/{id}/restore", {}).status_code == 200:
            self.gone -= self.chain(id)

    async def delete(self) -> None:
        id = self.any_id()
        if self.person.http.delete(f"/api/memories/{id}").status_code == 204:
            self.gone |= self.chain(id)

    async def erase(self) -> None:
        id = self.any_id()
        if self.person.http.delete(f"/api/memories/{id}?hard=true").status_code == 204:
            self.gone |= self.chain(id)
            self.erased |= self.chain(id)

    async def forget(self) -> None:
        body = {"query": self.statement(), "dry_run": False, "threshold": 0.8}
        for memory in self.person.post("/v1/memories/forget", body).json()["memories"]:
            self.gone |= self.chain(memory["id"])

    async def quarantine(self) -> None:
        self.person.post(f"/api/memories/{self.any_id()}/lifecycle", {"state": "quarantined"})

    async def activate(self) -> None:
        self.person.post(f"/api/memories/{self.any_id()}/lifecycle", {"state": "active"})

    async def document(self) -> None:
        text = f"I own a boat called {self.word()}. I work at {self.word()}."
        saved = self.person.save(text, project=self.project())
        self.documents.add(saved["id"])
        for word in WORD.findall(text):
            self.owners.setdefault(word, set()).add(saved["id"])

    async def distil(self) -> None:
        remaining = sorted(self.documents - self.gone)
        if remaining:
            await distil_document(self.ports, self.scope, UUID(self.dice.choice(remaining)))

    async def drop_document(self) -> None:
        remaining = sorted(self.documents - self.gone)
        if remaining:
            id = self.dice.choice(remaining)
            undo = {"undo": self.dice.random() < 0.5}
            reply = self.person.http.delete(f"/v3/documents/{id}", params=undo)
            assert reply.status_code == 204
            self.gone.add(id)

    async def undo_drop(self) -> None:
        dropped = sorted(self.documents & self.gone)
        if not dropped:
            return
        id, before = self.dice.choice(dropped), await self.existing()
        reply = self.person.post(f"/v3/documents/{id}/restore", {})
        assert reply.status_code in (200, 404, 409), reply.text
        if reply.status_code == 200:
            after = await self.existing()
            self.erased -= after.keys() - before.keys()
            self.gone -= {id, *(memory for memory in after.keys() - before.keys() if after[memory])}

    async def existing(self) -> dict[str, bool]:
        """Every memory that has a row, and whether it is undeleted."""
        rows = await self.fetch("SELECT id, deleted_at FROM memories")
        return {str(row["id"]): row["deleted_at"] is None for row in rows}

    async def archive(self) -> None:
        self.person.post("/v1/containers/walk.below/archive", {})
        self.projects.discard("walk.below")

    async def record(self) -> None:
        rows = await self.fetch("SELECT id, root_id, content FROM memories")
        for row in rows:
            self.chains.setdefault(str(row["id"]), str(row["root_id"]))
            for word in WORD.findall(row["content"]):
                self.owners.setdefault(word, set()).add(str(row["id"]))
        # A memory that only one document stated is erased with it; only erasing removes rows.
        existing_ids = {str(row["id"]) for row in rows}
        self.gone |= self.chains.keys() - existing_ids
        self.erased |= self.chains.keys() - existing_ids

    async def fetch(self, statement: str) -> list[Any]:
        async with self.ports.db.transaction(self.scope) as tx:
            return await tx.system.fetch(statement)

    async def settle(self) -> None:
        for row in await self.fetch("SELECT DISTINCT subject_id FROM jobs"):
            await wait_for_jobs(self.ports, self.scope, row["subject_id"])
        await self.record()

    async def check_rows(self) -> None:
        rows = await self.fetch("SELECT * FROM memories ORDER BY version")
        searchable = {
            row["id"]
            for row in rows
            if row["is_current"] and row["state"] == "active" and not row["deleted_at"]
        }
        for table in ("postings", "embeddings"):
            owners = f"SELECT DISTINCT owner_id FROM {table} WHERE owner_kind = 'memory'"
            assert {row["owner_id"] for row in await self.fetch(owners)} == searchable, table
        await self.check_entities(searchable)
        deleted = {str(row["id"]) for row in rows if row["deleted_at"]}
        assert deleted == self.gone - self.erased - self.documents
        await self.check_chains(rows)

    async def check_entities(self, searchable: set[UUID]) -> None:
        """Mention counts are right, and only searchable memories have mentions."""
        links = await self.fetch("SELECT from_id, to_id FROM links WHERE relation = 'mentions'")
        assert {row["from_id"] for row in links} <= searchable
        counts = Counter(row["to_id"] for row in links)
        entities = await self.fetch("SELECT id, name, aliases, mention_count FROM entities")
        assert {row["id"]: row["mention_count"] for row in entities} == counts
        entity_names = [" ".join((row["name"], *row["aliases"])).casefold() for row in entities]
        gone_words = [word.casefold() for word, ids in self.owners.items() if ids <= self.gone]
        assert not [name for name in entity_names if any(word in name for word in gone_words)]

    async def check_chains(self, rows: list[Any]) -> None:
        links = await self.fetch(
            "SELECT to_id FROM links WHERE relation IN ('updates', 'merged_into')"
        )
        ended = await self.fetch(
            "SELECT subject_id FROM events WHERE type IN ('supersede', 'merge')"
        )
        replaced = {row["to_id"] for row in links} | {row["subject_id"] for row in ended}
        for root in {row["root_id"] for row in rows}:
            members = [row for row in rows if row["root_id"] == root]
            current = [row["id"] for row in members if row["is_current"]]
            last = members[-1]["id"]
            assert current == [last] or (not current and last in replaced)

    async def check_read_paths(self) -> None:
        words = sorted(word for word, ids in self.owners.items() if ids <= self.gone)
        memories = sorted(self.gone & self.chains.keys())
        alive = sorted(self.chains.keys() - self.gone)
        sampled = self.dice.sample(words, min(1, len(words)))
        queries = [QUERY, *sampled]
        drawn_ids = chain(*(self.dice.sample(alive, min(2, len(alive))) for _ in queries))
        self.searches_done += 1
        # Only every other time, because this is four fifths of the work; of nine, first and last.
        if self.searches_done % 2 == 0:
            return
        search_replies = (searches(self.person, query, self.searches_done % 3) for query in queries)
        list_replies = lists(self.person, [*dict.fromkeys(drawn_ids), *memories[:2]])
        for path, body in chain(*search_replies, list_replies):
            text = body.casefold()
            found = [word for word in words if word.casefold() in text]
            assert not found, (path, found)
            named_ids = [id for id in (*memories, *(self.documents & self.gone)) if id in body]
            assert path == AUDIT or not named_ids, (path, named_ids)


@pytest.mark.parametrize("seed", [1, 2, 3, 14])
async def test_deleted_items_are_in_no_read_path(person: Person, ports: Ports, seed: int) -> None:
    scope = Scope(tenant_id=UUID(person.tenant_id), user_id=UUID(person.user_id), actor="test")
    walk = Walk(person, ports, scope, random.Random(seed))
    for project in PROJECTS:
        person.post("/api/projects", {"name": project, "slug": project})
    actions = []
    for number in range(1, STEPS + 1):
        actions.append(await walk.step())
        if number % CHECK_EVERY == 0:
            await walk.settle()
            await walk.check_rows()
            await walk.check_read_paths()
    assert walk.gone and walk.erased, actions
