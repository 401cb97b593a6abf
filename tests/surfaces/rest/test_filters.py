"""Filters are exact: unknown parameters are refused; a project has one name in any spelling."""

from typing import Any

import pytest

from tests.conftest import Person

# The spellings of each project; the first is sent first.
NAMES = [
    ["Agent/1", "agent1", "agent:1", "Agent1", "agent 1", "AGENT_1", "  agent-1  "],
    ["user@x.com", "userx.com", "UserX.com"],
    ["user.x.com"],
    ["team.Notes", "team.notes", "Team.NOTES", "TEAM.no tes"],
    ["notes", "Notes"],
    ["naïve", "NAI\u0308VE"],
    ["naive"],
    ["Straße", "STRASSE", "strasse"],
    ["ΟΔΟΣ", "οδος", "Οδός".replace("ό", "ο")],
    ["istanbul", "İSTANBUL", "Istanbul"],
    ["日本", "日 本"],
    ["काम"],
    ["कम"],
    ["!!!"],
    ["???"],
    ["🚀"],
]  # fmt: skip


def contents(answer: dict[str, Any]) -> list[str]:
    return sorted(memory["content"] for memory in answer["memories"])


def remember(person: Person, content: str, **fields: Any) -> dict[str, Any]:
    reply = person.post("/api/memories", {"content": content, **fields})
    assert reply.status_code in (200, 201), reply.text
    return reply.json()


def listed(person: Person, **params: Any) -> list[str]:
    reply = person.http.get("/api/memories", params=params)
    assert reply.status_code == 200, reply.text
    return contents(reply.json())


# A service that redirects a person back adds parameters of its own.
FOR_SERVICES = ("/v3/connections/{provider}/callback",)


def routes(person: Person) -> list[tuple[str, str]]:
    """Every route of the three dialects that takes no body."""
    paths = person.http.get("/openapi.json").json()["paths"]
    return [
        (method, path)
        for path, methods in paths.items()
        for method in methods
        if method in ("get", "delete") and path.startswith(("/v1/", "/v3/", "/api/"))
        if path not in FOR_SERVICES
    ]


def test_an_unknown_parameter_is_refused_everywhere(person: Person) -> None:
    all_routes = routes(person)
    assert len(all_routes) > 30
    for method, path in all_routes:
        address = path.replace("{", "").replace("}", "")
        reply = person.http.request(method, address, params={"nonsense": "1"})
        assert reply.status_code == 400, (method, path, reply.text)
        assert reply.json()["details"]["field"] == "nonsense", reply.text


def test_the_error_suggests_the_nearest_parameter(person: Person) -> None:
    reply = person.http.get("/api/memories", params={"limits": 3})
    assert reply.status_code == 400
    assert "did you mean limit?" in reply.json()["error"]


def test_without_a_valid_key_parameters_are_not_checked(person: Person) -> None:
    reply = person.http.get("/v3/stats", params={"a": 1}, headers={"Authorization": "Bearer x"})
    assert reply.status_code == 401


@pytest.mark.parametrize(
    "spelling", ["project", "project_id", "projectId", "container", "containerTag"]
)
def test_the_project_parameter_is_accepted_in_every_spelling(person: Person, spelling: str) -> None:
    in_kitchen = remember(person, "The kettle is red.", project="kitchen")["memory"]
    remember(person, "The desk is oak.", project="study")
    for value in ("kitchen", in_kitchen["projectId"]):
        for path in ("/api/memories", "/api/memories/timeline"):
            listing = person.http.get(path, params={spelling: value})
            assert contents(listing.json()) == ["The kettle is red."], (path, value)
        for path in ("/api/memories/search", "/api/memories/search-index"):
            listing = person.http.get(path, params={spelling: value, "query": "desk kettle"}).json()
            hits = listing.get("memories") or listing["hits"]
            assert [hit["id"] for hit in hits] == [in_kitchen["id"]], (path, value)


def test_one_filter_in_two_spellings_is_refused(person: Person) -> None:
    reply = person.http.get("/api/memories", params={"container": "a", "projectId": "b"})
    assert reply.status_code == 400
    assert "send one of them" in reply.json()["error"]


def test_aliases_of_a_filter(person: Person) -> None:
    remember(person, "We use PostgreSQL.", category="decision")
    remember(person, "The kettle is red.")
    for spelling in ("category", "memory_type", "memoryType"):
        assert listed(person, **{spelling: "decision"}) == ["We use PostgreSQL."]
    assert (
        person.http.get("/api/memories", params={"asOf": "2020-01-01T00:00:00Z"}).json()["memories"]
        == []
    )


# Projects


def test_the_spellings_of_a_name_share_a_project(person: Person) -> None:
    for number, spellings in enumerate(NAMES):
        for name in spellings:
            saved = remember(person, f"This was said to number {number}.", project=name)
            assert saved["memory"]["project"] == spellings[0], name
    for number, spellings in enumerate(NAMES):
        for name in spellings:
            assert listed(person, project=name) == [f"This was said to number {number}."], name
    projects = person.http.get("/v3/projects").json()["projects"]
    # Also the default project, and the parents of user@x.com, user.x.com and team.Notes.
    assert len(projects) == len(NAMES) + 5


def test_a_name_refers_to_the_same_project_in_every_dialect(person: Person) -> None:
    remember(person, "The kettle is red.", project="Agent/1")
    saved = person.post("/v1/documents", {"content": "A kettle boils.", "container": "Agent/1"})
    document = person.http.get(f"/v3/documents/{saved.json()['id']}").json()
    memory = person.http.get("/api/memories", params={"container": "Agent/1"}).json()["memories"]
    assert memory[0]["projectId"] == document["project_id"]
    recalled = person.recall("kettle", project="Agent/1")
    assert {result["project_id"] for result in recalled} == {document["project_id"]}
    listed = person.post("/v1/documents/list", {"container": "Agent/1"}).json()
    assert [entry["id"] for entry in listed["documents"]] == [document["id"]]
    assert person.http.get("/v3/projects/Agent%2F1").json()["id"] == document["project_id"]
    deleted = person.http.delete("/v1/containers/Agent%2F1")
    assert deleted.status_code == 204
    assert person.http.get("/v3/projects/Agent%2F1").status_code == 404


def test_a_path_is_exact_and_a_star_matches_all_below(person: Person) -> None:
    for path in ("h", "h.b", "h.b.c", "hb"):
        remember(person, f"The kettle of {path} is red.", project=path)
    statement = "The kettle of {} is red.".format
    assert listed(person, container="h.b") == [statement("h.b")]
    assert listed(person, container="h.b.*") == [statement("h.b"), statement("h.b.c")]
    assert len(listed(person, container="h.*")) == 3
    assert listed(person, container="none.*") == []
    body = {"query": "kettle", "limit": 50}
    for container, expected in {"h.b": ["h.b"], "h.b.*": ["h.b", "h.b.c"]}.items():
        results = person.post("/v1/search", {**body, "container": container}).json()["results"]
        assert sorted(result["content"] for result in results) == [
            statement(path) for path in expected
        ]
    inherited = person.post("/v1/search", {**body, "container": "h.b", "inherit": True}).json()
    assert sorted(result["content"] for result in inherited["results"]) == [
        statement("h"),
        statement("h.b"),
    ]


@pytest.mark.parametrize("pattern", ["h*", "*.h", "h.*.b", "**"])
def test_any_other_star_is_refused(person: Person, pattern: str) -> None:
    replies = [
        person.http.get("/api/memories", params={"project": pattern}),
        person.http.get("/api/memories/search", params={"project": pattern, "query": "x"}),
        person.post("/v1/search", {"query": "x", "container": pattern}),
        person.post("/v3/recall", {"query": "x", "project": pattern}),
        person.post("/api/memories", {"content": "x", "project": pattern}),
    ]
    for reply in replies:
        assert reply.status_code == 400, (reply.url, reply.text)
        assert "path.*" in reply.json()["error"]


def test_an_archived_project_refuses_writes(person: Person) -> None:
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


def test_a_project_is_deleted_with_its_children_only_when_asked(person: Person) -> None:
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
        without_documents = listed(person, tags=tag, q="kettle", documents=False)
        assert without_documents == ["The kettle is red."]
        assert len(person.recall("kettle", filters={"tags": [tag]})) >= 1
        documents = person.post("/v1/documents/list", {"tags": [tag]}).json()["documents"]
        assert len(documents) == 1


def test_a_list_is_filtered_by_contained_words(person: Person) -> None:
    oslo, nice, kyoto = "Ingrid moved to Oslo.", "Zoé est à Nice.", "京都に行く。"
    rain = "100% (sure) rain."
    for content in (oslo, nice, kyoto, rain):
        remember(person, content)
    for words, expected in {
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
        assert listed(person, contains=words) == expected, words
    refused = person.http.get("/api/memories", params={"contains": "oslo", "q": "oslo"})
    assert (refused.status_code, refused.json()["code"]) == (400, "invalid")
    assert person.http.get("/api/memories", params={"contains": "a\x00b"}).status_code == 400
