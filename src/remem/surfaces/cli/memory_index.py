"""`remem memories search-index|create|foresight|providers`: commands named as in the API."""

from typing import Annotated, Any

import typer

from remem.surfaces.cli.context import Call, InProject, Limit
from remem.surfaces.cli.ids import shown_id
from remem.surfaces.cli.memories import due
from remem.surfaces.cli.memory_changes import memories, print_saved_memory
from remem.surfaces.cli.options import AsOf, Category, Mode, Tags
from remem.surfaces.cli.output import (
    MISUSED,
    NOTHING_FOUND,
    fail,
    print_json,
    print_table,
)
from remem.surfaces.hit_notes import with_notes

index = typer.Typer()
memories.add_typer(index)

ProjectId = Annotated[str | None, typer.Option("--project-id", help="A project by its id.")]


@index.command("search-index")
def search_index(
    call: Call,
    text: Annotated[
        str | None,
        typer.Argument(metavar="QUERY", help="What to search for, in your own words."),
    ] = None,
    query: Annotated[str | None, typer.Option("--query", help="The same, as an option.")] = None,
    mode: Annotated[
        Mode | None,
        typer.Option("--memory-mode", "--mode", help="The search mode; as configured if absent."),
    ] = None,
    project: InProject = None,
    project_id: ProjectId = None,
    category: Category = None,
    documents: Annotated[
        bool, typer.Option("--documents/--no-documents", help="Include parts of documents.")
    ] = True,
    vector: Annotated[
        bool, typer.Option("--vector/--no-vector", help="Search by meaning too.")
    ] = True,
    as_of: AsOf = None,
    limit: Limit = 10,
) -> None:
    """Search memories and documents: compact hits, best first. Exits with 3 when nothing is found.

    Example: remem memories search-index "auth bug" --memory-mode balanced
    """
    params = {
        "query": _one_query(text, query),
        "mode": mode.value if mode else None,
        "project": _one_project(project, project_id),
        "category": category,
        "documents": documents,
        "vector": vector,
        "as_of": as_of,
        "limit": limit,
    }
    reply = call.request("GET", "/api/memories/search-index", params=params)
    _print_found(reply, call.as_json)


def _print_found(reply: dict[str, Any], as_json: bool) -> None:
    if as_json:
        print_json(reply)
    else:
        rows = [
            (
                shown_id(hit["id"]),
                f"{hit['score']:.2f}",
                hit["kind"],
                hit["title"],
                with_notes(hit["snippet"], hit),
            )
            for hit in reply["hits"]
        ]
        print_table(["id", "score", "kind", "title", "snippet"], rows, "Nothing found.")
    if not reply["hits"]:
        raise typer.Exit(NOTHING_FOUND)


@index.command("create")
def create(
    call: Call,
    content: Annotated[str, typer.Option("--content", help="One statement.")],
    category: Category = None,
    title: Annotated[str | None, typer.Option(help="A title.")] = None,
    project: InProject = None,
    project_id: ProjectId = None,
    session: Annotated[
        str | None, typer.Option("--session-id", help="The session it belongs to.")
    ] = None,
    tag: Tags = None,
) -> None:
    """Add a memory as `memories add` does, with all values as options.

    Example: remem memories create --project-id ID --category fact --title Port --content "It is 80"
    """
    _one_project(project, project_id)
    body = {
        "content": content,
        "category": category,
        "title": title,
        "project": project,
        "projectId": project_id,
        "sessionId": session,
        "tags": tag,
        "source": "cli",
    }
    saved = call.request("POST", "/api/memories", json=body)
    print_json(saved) if call.as_json else print_saved_memory(saved)


@index.command("foresight")
def foresight(
    call: Call,
    project: InProject = None,
    overdue: Annotated[bool, typer.Option("--overdue", help="Include overdue ones.")] = False,
    limit: Limit = 20,
) -> None:
    """Show what is due, next first, as `memories due` does.

    Example: remem memories foresight --overdue
    """
    due(call, project, overdue, limit)


@index.command("providers")
def providers(call: Call) -> None:
    """List the ways in which search finds memories.

    Example: remem memories providers
    """
    reply = call.request("GET", "/api/memories/providers")
    rows = [
        (provider["id"], provider["model"], provider["description"])
        for provider in reply["providers"]
    ]
    call.print_table(reply, ["id", "model", "what it does"], rows, "None.")


def _one_query(text: str | None, query: str | None) -> str:
    if (text is None) == (query is None):
        fail("Give what to search for once: as an argument or with --query.", MISUSED)
    return text or query or ""


def _one_project(project: str | None, project_id: str | None) -> str | None:
    if project and project_id:
        fail("Give --project or --project-id, not both.", MISUSED)
    return project_id or project
