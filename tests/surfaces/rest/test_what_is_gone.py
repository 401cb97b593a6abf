"""Whatever is done and in whatever order: what was deleted is found in no way at all."""

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
from tests.core.memories import settled_jobs
from tests.surfaces.rest.read_paths import AUDIT, lists, searches

pytestmark = pytest.mark.anyio

STEPS, LOOKED_EVERY = 45, 5
PROJECTS = ("walk", "walk.below")
WORD = re.compile(r"Zor[a-z]{6}")
ASKED = "Which colour does the boat of Ada have, and who owns it?"
SAYINGS = (
    "The colour of the boat is {0}.",
    "The owner of the boat is {0}.",
    "Ada likes {0}.",
    "Ada lives in {0}.",
    "Ada and Bert met in {0} on Friday.",
)
ACTIONS = {
    "save": 8, "edit": 3, "restore": 2, "delete": 4, "erase": 2, "forget": 1, "hide": 1, "wake": 1,
    "document": 3, "distil": 2, "drop_document": 2, "undo_drop": 2, "archive": 1,
}  # fmt: skip


@dataclass
class Walk:
    """Somebody who saves and deletes at random, and what must be gone by now."""

    person: Person
    ports: Ports
    scope: Scope
    dice: random.Random
    owners: dict[str, set[str]] = field(default_factory=dict)
    """Of every word, the memories and documents that ever said it."""
    chains: dict[str, str] = field(default_factory=dict)
    documents: set[str] = field(default_factory=set)
    projects: set[str] = field(default_factory=lambda: set(PROJECTS))
    gone: set[str] = field(default_factory=set)
    erased: set[str] = field(default_factory=set)
    looks: int = 0

    async def step(self) -> str:
        action = self.dice.choices(list(ACTIONS), list(ACTIONS.values()))[0]
        await getattr(self, action)()
        await self.note()
        return action

    def word(self) -> str:
        return "Zor" + "".join(self.dice.choices("abcdefghiklmnoprstuvwz", k=6))

    def saying(self) -> str:
        return self.dice.choice(SAYINGS).format(self.word())

    def project(self) -> str:
        return self.dice.choice(sorted(self.projects))

    def any_id(self) -> str:
        return self.dice.choice(sorted(self.chains)) if self.chains else str(UUID(int=1))

    def chain(self, id: str) -> set[str]:
        return {one for one, root in self.chains.items() if root == self.chains.get(id)}

    async def save(self) -> None:
        body = {"content": self.saying(), "project": self.project()}
        reply = self.person.post("/api/memories", body)
        assert reply.status_code in (200, 201), reply.text

    async def edit(self) -> None:
        self.person.http.put(f"/api/memories/{self.any_id()}", json={"content": self.saying()})

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
        body = {"query": self.saying(), "dry_run": False, "threshold": 0.8}
        for one in self.person.post("/v1/memories/forget", body).json()["memories"]:
            self.gone |= self.chain(one["id"])

    async def hide(self) -> None:
        self.person.post(f"/api/memories/{self.any_id()}/lifecycle", {"state": "quarantined"})

    async def wake(self) -> None:
        self.person.post(f"/api/memories/{self.any_id()}/lifecycle", {"state": "active"})

    async def document(self) -> None:
        text = f"I own a boat called {self.word()}. I work at {self.word()}."
        saved = self.person.save(text, project=self.project())
        self.documents.add(saved["id"])
        for word in WORD.findall(text):
            self.owners.setdefault(word, set()).add(saved["id"])

    async def distil(self) -> None:
        left = sorted(self.documents - self.gone)
        if left:
            await distil_document(self.ports, self.scope, UUID(self.dice.choice(left)))

    async def drop_document(self) -> None:
        left = sorted(self.documents - self.gone)
        if left:
            id = self.dice.choice(left)
            undo = {"undo": self.dice.random() < 0.5}
            reply = self.person.http.delete(f"/v3/documents/{id}", params=undo)
            assert reply.status_code == 204
            self.gone.add(id)

    async def undo_drop(self) -> None:
        dropped = sorted(self.documents & self.gone)
        if not dropped:
            return
        id, before = self.dice.choice(dropped), await self.present()
        reply = self.person.post(f"/v3/documents/{id}/restore", {})
        assert reply.status_code in (200, 404, 409), reply.text
        if reply.status_code == 200:
            after = await self.present()
            self.erased -= after.keys() - before.keys()
            self.gone -= {id, *(one for one in after.keys() - before.keys() if after[one])}

    async def present(self) -> dict[str, bool]:
        """Every memory that has a row, and whether it is not deleted."""
        rows = await self.fetch("SELECT id, deleted_at FROM memories")
        return {str(row["id"]): row["deleted_at"] is None for row in rows}

    async def archive(self) -> None:
        self.person.post("/v1/containers/walk.below/archive", {})
        self.projects.discard("walk.below")

    async def note(self) -> None:
        rows = await self.fetch("SELECT id, root_id, content FROM memories")
        for row in rows:
            self.chains.setdefault(str(row["id"]), str(row["root_id"]))
            for word in WORD.findall(row["content"]):
                self.owners.setdefault(word, set()).add(str(row["id"]))
        # What a document alone said goes with it, and no other way than by being erased.
        there = {str(row["id"]) for row in rows}
        self.gone |= self.chains.keys() - there
        self.erased |= self.chains.keys() - there

    async def fetch(self, statement: str) -> list[Any]:
        async with self.ports.db.transaction(self.scope) as tx:
            return await tx.fetch(statement)

    async def settle(self) -> None:
        for row in await self.fetch("SELECT DISTINCT subject_id FROM jobs"):
            await settled_jobs(self.ports, self.scope, row["subject_id"])
        await self.note()

    async def check_rows(self) -> None:
        rows = await self.fetch("SELECT * FROM memories ORDER BY version")
        shown = {
            row["id"]
            for row in rows
            if row["is_current"] and row["state"] == "active" and not row["deleted_at"]
        }
        for table in ("postings", "embeddings"):
            owners = f"SELECT DISTINCT owner_id FROM {table} WHERE owner_kind = 'memory'"
            assert {row["owner_id"] for row in await self.fetch(owners)} == shown, table
        await self.check_entities(shown)
        deleted = {str(row["id"]) for row in rows if row["deleted_at"]}
        assert deleted == self.gone - self.erased - self.documents
        await self.check_chains(rows)

    async def check_entities(self, shown: set[UUID]) -> None:
        """Each is mentioned as often as is counted, and by what is shown alone."""
        links = await self.fetch("SELECT from_id, to_id FROM links WHERE relation = 'mentions'")
        assert {row["from_id"] for row in links} <= shown
        counts = Counter(row["to_id"] for row in links)
        entities = await self.fetch("SELECT id, name, aliases, mention_count FROM entities")
        assert {row["id"]: row["mention_count"] for row in entities} == counts
        named = [" ".join((row["name"], *row["aliases"])).casefold() for row in entities]
        gone = [word.casefold() for word, ids in self.owners.items() if ids <= self.gone]
        assert not [name for name in named if any(word in name for word in gone)]

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

    async def look(self) -> None:
        words = sorted(word for word, ids in self.owners.items() if ids <= self.gone)
        memories = sorted(self.gone & self.chains.keys())
        alive = sorted(self.chains.keys() - self.gone)
        asked = self.dice.sample(words, min(1, len(words)))
        queries = [ASKED, *asked]
        drawn = chain(*(self.dice.sample(alive, min(2, len(alive))) for _ in queries))
        self.looks += 1
        # Every other time: it is four fifths of the work. The first and the last of nine are done.
        if self.looks % 2 == 0:
            return
        said = (searches(self.person, query, self.looks % 3) for query in queries)
        listed = lists(self.person, [*dict.fromkeys(drawn), *memories[:2]])
        for path, body in chain(*said, listed):
            small = body.casefold()
            found = [word for word in words if word.casefold() in small]
            assert not found, (path, found)
            named = [id for id in (*memories, *(self.documents & self.gone)) if id in body]
            assert path == AUDIT or not named, (path, named)


@pytest.mark.parametrize("seed", [1, 2, 3, 14])
async def test_what_was_deleted_is_in_no_read_path(person: Person, ports: Ports, seed: int) -> None:
    scope = Scope(tenant_id=UUID(person.tenant_id), user_id=UUID(person.user_id), actor="test")
    walk = Walk(person, ports, scope, random.Random(seed))
    for project in PROJECTS:
        person.post("/api/projects", {"name": project, "slug": project})
    done = []
    for number in range(1, STEPS + 1):
        done.append(await walk.step())
        if number % LOOKED_EVERY == 0:
            await walk.settle()
            await walk.check_rows()
            await walk.look()
    assert walk.gone and walk.erased, done
