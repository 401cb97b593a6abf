"""Filters mean what they say: no parameter is ignored, no two names share a project."""

from typing import Any

import pytest

from tests.conftest import Person

NAMES = [
    "agent1", "agent/1", "agent:1", "Agent1", "agent 1", "alice", "Alice", "ALICE", "user@x.com",
    "userx.com", "user.x.com", "naïve", "naive", "team.Notes", "team.notes", "notes",
    "Notes", "日本", "!!!", "???",
]  # fmt: skip


def contents(answer: dict[str, Any]) -> list[str]:
    return sorted(one["content"] for one in answer["memories"])


def remember(person: Person, content: str, **fields: Any) -> dict[str, Any]:
    reply = person.post("/api/memories", {"content": content, **fields})
    assert reply.status_code in (200, 201), reply.text
    return reply.json()


def listed(person: Person, **params: Any) -> list[str]:
    reply = person.http.get("/api/memories", params=params)
    assert reply.status_code == 200, reply.text
    return contents(reply.json())


# A service that sends a person back adds parameters of its own.
FOR_SERVICES = ("/v3/connections/{provider}/callback",)


def routes(person: Person) -> list[tuple[str, str]]:
    """Every address of the three dialects that has no body."""
    paths = person.http.get("/openapi.json").json()["paths"]
    return [
        (method, path)
        for path, methods in paths.items()
        for method in methods
        if method in ("get", "delete") and path.startswith(("/v1/", "/v3/", "/api/"))
        if path not in FOR_SERVICES
    ]


def test_an_unknown_parameter_is_refused_everywhere(person: Person) -> None:
    found = routes(person)
    assert len(found) > 30
    for method, path in found:
        at = path.replace("{", "").replace("}", "")
        reply = person.http.request(method, at, params={"nonsense": "1"})
        assert reply.status_code == 400, (method, path, reply.text)
        assert reply.json()["details"]["field"] == "nonsense", reply.text


def test_the_nearest_parameter_is_named(person: Person) -> None:
    reply = person.http.get("/api/memories", params={"limits": 3})
    assert reply.status_code == 400
    assert "did you mean limit?" in reply.json()["error"]


def test_a_stranger_is_told_nothing_of_parameters(person: Person) -> None:
    reply = person.http.get("/v3/stats", params={"a": 1}, headers={"Authorization": "Bearer x"})
    assert reply.status_code == 401


@pytest.mark.parametrize(
    "spelt", ["project", "project_id", "projectId", "container", "containerTag"]
)
def test_the_project_is_understood_in_every_spelling(person: Person, spelt: str) -> None:
    here = remember(person, "The kettle is red.", project="kitchen")["memory"]
    remember(person, "The desk is oak.", project="study")
    for value in ("kitchen", here["projectId"]):
        for path in ("/api/memories", "/api/memories/timeline"):
            found = person.http.get(path, params={spelt: value})
            assert contents(found.json()) == ["The kettle is red."], (path, value)
        for path in ("/api/memories/search", "/api/memories/search-index"):
            found = person.http.get(path, params={spelt: value, "query": "desk kettle"}).json()
            hits = found.get("memories") or found["hits"]
            assert [one["id"] for one in hits] == [here["id"]], (path, value)


def test_one_filter_in_two_spellings_is_refused(person: Person) -> None:
    reply = person.http.get("/api/memories", params={"container": "a", "projectId": "b"})
    assert reply.status_code == 400
    assert "send one of them" in reply.json()["error"]


def test_other_words_for_a_filter(person: Person) -> None:
    remember(person, "We use PostgreSQL.", category="decision")
    remember(person, "The kettle is red.")
    for spelt in ("category", "memory_type", "memoryType"):
        assert listed(person, **{spelt: "decision"}) == ["We use PostgreSQL."]
    assert (
        person.http.get("/api/memories", params={"asOf": "2020-01-01T00:00:00Z"}).json()["memories"]
        == []
    )


# Projects


def test_no_two_names_share_a_project(person: Person) -> None:
    for name in NAMES:
        remember(person, f"This was said to number {NAMES.index(name)}.", project=name)
    for number, name in enumerate(NAMES):
        assert listed(person, project=name) == [f"This was said to number {number}."], name
    found = person.http.get("/v3/projects").json()["projects"]
    assert set(NAMES) <= {one["name"] for one in found}
    assert len({one["slug"] for one in found}) == len(found)


def test_a_name_leads_to_the_same_project_at_every_dialect(person: Person) -> None:
    remember(person, "The kettle is red.", project="Agent/1")
    saved = person.post("/v1/documents", {"content": "A kettle boils.", "container": "Agent/1"})
    document = person.http.get(f"/v3/documents/{saved.json()['id']}").json()
    memory = person.http.get("/api/memories", params={"container": "Agent/1"}).json()["memories"]
    assert memory[0]["projectId"] == document["project_id"]
    recalled = person.recall("kettle", project="Agent/1")
    assert {one["project_id"] for one in recalled} == {document["project_id"]}
    listed = person.post("/v1/documents/list", {"container": "Agent/1"}).json()
    assert [one["id"] for one in listed["documents"]] == [document["id"]]
    assert person.http.get("/v3/projects/Agent%2F1").json()["id"] == document["project_id"]
    gone = person.http.delete("/v1/containers/Agent%2F1")
    assert gone.status_code == 204
    assert person.http.get("/v3/projects/Agent%2F1").status_code == 404


def test_a_path_is_exact_and_a_star_is_all_below(person: Person) -> None:
    for path in ("h", "h.b", "h.b.c", "hb"):
        remember(person, f"The kettle of {path} is red.", project=path)
    said = "The kettle of {} is red.".format
    assert listed(person, container="h.b") == [said("h.b")]
    assert listed(person, container="h.b.*") == [said("h.b"), said("h.b.c")]
    assert len(listed(person, container="h.*")) == 3
    assert listed(person, container="none.*") == []
    asked = {"query": "kettle", "limit": 50}
    for container, expected in {"h.b": ["h.b"], "h.b.*": ["h.b", "h.b.c"]}.items():
        found = person.post("/v1/search", {**asked, "container": container}).json()["results"]
        assert sorted(one["content"] for one in found) == [said(path) for path in expected]
    above = person.post("/v1/search", {**asked, "container": "h.b", "inherit": True}).json()
    assert sorted(one["content"] for one in above["results"]) == [said("h"), said("h.b")]


@pytest.mark.parametrize("pattern", ["h*", "*.h", "h.*.b", "**"])
def test_any_other_star_is_refused(person: Person, pattern: str) -> None:
    asked = [
        person.http.get("/api/memories", params={"project": pattern}),
        person.http.get("/api/memories/search", params={"project": pattern, "query": "x"}),
        person.post("/v1/search", {"query": "x", "container": pattern}),
        person.post("/v3/recall", {"query": "x", "project": pattern}),
        person.post("/api/memories", {"content": "x", "project": pattern}),
    ]
    for reply in asked:
        assert reply.status_code == 400, (reply.url, reply.text)
        assert "path.*" in reply.json()["error"]


def test_an_archived_project_takes_nothing(person: Person) -> None:
    memory = remember(person, "The kettle is red.", project="old")["memory"]
    remember(person, "The desk is oak.", project="young")
    assert person.http.post("/v1/containers/old/archive").status_code == 200
    writes = [
        person.post("/api/memories", {"content": "The pan is black.", "project": "old"}),
        person.post("/api/memories", {"content": "A pan.", "projectId": memory["projectId"]}),
        person.post("/v3/memory", {"content": "A pan is hot.", "project": "old"}),
        person.post("/v1/documents", {"content": "A pan is cold.", "container": "old"}),
        person.http.put(f"/api/memories/{memory['id']}", json={"project": "old"}),
        person.http.post(
            "/v3/documents/upload",
            files={"file": ("pan.txt", b"A pan is in the rack.")},
            data={"project": "old"},
        ),
    ]
    for reply in writes:
        assert (reply.status_code, reply.json().get("code")) == (409, "archived"), reply.text
    assert listed(person, project="old") == []


def test_a_project_is_deleted_with_those_below_it_when_asked(person: Person) -> None:
    for path in ("a.b.c", "ab"):
        remember(person, f"The kettle of {path} is red.", project=path)
    refused = person.http.delete("/v1/containers/a")
    assert refused.status_code == 409
    assert "a.b, a.b.c" in refused.json()["error"] and "recursive" in refused.json()["error"]
    assert person.http.delete("/v1/containers/a", params={"recursive": True}).status_code == 204
    assert listed(person) == ["The kettle of ab is red."]


# Tags


def test_tags_compare_without_case(person: Person) -> None:
    saved = remember(person, "The kettle is red.", tags=["Kitchen", "kitchen", "Red"])["memory"]
    assert saved["tags"] == ["Kitchen", "Red"]
    person.save("A kettle boils water.", tags=["KITCHEN"])
    for tag in ("kitchen", "KITCHEN"):
        assert listed(person, tags=tag) == ["The kettle is red."]
        assert len(listed(person, tags=tag, q="kettle")) == 2
        only = listed(person, tags=tag, q="kettle", documents=False)
        assert only == ["The kettle is red."]
        assert len(person.recall("kettle", filters={"tags": [tag]})) >= 1
        found = person.post("/v1/documents/list", {"tags": [tag]}).json()["documents"]
        assert len(found) == 1


def test_a_list_is_narrowed_to_what_contains_the_words(person: Person) -> None:
    oslo, nice, kyoto = "Ingrid moved to Oslo.", "Zoé est à Nice.", "京都に行く。"
    rain = "100% (sure) rain."
    for content in (oslo, nice, kyoto, rain):
        remember(person, content)
    for words, found in {
        "oslo": [oslo],
        "OSL ing": [oslo],
        "slo": [],
        "zoé": [nice],
        "ZOÉ nic": [nice],
        "oslo nice": [],
        "都に": [kyoto],
        "100% (sure)": [rain],
        "": sorted([oslo, nice, kyoto, rain]),
    }.items():
        assert listed(person, contains=words) == found, words
    refused = person.http.get("/api/memories", params={"contains": "oslo", "q": "oslo"})
    assert (refused.status_code, refused.json()["code"]) == (400, "invalid")
    assert person.http.get("/api/memories", params={"contains": "a\x00b"}).status_code == 400
