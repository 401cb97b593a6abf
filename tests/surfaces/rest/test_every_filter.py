"""Every hit of every route that searches or lists satisfies every filter that was asked for."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.conftest import Person
from tests.surfaces.mcp.every_tool import EVERY

PROJECTS = ("red", "red.team", "blue")
CATEGORIES = ("fact", "decision")
TAGS = ("Alpha", "beta")
ROOMS = ("kitchen", "attic")


@dataclass(frozen=True)
class Asked:
    """What is asked for; a route takes of it what it knows."""

    project: str | None
    category: str | None
    tag: str | None
    mode: str
    since: str | None = None
    until: str | None = None
    room: str | None = None
    as_of: str | None = None

    @property
    def projects(self) -> set[str]:
        if self.project is None:
            return set(PROJECTS)
        path = self.project.removesuffix(".*")
        below = {one for one in PROJECTS if one.startswith(path + ".")}
        return {path} | (below if self.project.endswith(".*") else set())


@dataclass(frozen=True)
class Thing:
    kind: str
    project: str
    category: str | None
    tag: str
    saved_at: str = ""
    room: str = ""

    def satisfies(self, asked: Asked, filters: set[str]) -> bool:
        return (
            self.project in asked.projects
            and ("category" not in filters or asked.category in (None, self.category))
            and ("tag" not in filters or asked.tag in (None, self.tag))
            and ("dates" not in filters or (asked.since or "") <= self.saved_at)
            and ("dates" not in filters or self.saved_at < (asked.until or "9"))
            and ("metadata" not in filters or asked.room in (None, self.room))
            and ("as_of" not in filters or self.saved_at <= (asked.as_of or "9"))
        )


Known = dict[str, Thing]
Hits = Iterable[dict[str, Any]]


def given_only(**fields: Any) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


def period(asked: Asked) -> dict[str, Any]:
    return given_only(created_after=asked.since, created_before=asked.until)


def room(asked: Asked) -> dict[str, Any]:
    return {"metadata": {"room": asked.room}} if asked.room else {}


def recall(person: Person, asked: Asked) -> Hits:
    filters = {"tags": [asked.tag.upper()] if asked.tag else [], **period(asked), **room(asked)}
    body = {"query": "kettle", "limit": 50, "mode": asked.mode, "filters": filters}
    body |= {"weak": True} | given_only(project=asked.project)
    return answer(person.post("/v3/recall", body))["results"]


def search(person: Person, asked: Asked) -> Hits:
    filters = {
        "memory_type": [asked.category] if asked.category else [],
        "tags": [asked.tag.lower()] if asked.tag else [],
        **period(asked),
        **room(asked),
    }
    body = {"query": "kettle", "limit": 50, "mode": asked.mode, "filters": filters, "weak": True}
    body |= given_only(container=asked.project)
    return answer(person.post("/v1/search", body | {"include_related": True}))["results"]


def search_memories(person: Person, asked: Asked) -> Hits:
    return answer(
        person.http.get(
            "/api/memories/search",
            params=given_only(
                query="kettle",
                limit=10,
                projectId=asked.project,
                category=asked.category,
                weak=True,
            ),
        )
    )["memories"]


def search_index(person: Person, asked: Asked) -> Hits:
    params = given_only(
        query="kettle", limit=100, mode=asked.mode, project_id=asked.project,
        memory_type=asked.category, tag=asked.tag, weak=True, since=asked.since,
        until=asked.until, as_of=asked.as_of,
    )  # fmt: skip
    return answer(person.http.get("/api/memories/search-index", params=params))["hits"]


def list_memories(person: Person, asked: Asked) -> Hits:
    params = given_only(
        limit=100, container=asked.project, category=asked.category, tags=asked.tag,
        since=asked.since, until=asked.until, as_of=asked.as_of,
    )  # fmt: skip
    return answer(person.http.get("/api/memories", params=params))["memories"]


def query_memories(person: Person, asked: Asked) -> Hits:
    params = given_only(
        project=asked.project, category=asked.category, tags=asked.tag, since=asked.since,
        until=asked.until, as_of=asked.as_of,
    )  # fmt: skip
    found = person.http.get("/api/memories", params={**params, "q": "kettle", "limit": 100})
    return answer(found)["memories"]


def timeline(person: Person, asked: Asked) -> Hits:
    params = given_only(limit=100, project=asked.project, category=asked.category)
    return answer(person.http.get("/api/memories/timeline", params=params))["memories"]


def foresight(person: Person, asked: Asked) -> Hits:
    params = given_only(limit=100, project=asked.project)
    return answer(person.http.get("/api/memories/foresight/active", params=params))["memories"]


def list_documents(person: Person, asked: Asked) -> Hits:
    params = given_only(limit=100, project=asked.project)
    return answer(person.http.get("/v3/documents", params=params))["documents"]


def list_documents_v1(person: Person, asked: Asked) -> Hits:
    body = given_only(limit=100, container=asked.project, tags=[asked.tag] if asked.tag else None)
    body |= period(asked)
    return answer(person.post("/v1/documents/list", body))["documents"]


def forget(person: Person, asked: Asked) -> Hits:
    body = given_only(query="kettle", threshold=0.3, container=asked.project)
    return answer(person.post("/v1/memories/forget", body))["memories"]


def graph(person: Person, asked: Asked) -> Hits:
    params = given_only(limit=1000, project=asked.project)
    nodes = answer(person.http.get("/v3/memory-graph", params=params))["nodes"]
    return [one for one in nodes if one["kind"] != "entity"]


def profile(person: Person, asked: Asked) -> Hits:
    project = (asked.project or "red").removesuffix(".*")
    params = {"container": project, "query": "kettle"}
    found = answer(person.http.get("/v1/profile", params=params))
    parts = ("static_facts", "recent_context", "relevant_memories")
    return [one for part in parts for one in found[part]]


def answer(reply: Any) -> dict[str, Any]:
    assert reply.status_code == 200, reply.text
    return reply.json()


LISTED = frozenset({"category", "tag", "dates", "as_of"})
# Every route that searches or lists, with how it is asked and the filters it has beside a project.
SEARCHES: dict[str, tuple[Callable[[Person, Asked], Hits], frozenset[str]]] = {
    "post /v3/recall": (recall, frozenset({"tag", "dates", "metadata"})),
    "post /v1/search": (search, frozenset({"category", "tag", "dates", "metadata"})),
    "get /api/memories/search": (search_memories, frozenset({"category"})),
    "get /api/memories/search-index": (search_index, LISTED),
    "get /api/memories": (list_memories, LISTED),
    "get /api/memories?q": (query_memories, LISTED),
    "get /api/memories/timeline": (timeline, frozenset({"category"})),
    "get /api/memories/foresight/active": (foresight, frozenset()),
    "get /v3/documents": (list_documents, frozenset()),
    "post /v1/documents/list": (list_documents_v1, frozenset({"tag", "dates"})),
    "post /v1/memories/forget": (forget, frozenset()),
    "get /v3/memory-graph": (graph, frozenset()),
    "get /v1/profile": (profile, frozenset()),
}
# What lists no documents or memories, or those of one that is named by its id.
OTHERS = frozenset(
    """
/v3/documents/{id}/original /v3/jobs/{id} /v3/documents/{id} /v3/chunks/{id} /v3/ids/{short}
/v3/jobs /v3/documents/{id}/related /v3/stats /v3/projects /v3/projects/{ref} /v3/whoami /v3/account
/v3/api-keys /v3/grants /v3/organizations /v3/organizations/{id}/members /v3/export
/v1/documents/{id} /v1/memories/{id} /v1/memories/{id}/related /v1/containers /v1/stats
/api/memories/providers /api/memories/{id} /api/memories/{id}/history /api/projects /api/api-keys
/api/subscription /api/events /v3/tags /v3/stats/daily /v3/auth/options /v3/auth/sessions /v3/models
/v3/live /v3/samples /api/sessions /api/sessions/{id}
/api/feeds /v3/connectors /v3/connections /v3/connections/{id} /v3/connections/{id}/items
/v3/connections/{id}/resources /v3/extension/composers
/v3/connections/{id}/resources /v3/connections/{provider}/callback
/v3/live /v3/samples /api/sessions /api/sessions/{id} /api/evolve/jobs /api/evolve/run
/api/evolve/arena /api/evolve/policy /api/evolve/signals /api/evolve/actions
""".split()
)
# The route that each tool asks; tools that neither search nor list ask none of these.
TOOLS = {
    "recall": "post /v3/recall",
    "search": "post /v3/recall",
    "memory-graph": "get /v3/memory-graph",
    "search_memory": "get /api/memories/search",
    "memories.search_index": "get /api/memories/search-index",
    "memories.list": "get /api/memories",
    "memories.timeline": "get /api/memories/timeline",
    "memories.foresight_active": "get /api/memories/foresight/active",
}
OTHER_TOOLS = frozenset(
    """
memory listProjects whoAmI fetch save_memory forget_memory update_memory projects.list
projects.create memories.get memories.create memories.batch_get memories.derive memories.providers
agent.ask
""".split()
)


def test_every_route_and_tool_is_placed(person: Person) -> None:
    document = person.http.get("/openapi.json").json()
    found = set()
    for path, methods in document["paths"].items():
        if not path.startswith(("/v1/", "/v3/", "/api/")):
            continue
        if "get" in methods and path not in OTHERS:
            found.add(f"get {path}")
        body = methods.get("post", {}).get("requestBody", {}).get("content", {})
        shape = body.get("application/json", {}).get("schema", {}).get("$ref", "/").split("/")[-1]
        fields = document["components"]["schemas"].get(shape, {}).get("properties", {})
        is_search = {"query"} & set(fields) or {"limit", "cursor"} <= set(fields)
        if is_search and path not in OTHERS:
            found.add(f"post {path}")
    assert found == {name.partition("?")[0] for name in SEARCHES}
    assert set(TOOLS) | OTHER_TOOLS == EVERY
    assert set(TOOLS.values()) <= set(SEARCHES)


def fill(person: Person) -> Known:
    known: Known = {}
    number = 0
    for project in PROJECTS:
        for category in CATEGORIES:
            for tag in TAGS:
                number += 1
                fields = {"project": project, "category": category, "tags": [tag]}
                content = f"Kettle {number} of Ada Lovelace stands on shelf {number * 7}."
                due = {"dueAt": f"2999-01-{number:02}T00:00:00Z"}
                about = {"context": {"room": ROOMS[number % 2]}, **due}
                saved = person.post("/api/memories", {"content": content, **fields, **about}).json()
                whole = answer(person.http.get(f"/api/memories/{saved['id']}"))
                details = (whole["createdAt"], ROOMS[number % 2])
                known[saved["id"]] = Thing("memory", project, category, tag, *details)
        for tag in TAGS:
            text = f"The kettle in {project} with {tag} belongs to Ada Lovelace."
            body = {"content": text, "container": project, "tags": [tag], "index_only": True}
            body |= {"metadata": {"room": ROOMS[0]}}
            id = person.post("/v1/documents", body).json()["id"]
            saved = answer(person.http.get(f"/v1/documents/{id}"))
            known[id] = Thing("document", project, None, tag, saved["created_at"], ROOMS[0])
    return known


def named(hit: dict[str, Any], known: Known) -> Thing | None:
    """The memory or document that a hit is of."""
    names = ("id", "memory_id", "memoryId", "document_id", "documentId")
    return next((known[hit[name]] for name in names if hit.get(name) in known), None)


def asked_of(known: Known) -> st.SearchStrategy[Asked]:
    """Any filters; dates are those on which something was saved."""
    moments = st.sampled_from(sorted(thing.saved_at for thing in known.values()))
    return st.builds(
        Asked,
        project=st.sampled_from([None, *PROJECTS, "red.*", "red.team.*"]),
        category=st.sampled_from([None, *CATEGORIES]),
        tag=st.sampled_from([None, *TAGS]),
        mode=st.sampled_from(["fast", "balanced", "deep"]),
        since=st.none() | moments,
        until=st.none() | moments,
        room=st.sampled_from([None, *ROOMS]),
        as_of=st.none() | moments,
    )


def test_each_hit_satisfies_the_filter(person: Person) -> None:
    known = fill(person)
    found: set[str] = set()

    @settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
    @given(asked=asked_of(known), route=st.sampled_from(sorted(SEARCHES)))
    def check(asked: Asked, route: str) -> None:
        ask, filters = SEARCHES[route]
        if route == "get /v1/profile":
            asked = Asked((asked.project or "red").removesuffix(".*"), None, None, asked.mode)
        for hit in ask(person, asked):
            thing = named(hit, known)
            assert thing is not None, (route, hit)
            assert thing.satisfies(asked, set(filters)), (route, asked, thing)
            for related in hit.get("related") or ():
                assert known[related["id"]].satisfies(asked, set(filters)), (route, asked, related)
            found.add(route)

    check()
    # Something was found by every route that was asked without a filter, or the test says nothing.
    for route, (ask, _) in SEARCHES.items():
        assert list(ask(person, Asked("red", None, None, "balanced"))), route


@pytest.mark.parametrize("mode", ["fast", "balanced", "deep"])
def test_a_cached_answer_whose_hit_has_gone_is_made_anew(person: Person, mode: str) -> None:
    known = fill(person)
    asked = Asked("red", None, None, mode)
    for route in ("post /v1/search", "get /api/memories/search-index"):
        first = [hit["id"] for hit in SEARCHES[route][0](person, asked)]
        gone = next(id for id in first if known.get(id, Thing("", "", None, "")).kind == "memory")
        assert person.http.delete(f"/api/memories/{gone}").status_code == 204
        again = [hit["id"] for hit in SEARCHES[route][0](person, asked)]
        assert gone not in again and again
