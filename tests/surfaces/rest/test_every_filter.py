"""Every hit of every route that searches or lists satisfies every filter of the request."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.conftest import Person
from tests.surfaces.mcp.every_tool import ALL_TOOLS

PROJECTS = ("red", "red.team", "blue")
CATEGORIES = ("fact", "decision")
TAGS = ("Alpha", "beta")
ROOMS = ("kitchen", "attic")


INCLUDED = ("fact", "decision")


@dataclass(frozen=True)
class Filters:
    """The filters of a request; a route uses those it supports."""

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
        below = {project for project in PROJECTS if project.startswith(path + ".")}
        return {path} | (below if self.project.endswith(".*") else set())


@dataclass(frozen=True)
class Item:
    kind: str
    project: str
    category: str | None
    tag: str
    saved_at: str = ""
    room: str = ""

    def satisfies(self, requested: Filters, filters: set[str]) -> bool:
        return (
            self.project in requested.projects
            and ("category" not in filters or self._has_category(requested, filters))
            and ("tag" not in filters or requested.tag in (None, self.tag))
            and ("dates" not in filters or (requested.since or "") <= self.saved_at)
            and ("dates" not in filters or self.saved_at < (requested.until or "9"))
            and ("metadata" not in filters or requested.room in (None, self.room))
            and ("as_of" not in filters or self.saved_at <= (requested.as_of or "9"))
        )

    def _has_category(self, requested: Filters, filters: set[str]) -> bool:
        # In /v1, facts include decisions.
        includes = "includes" in filters and (requested.category, self.category) == INCLUDED
        return includes or requested.category in (None, self.category)


ItemsById = dict[str, Item]
Hits = Iterable[dict[str, Any]]


def without_none(**fields: Any) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


def period(requested: Filters) -> dict[str, Any]:
    return without_none(created_after=requested.since, created_before=requested.until)


def room(requested: Filters) -> dict[str, Any]:
    return {"metadata": {"room": requested.room}} if requested.room else {}


def recall(person: Person, requested: Filters) -> Hits:
    filters = {
        "tags": [requested.tag.upper()] if requested.tag else [],
        **period(requested),
        **room(requested),
    }
    body = {"query": "kettle", "limit": 50, "mode": requested.mode, "filters": filters}
    body |= {"weak": True} | without_none(project=requested.project)
    return json_of(person.post("/v3/recall", body))["results"]


def search(person: Person, requested: Filters) -> Hits:
    filters = {
        "memory_type": [requested.category] if requested.category else [],
        "tags": [requested.tag.lower()] if requested.tag else [],
        **period(requested),
        **room(requested),
    }
    body = {
        "query": "kettle",
        "limit": 50,
        "mode": requested.mode,
        "filters": filters,
        "weak": True,
    }
    body |= without_none(container=requested.project)
    return json_of(person.post("/v1/search", body | {"include_related": True}))["results"]


def search_memories(person: Person, requested: Filters) -> Hits:
    return json_of(
        person.http.get(
            "/api/memories/search",
            params=without_none(
                query="kettle",
                limit=10,
                projectId=requested.project,
                category=requested.category,
                weak=True,
            ),
        )
    )["memories"]


def search_index(person: Person, requested: Filters) -> Hits:
    params = without_none(
        query="kettle", limit=100, mode=requested.mode, project_id=requested.project,
        memory_type=requested.category, tag=requested.tag, weak=True, since=requested.since,
        until=requested.until, as_of=requested.as_of,
    )  # fmt: skip
    return json_of(person.http.get("/api/memories/search-index", params=params))["hits"]


def list_memories(person: Person, requested: Filters) -> Hits:
    params = without_none(
        limit=100, container=requested.project, category=requested.category, tags=requested.tag,
        since=requested.since, until=requested.until, as_of=requested.as_of,
    )  # fmt: skip
    return json_of(person.http.get("/api/memories", params=params))["memories"]


def query_memories(person: Person, requested: Filters) -> Hits:
    params = without_none(
        project=requested.project, category=requested.category, tags=requested.tag,
        since=requested.since, until=requested.until, as_of=requested.as_of,
    )  # fmt: skip
    reply = person.http.get("/api/memories", params={**params, "q": "kettle", "limit": 100})
    return json_of(reply)["memories"]


def timeline(person: Person, requested: Filters) -> Hits:
    params = without_none(limit=100, project=requested.project, category=requested.category)
    return json_of(person.http.get("/api/memories/timeline", params=params))["memories"]


def foresight(person: Person, requested: Filters) -> Hits:
    params = without_none(limit=100, project=requested.project)
    return json_of(person.http.get("/api/memories/foresight/active", params=params))["memories"]


def list_documents(person: Person, requested: Filters) -> Hits:
    params = without_none(limit=100, project=requested.project)
    return json_of(person.http.get("/v3/documents", params=params))["documents"]


def list_documents_v1(person: Person, requested: Filters) -> Hits:
    body = without_none(
        limit=100, container=requested.project, tags=[requested.tag] if requested.tag else None
    )
    body |= period(requested)
    return json_of(person.post("/v1/documents/list", body))["documents"]


def forget(person: Person, requested: Filters) -> Hits:
    body = without_none(query="kettle", threshold=0.3, container=requested.project)
    return json_of(person.post("/v1/memories/forget", body))["memories"]


def graph(person: Person, requested: Filters) -> Hits:
    params = without_none(limit=1000, project=requested.project)
    nodes = json_of(person.http.get("/v3/memory-graph", params=params))["nodes"]
    return [node for node in nodes if node["kind"] in ("document", "memory")]


def profile(person: Person, requested: Filters) -> Hits:
    project = (requested.project or "red").removesuffix(".*")
    params = {"container": project, "query": "kettle"}
    profile_body = json_of(person.http.get("/v1/profile", params=params))
    parts = ("static_facts", "recent_context", "relevant_memories")
    return [entry for part in parts for entry in profile_body[part]]


def json_of(reply: Any) -> dict[str, Any]:
    assert reply.status_code == 200, reply.text
    return reply.json()


LIST_FILTERS = frozenset({"category", "tag", "dates", "as_of"})
# Every route that searches or lists, with its function and its filters other than the project.
SEARCHES: dict[str, tuple[Callable[[Person, Filters], Hits], frozenset[str]]] = {
    "post /v3/recall": (recall, frozenset({"tag", "dates", "metadata"})),
    "post /v1/search": (search, frozenset({"category", "includes", "tag", "dates", "metadata"})),
    "get /api/memories/search": (search_memories, frozenset({"category"})),
    "get /api/memories/search-index": (search_index, LIST_FILTERS),
    "get /api/memories": (list_memories, LIST_FILTERS),
    "get /api/memories?q": (query_memories, LIST_FILTERS),
    "get /api/memories/timeline": (timeline, frozenset({"category"})),
    "get /api/memories/foresight/active": (foresight, frozenset()),
    "get /v3/documents": (list_documents, frozenset()),
    "post /v1/documents/list": (list_documents_v1, frozenset({"tag", "dates"})),
    "post /v1/memories/forget": (forget, frozenset()),
    "get /v3/memory-graph": (graph, frozenset()),
    "get /v1/profile": (profile, frozenset()),
}
# Routes that list no documents or memories, or only those of something identified in the path, or
# pairs of them.
OTHER_ROUTES = frozenset(
    """
/api/memories/contradictions /v3/calendars /v3/checkup /v3/checkup/{finding}
/v3/deliveries /v3/deliveries/{id}/log /v3/entities /v3/entities/{id} /v3/entity-changes
/v3/documents/{id}/original /v3/jobs/{id} /v3/documents/{id} /v3/chunks/{id} /v3/ids/{short}
/v3/highlights /v3/documents/{id}/highlights /v3/documents/{id}/copy
/v3/instructions /v3/pasted-profile /v3/server /v3/trash
/v3/lines /v3/jobs /v3/documents/{id}/related /v3/stats /v3/projects /v3/projects/{ref} /v3/whoami
/v3/account /v3/api-keys /v3/grants /v3/organizations /v3/organizations/{id}/members /v3/export
/v1/documents/{id} /v1/memories/{id} /v1/memories/{id}/related /v1/containers /v1/stats
/api/memories/providers /api/memories/{id} /api/memories/{id}/history /api/projects /api/api-keys
/api/agent/diagnostics
/api/subscription /api/events /v3/tags /v3/stats/daily /v3/auth/options /v3/auth/sessions /v3/models
/api/feeds /v3/connectors /v3/connections /v3/connections/{id} /v3/connections/{id}/items
/v3/connections/{id}/resources /v3/connections/{provider}/callback /v3/extension/composers
/v3/live /v3/samples /api/sessions /api/sessions/{id} /api/evolve/jobs /api/evolve/run
/api/evolve/arena /api/evolve/policy /api/evolve/signals /api/evolve/actions
""".split()
)
# The route that each tool calls; tools that neither search nor list call none of these.
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
agent.ask save ask open forget ls grep cat
""".split()
)


def test_every_route_and_tool_is_covered(person: Person) -> None:
    document = person.http.get("/openapi.json").json()
    search_routes = set()
    for path, methods in document["paths"].items():
        if not path.startswith(("/v1/", "/v3/", "/api/")):
            continue
        if "get" in methods and path not in OTHER_ROUTES:
            search_routes.add(f"get {path}")
        body = methods.get("post", {}).get("requestBody", {}).get("content", {})
        shape = body.get("application/json", {}).get("schema", {}).get("$ref", "/").split("/")[-1]
        fields = document["components"]["schemas"].get(shape, {}).get("properties", {})
        is_search = {"query"} & set(fields) or {"limit", "cursor"} <= set(fields)
        if is_search and path not in OTHER_ROUTES:
            search_routes.add(f"post {path}")
    assert search_routes == {name.partition("?")[0] for name in SEARCHES}
    assert set(TOOLS) | OTHER_TOOLS == ALL_TOOLS
    assert set(TOOLS.values()) <= set(SEARCHES)


def save_items(person: Person) -> ItemsById:
    items: ItemsById = {}
    number = 0
    for project in PROJECTS:
        for category in CATEGORIES:
            for tag in TAGS:
                number += 1
                fields = {"project": project, "category": category, "tags": [tag]}
                content = f"Kettle {number} of Ada Lovelace stands on shelf {number * 7}."
                due = {"dueAt": f"2999-01-{number:02}T00:00:00Z"}
                extra = {"context": {"room": ROOMS[number % 2]}, **due}
                saved = person.post("/api/memories", {"content": content, **fields, **extra}).json()
                memory = json_of(person.http.get(f"/api/memories/{saved['id']}"))
                details = (memory["createdAt"], ROOMS[number % 2])
                items[saved["id"]] = Item("memory", project, category, tag, *details)
        for tag in TAGS:
            text = f"The kettle in {project} with {tag} belongs to Ada Lovelace."
            body = {"content": text, "container": project, "tags": [tag], "index_only": True}
            body |= {"metadata": {"room": ROOMS[0]}}
            id = person.post("/v1/documents", body).json()["id"]
            saved = json_of(person.http.get(f"/v1/documents/{id}"))
            items[id] = Item("document", project, None, tag, saved["created_at"], ROOMS[0])
    return items


def item_of(hit: dict[str, Any], items: ItemsById) -> Item | None:
    """The memory or document that a hit refers to."""
    names = ("id", "memory_id", "memoryId", "document_id", "documentId")
    return next((items[hit[name]] for name in names if hit.get(name) in items), None)


def any_filters(items: ItemsById) -> st.SearchStrategy[Filters]:
    """Any filters; the dates are those on which an item was saved."""
    moments = st.sampled_from(sorted(item.saved_at for item in items.values()))
    return st.builds(
        Filters,
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
    items = save_items(person)
    routes_with_hits: set[str] = set()

    @settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
    @given(requested=any_filters(items), route=st.sampled_from(sorted(SEARCHES)))
    def check(requested: Filters, route: str) -> None:
        ask, filters = SEARCHES[route]
        if route == "get /v1/profile":
            requested = Filters(
                (requested.project or "red").removesuffix(".*"), None, None, requested.mode
            )
        for hit in ask(person, requested):
            item = item_of(hit, items)
            assert item is not None, (route, hit)
            assert item.satisfies(requested, set(filters)), (route, requested, item)
            for related in hit.get("related") or ():
                assert items[related["id"]].satisfies(requested, set(filters)), (
                    route,
                    requested,
                    related,
                )
            routes_with_hits.add(route)

    check()
    # Every route finds something without a filter; otherwise the test would prove nothing.
    for route, (ask, _) in SEARCHES.items():
        assert list(ask(person, Filters("red", None, None, "balanced"))), route


@pytest.mark.parametrize("mode", ["fast", "balanced", "deep"])
def test_a_cached_answer_is_recomputed_when_a_hit_was_deleted(person: Person, mode: str) -> None:
    items = save_items(person)
    requested = Filters("red", None, None, mode)
    for route in ("post /v1/search", "get /api/memories/search-index"):
        first = [hit["id"] for hit in SEARCHES[route][0](person, requested)]
        deleted_id = next(
            id for id in first if items.get(id, Item("", "", None, "")).kind == "memory"
        )
        assert person.http.delete(f"/api/memories/{deleted_id}").status_code == 204
        again = [hit["id"] for hit in SEARCHES[route][0](person, requested)]
        assert deleted_id not in again and again
