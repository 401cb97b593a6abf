"""Containers, profile, graph and counts over HTTP."""

from typing import Any

import pytest

from tests.conftest import Person
from tests.surfaces.rest.things import CAT, TAX


def remember(user: Person, content: str, **fields: Any) -> str:
    reply = user.post("/api/memories", {"content": content, **fields})
    assert reply.status_code == 201, reply.text
    return reply.json()["id"]


def containers(user: Person) -> dict[str, dict[str, Any]]:
    reply = user.http.get("/v1/containers")
    assert reply.status_code == 200, reply.text
    assert reply.json()["total"] == len(reply.json()["containers"])
    return {container["name"]: container for container in reply.json()["containers"]}


def test_containers_are_listed_with_their_counts(user: Person) -> None:
    user.post("/v1/documents", {"content": CAT, "container": "agent.sub", "index_only": True})
    remember(user, "Tea is hot.", project="agent.sub")
    listed = containers(user)
    assert set(listed) == {"default", "agent", "agent.sub"}
    sub = listed["agent.sub"]
    assert (sub["parent"], sub["memory_count"], sub["document_count"]) == ("agent", 1, 1)
    assert listed["agent"]["parent"] is None
    assert sub["archived_at"] is None


def test_a_container_is_archived_into_its_parent(user: Person) -> None:
    user.post("/v1/documents", {"content": CAT, "container": "agent.sub", "index_only": True})
    remember(user, "Tea is hot.", project="agent.sub")
    reply = user.http.post("/v1/containers/agent.sub/archive")
    assert reply.status_code == 200, reply.text
    assert reply.json() == {
        "name": "agent.sub",
        "archived_to": "agent",
        "documents_moved": 1,
        "memories_moved": 1,
        "duplicates_dropped": 0,
    }
    listed = containers(user)
    assert (listed["agent"]["memory_count"], listed["agent"]["document_count"]) == (1, 1)
    assert listed["agent.sub"]["archived_at"] is not None
    assert user.recall("sofa", project="agent")


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("POST", "/v1/containers/default/archive", 409),
        ("POST", "/v1/containers/nowhere/archive", 404),
        ("DELETE", "/v1/containers/nowhere", 404),
    ],
)
def test_an_impossible_container_action_is_refused(
    user: Person, method: str, path: str, status: int
) -> None:
    containers(user)
    assert user.http.request(method, path).status_code == status


def test_a_container_is_deleted_with_its_contents(user: Person) -> None:
    id = remember(user, "Tea is hot.", project="temporary")
    assert user.http.delete("/v1/containers/temporary").status_code == 204
    assert "temporary" not in containers(user)
    assert user.http.get(f"/v1/memories/{id}").status_code == 404


def test_a_profile_is_json_or_markdown(user: Person) -> None:
    id = remember(user, "Prefers tea.", category="preference")
    remember(user, "Working on the roof.", category="context")
    query = {"query": "what do I like to drink?"}
    profile = user.http.get("/v1/profile", params=query).json()
    assert profile["container"] == "default"
    assert [(fact["id"], fact["content"]) for fact in profile["static_facts"]] == [
        (id, "Prefers tea.")
    ]
    assert [fact["content"] for fact in profile["recent_context"]] == ["Working on the roof."]
    assert profile["relevant_memories"][0]["id"] == id
    reply = user.http.get("/v1/profile", params={"format": "markdown"})
    assert reply.headers["Content-Type"].startswith("text/markdown")
    assert reply.text.startswith("# default\n\n## What lasts\n\n- Prefers tea.")


def test_graph_and_related_documents(user: Person) -> None:
    first = user.save(CAT, index_only=True)
    second = user.save("A kitten sleeps on the couch in the sun.", index_only=True)
    user.save(TAX, index_only=True)
    remember(user, "Ada Lovelace lives in Oslo.")
    graph = user.http.get("/v3/memory-graph", params={"limit": 20}).json()
    labels = {node["label"]: node["type"] for node in graph["nodes"] if node["kind"] == "entity"}
    assert labels == {"Ada Lovelace": "person", "Oslo": "place"}
    assert {edge["relation"] for edge in graph["edges"]} == {"mentions", "related"}
    related = user.http.get(f"/v3/documents/{first['id']}/related").json()["related"]
    assert [memory["id"] for memory in related] == [second["id"]]


def test_stats_count_what_there_is(user: Person) -> None:
    user.save(CAT, index_only=True)
    remember(user, "Ada lives in Oslo.")
    stats = user.http.get("/v1/stats").json()
    assert (stats["documents"], stats["memories"], stats["entities"]) == (1, 1, 2)
    assert stats["documents_by_status"] == {"done": 1}
    assert stats["embedding_coverage"] == 1
    totals = user.http.get("/v3/stats").json()
    assert (totals["total_documents"], totals["documents_this_week"]) == (1, 1)
    assert (totals["total_memories"], totals["memories_this_week"]) == (1, 1)
    assert totals["storage_bytes"] > len(CAT)


def test_forgetting_by_meaning_is_a_dry_run_by_default(user: Person) -> None:
    id = remember(user, "The kitten naps on the couch.")
    remember(user, "Payroll closes on Friday.")
    body = {"query": "a cat sleeping on the sofa", "threshold": 0.4}
    preview = user.post("/v1/memories/forget", body).json()
    assert ([memory["id"] for memory in preview["memories"]], preview["forgotten"]) == ([id], 0)
    assert user.http.get(f"/v1/memories/{id}").status_code == 200
    applied = user.post("/v1/memories/forget", {**body, "dry_run": False}).json()
    assert applied["forgotten"] == 1
    assert user.http.get(f"/v1/memories/{id}").status_code == 404
