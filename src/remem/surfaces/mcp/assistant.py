"""The toolset `assistant`: save and recall documents, for chat assistants."""

from typing import Annotated, Any, NotRequired

from mcp_types import CallToolResult
from pydantic import Field
from typing_extensions import TypedDict

from remem.client import NotFound, RememFailure
from remem.client.fields import SaveFields
from remem.core.search.excerpt import excerpt, readable
from remem.surfaces.duplicate_notes import duplicate_note
from remem.surfaces.mcp.calls import NOTE, client, get, json_result, text_result, without_none
from remem.surfaces.mcp.pages import HitMetadata, Page, hit_metadata, metadata_notes, read_page
from remem.surfaces.mcp.recording import record_search, record_use
from remem.surfaces.mcp.tool_definition import ADDITIVE, READ_ONLY, define_tool

_PREVIEW_CHARS = 1_500
_NODES = 50
_SEARCHED = 10


class Saved(TypedDict):
    id: str
    title: str
    chunk_count: int
    status: str
    added_tags: NotRequired[Annotated[list[str], Field(description="Of a duplicate")]]
    not_taken: NotRequired[
        Annotated[list[str], Field(description="Of a duplicate: kept as it was")]
    ]


class Result(HitMetadata):
    id: str
    title: str
    score: float
    content: str
    source: str


class Recalled(TypedDict):
    results: list[Result]


class Project(TypedDict):
    id: str
    name: str
    document_count: int


class Projects(TypedDict):
    projects: list[Project]


class Graph(TypedDict):
    nodes: list[dict[str, Any]]
    edges: list[dict[str, Any]]


class Who(TypedDict):
    email: str
    name: str
    organization_name: str


class Hit(TypedDict):
    id: str
    title: str
    url: str
    metadata: NotRequired[HitMetadata]


class Hits(TypedDict):
    results: list[Hit]


async def save(
    content: Annotated[str, Field(description="The content to save to memory")],
    title: Annotated[
        str | None, Field(description="A short descriptive title for this memory")
    ] = None,
    project: Annotated[
        str | None,
        Field(description="Project/space name to save to (uses default if not specified)"),
    ] = None,
    tags: Annotated[list[str] | None, Field(description="Tags to categorize this memory")] = None,
) -> CallToolResult:
    fields: SaveFields = {"title": title, "project": project, "tags": tags}
    try:
        saved = await client().save(content, **fields)
    except NotFound:
        if project is None:
            raise
        await _create_project(project)
        saved = await client().save(content, **fields)
    verb = "Known already" if saved["duplicate"] else "Saved"
    later = "" if saved["status"] == "done" else f"; {saved['status']}, findable soon"
    note = f"; {changes}" if (changes := duplicate_note(saved)) else ""
    text = f'{verb}: "{saved["title"]}" ({_count(saved["chunk_count"], "chunk")}{later}){note}'
    shown = {name: saved.get(name) for name in Saved.__annotations__}
    return text_result(
        text, {name: value for name, value in shown.items() if value not in (None, [])}
    )


async def _create_project(name: str) -> None:
    """Create a project on its first use; another call may just have done so."""
    try:
        await client().request("POST", "/v3/projects", json={"name": name})
    except RememFailure as error:
        if error.status != 409:
            raise


async def recall(
    query: Annotated[str, Field(description="Natural language search query")],
    project: Annotated[
        str | None, Field(description="Project/space to search in (searches all if not specified)")
    ] = None,
    limit: Annotated[
        int,
        Field(
            ge=1,
            le=100,
            description="Maximum number of results (default: 5)",
            json_schema_extra={"type": "number"},
        ),
    ] = 5,
    tags: Annotated[
        list[str] | None, Field(description="Only items with all of these tags")
    ] = None,
    since: Annotated[str | None, Field(description="Saved at or after this time, ISO 8601")] = None,
    until: Annotated[str | None, Field(description="Saved before this time, ISO 8601")] = None,
) -> CallToolResult:
    filters = without_none(tags=tags, created_after=since, created_before=until)
    # Assistants take seconds anyway. Without a reader, the results are those of mode balanced.
    recalled = await client().recall(
        query, project=project, limit=limit, filters=filters or None, mode="best"
    )
    results = [_result(hit, query) for hit in recalled["results"]]
    await record_search(query, [result["id"] for result in results])
    texts = [
        f"[{place}] {result['title']} (score: {result['score']:.2f})\n"
        f"{result['content']}{_notes(result)}"
        f"\nSource: {result['source']} (id: {result['id']})"
        for place, result in enumerate(results, start=1)
    ]
    unreadable = recalled["unreadable"]
    texts += [f"{item['id']}: {item['error']}" for item in unreadable]
    text = "\n\n---\n\n".join(texts)
    return text_result(
        f"{NOTE}\n\n{text}" if text else "No memories found.",
        {"results": results, **({"unreadable": unreadable} if unreadable else {})},
    )


async def list_projects() -> CallToolResult:
    projects = await client().projects()
    lines = [
        f"{project['name']} ({_count(project['document_count'], 'document')})"
        for project in projects
    ]
    return text_result("\n".join(lines), {"projects": projects})


async def memory_graph(project: str | None = None) -> CallToolResult:
    graph = await get("/v3/memory-graph", project=project, limit=_NODES)
    labels = {node["id"]: node["label"] for node in graph["nodes"]}
    nodes = [f"{node['label']} ({node['type']})" for node in graph["nodes"]]
    edges = [
        f"{labels[edge['source']]} → {edge['relation']} → {labels[edge['target']]}"
        for edge in graph["edges"]
    ]
    text = "\n".join([NOTE, "Nodes:", *nodes, "Edges:", *edges]) if nodes else "Nothing yet."
    return text_result(text, graph)


async def who_am_i() -> CallToolResult:
    account = await client().whoami()
    return text_result(
        f"{account['name']} <{account['email']}>, {account['organization_name']}", account
    )


async def search(query: str) -> CallToolResult:
    index = await get("/api/memories/search-index", query=query, limit=_SEARCHED)
    hits = {hit["id"]: hit for hit in map(_hit, index["hits"])}
    await record_search(query, [hit["id"] for hit in index["hits"]])
    return json_result({"results": list(hits.values())}, note=False)


async def fetch(id: Annotated[str, Field(description="From search")]) -> CallToolResult:
    page = await read_page(id)
    await record_use([page["id"].rpartition("/")[2]])
    return json_result(dict(page), note=False)


TOOLS = (
    define_tool(
        save,
        "memory",
        "Save content to long-term memory for later recall. Use this when the user asks you to"
        " remember something, save a piece of information, or store content for later.",
        ADDITIVE,
        Saved,
    ),
    define_tool(
        recall,
        "recall",
        "Search through saved memories to find relevant information. Use this when the user asks"
        " about something they previously saved, or when you need context from past interactions.",
        READ_ONLY,
        Recalled,
    ),
    define_tool(
        list_projects,
        "listProjects",
        "List all available memory projects/spaces",
        READ_ONLY,
        Projects,
    ),
    define_tool(
        memory_graph,
        "memory-graph",
        "Get a knowledge graph view of stored memories showing connections between topics",
        READ_ONLY,
        Graph,
    ),
    define_tool(
        who_am_i,
        "whoAmI",
        "Get information about the current authenticated user",
        READ_ONLY,
        Who,
    ),
    define_tool(search, "search", "Find documents and memories; fetch reads them", READ_ONLY, Hits),
    define_tool(fetch, "fetch", "Read one search result whole", READ_ONLY, Page),
)


def _result(document: dict[str, Any], query: str) -> Result:
    best = max(document["chunks"], key=lambda chunk: chunk["score"])
    text = readable(best["content"], document["content_type"])
    default_source = "memory" if document["kind"] == "memory" else "saved note"
    return {
        "id": document["id"],
        "title": document["title"],
        "score": document["score"],
        "content": excerpt(text, query, _PREVIEW_CHARS),
        "source": document["source_url"] or default_source,
        **hit_metadata(best),
    }


def _notes(result: Result) -> str:
    return "".join(f"\n{note}" for note in metadata_notes(dict(result)))


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _hit(hit: dict[str, Any]) -> Hit:
    is_chunk = hit["kind"] == "chunk"
    id = f"document/{hit['documentId']}" if is_chunk else f"memory/{hit['id']}"
    reference: Hit = {
        "id": id,
        "title": hit["title"],
        "url": hit.get("sourceUrl") or f"remem://{id}",
    }
    if metadata := hit_metadata(hit):
        reference["metadata"] = metadata
    return reference
