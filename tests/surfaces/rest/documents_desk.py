"""Change a person's documents and memories; each change waits until all jobs are done."""

from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from tests.conftest import Person
from tests.tools.waiting import until

ALLERGY = "Anna is allergic to peanuts."
TEA = "Bob prefers green tea."
EARLY, LATER, LATEST = (f"The standup is at {at}." for at in ("9:15", "9:45", "10:30"))


@dataclass(frozen=True)
class Desk:
    person: Person

    def project(self, parent: str = "") -> str:
        slug = f"{parent}p{uuid4().hex[:8]}"
        assert self.person.post("/v3/projects", {"name": slug, "slug": slug}).status_code == 201
        return slug

    def save(self, content: str, project: str, **fields: Any) -> str:
        id = self.person.save(content, project=project, **fields)["id"]
        self.settle()
        return id

    def change(self, id: str, **fields: Any) -> str:
        reply = self.person.http.patch(f"/v3/documents/{id}", json=fields)
        assert reply.status_code in (200, 202), reply.text
        self.settle()
        return reply.json()["id"]

    def erase(self, id: str) -> None:
        self._delete(f"/v3/documents/{id}")

    def trash(self, id: str) -> None:
        self._delete(f"/v3/documents/{id}?undo=true")

    def _delete(self, path: str) -> None:
        reply = self.person.http.delete(path)
        assert reply.status_code == 204, reply.text
        self.settle()

    def restore(self, id: str) -> None:
        reply = self.person.post(f"/v3/documents/{id}/restore", {})
        assert reply.status_code == 200, reply.text
        self.settle()

    def archive(self, project: str) -> None:
        reply = self.person.post(f"/v1/containers/{project}/archive", {})
        assert reply.status_code == 200, reply.text
        self.settle()

    def remember(self, content: str, project: str) -> None:
        """Save a statement as the person's own."""
        reply = self.person.post("/api/memories", {"content": content, "project": project})
        assert reply.status_code in (200, 201), reply.text
        self.settle()

    def correct(self, project: str, content: str, to: str) -> None:
        path = f"/api/memories/{self.memory(project, content)['id']}"
        reply = self.person.http.put(path, json={"content": to})
        assert reply.status_code == 200, reply.text
        self.settle()

    def forget(self, project: str, content: str) -> None:
        self._delete(f"/api/memories/{self.memory(project, content)['id']}")

    def settle(self) -> None:
        until(self._is_settled)

    def _is_settled(self) -> bool:
        jobs = self.person.http.get("/v3/stats").json()["jobs_by_status"]
        return not any(jobs.get(status) for status in ("pending", "processing"))

    def memories(self, project: str) -> list[dict[str, Any]]:
        reply = self.person.http.get("/api/memories", params={"project": project, "limit": 50})
        return reply.json()["memories"]

    def contents(self, project: str) -> list[str]:
        return sorted(memory["content"] for memory in self.memories(project))

    def memory(self, project: str, content: str) -> dict[str, Any]:
        [memory] = [
            candidate for candidate in self.memories(project) if candidate["content"] == content
        ]
        return memory

    def tags(self, project: str, content: str) -> list[str]:
        return sorted(self.memory(project, content)["tags"])
