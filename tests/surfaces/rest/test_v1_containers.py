"""Containers, profile, graph and counts, over HTTP."""

from typing import Any

import pytest

from tests.conftest import Person
from tests.surfaces.rest.things import CAT, TAX


def remember(keeper: Person, content: str, **fields: Any) -> str:
    reply = keeper.post("/api/memories", {"content": content, **fields})
    assert reply.status_code == 201, reply.text
    return reply.json()["id"]


def containers(keeper: Person) -> dict[str, dict[str, Any]]:
    reply = keeper.http.get("/v1/containers")
    assert reply.status_code == 200, reply.text
    assert reply.json()["total"] == len(reply.json()["containers"])
    return {one["name"]: one for one in reply.json()["containers"]}


def test_containers_are_listed_with_what_is_in_them(keeper: Person) -> None:
    keeper.post("/v1/documents", {"content": CAT, "container": "agent.sub", "index_only": True})
    remember(keeper, "Tea is hot.", project="agent.sub")
    listed = containers(keeper)
    assert set(listed) == {"default", "agent", "agent.sub"}
    sub = listed["agent.sub"]
    assert (sub["parent"], sub["memory_count"], sub["document_count"]) == ("agent", 1, 1)
    assert listed["agent"]["parent"] is None
    assert sub["archived_at"] is None


def test_a_container_is_archived_into_its_parent(keeper: Person) -> None:
    keeper.post("/v1/documents", {"content": CAT, "container": "agent.sub", "index_only": True})
    remember(keeper, "Tea is hot.", project="agent.sub")
    reply = keeper.http.post("/v1/containers/agent.sub/archive")
    assert reply.status_code == 200, reply.text
    assert reply.json() == {
        "name": "agent.sub",
        "archived_to": "agent",
        "documents_moved": 1,
        "memories_moved": 1,
        "duplicates_dropped": 0,
    }
    listed = containers(keeper)
    assert (listed["agent"]["memory_count"], listed["agent"]["document_count"]) == (1, 1)
    assert listed["agent.sub"]["archived_at"] is not None
    assert keeper.recall("sofa", project="agent")


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("POST", "/v1/containers/default/archive", 409),
        ("POST", "/v1/containers/nowhere/archive", 404),
        ("DELETE", "/v1/containers/nowhere", 404),
    ],
)
def test_what_cannot_be_done_to_a_container_says_why(
    keeper: Person, method: str, path: str, status: int
) -> None:
    containers(keeper)
    assert keeper.http.request(method, path).status_code == status


def test_a_deleted_container_is_gone_with_all_it_had(keeper: Person) -> None:
    id = remember(keeper, "Tea is hot.", project="temporary")
    assert keeper.http.delete("/v1/containers/temporary").status_code == 204
    assert "temporary" not in containers(keeper)
    assert keeper.http.get(f"/v1/memories/{id}").status_code == 404


def test_a_profile_is_json_or_markdown(keeper: Person) -> None:
    id = remember(keeper, "Prefers tea.", category="preference")
    remember(keeper, "Working on the roof.", category="context")
    query = {"query": "what do I like to drink?"}
    profile = keeper.http.get("/v1/profile", params=query).json()
    assert profile["container"] == "default"
    assert [(one["id"], one["content"]) for one in profile["static_facts"]] == [
        (id, "Prefers tea.")
    ]
    assert [one["content"] for one in profile["recent_context"]] == ["Working on the roof."]
    assert profile["relevant_memories"][0]["id"] == id
    reply = keeper.http.get("/v1/profile", params={"format": "markdown"})
    assert reply.headers["Content-Type"].startswith("text/markdown")
    assert reply.text.startswith("# default\n\n## What lasts\n\n- Prefers tea.")


def test_the_graph_and_neighbours_are_given(keeper: Person) -> None:
    first = keeper.save(CAT, index_only=True)
    second = keeper.save("A kitten sleeps on the couch in the sun.", index_only=True)
    keeper.save(TAX, index_only=True)
    remember(keeper, "Ada Lovelace lives in Oslo.")
    graph = keeper.http.get("/v3/memory-graph", params={"limit": 20}).json()
    labels = {one["label"]: one["type"] for one in graph["nodes"] if one["kind"] == "entity"}
    assert labels == {"Ada Lovelace": "person", "Oslo": "place"}
    assert {one["relation"] for one in graph["edges"]} == {"mentions", "related"}
    related = keeper.http.get(f"/v3/documents/{first['id']}/related").json()["related"]
    assert [one["id"] for one in related] == [second["id"]]


def test_stats_count_what_there_is(keeper: Person) -> None:
    keeper.save(CAT, index_only=True)
    remember(keeper, "Ada lives in Oslo.")
    stats = keeper.http.get("/v1/stats").json()
    assert (stats["documents"], stats["memories"], stats["entities"]) == (1, 1, 2)
    assert stats["documents_by_status"] == {"done": 1}
    assert stats["embedding_coverage"] == 1
    totals = keeper.http.get("/v3/stats").json()
    assert (totals["total_documents"], totals["documents_this_week"]) == (1, 1)
    assert (totals["total_memories"], totals["memories_this_week"]) == (1, 1)
    assert totals["storage_bytes"] > len(CAT)


def test_forgetting_by_meaning_shows_first(keeper: Person) -> None:
    id = remember(keeper, "The kitten naps on the couch.")
    remember(keeper, "Payroll closes on Friday.")
    asked = {"query": "a cat sleeping on the sofa", "threshold": 0.4}
    shown = keeper.post("/v1/memories/forget", asked).json()
    assert ([one["id"] for one in shown["memories"]], shown["forgotten"]) == ([id], 0)
    assert keeper.http.get(f"/v1/memories/{id}").status_code == 200
    done = keeper.post("/v1/memories/forget", {**asked, "dry_run": False}).json()
    assert done["forgotten"] == 1
    assert keeper.http.get(f"/v1/memories/{id}").status_code == 404
