"""`remem memories`: list, search and read memories."""

from collections.abc import Callable
from typing import Annotated, Any
from urllib.parse import quote

import typer

from remem.surfaces.cli.context import Call, Cursor, InProject, Limit
from remem.surfaces.cli.ids import short_id, shown_id
from remem.surfaces.cli.options import AsOf, Category, Mode, Tags
from remem.surfaces.cli.output import (
    NOTHING_FOUND,
    print_fields,
    print_json,
    print_table,
    say,
    to_minute,
)
from remem.surfaces.cli.times import Since, Until, period
from remem.surfaces.hit_notes import replacement, with_notes

memories = typer.Typer(help="Memories: list, search, add, change, forget, restore.")

Id = Annotated[str, typer.Argument(help="The memory's id, or the last 8 digits of it.")]


@memories.command("list")
def list_all(
    call: Call,
    project: InProject = None,
    category: Category = None,
    tag: Tags = None,
    state: Annotated[
        str | None, typer.Option(help="`active`, `quarantined` or `superseded`.")
    ] = None,
    since: Since = None,
    until: Until = None,
    as_of: AsOf = None,
    limit: Limit = 20,
    cursor: Cursor = None,
) -> None:
    """List current memories, newest first.

    Examples: remem memories list --category decision --project work · remem memories list --since
    "last week"
    """
    since, until = period(since, until)
    params = {
        "project": project,
        "category": category,
        "tags": tag,
        "state": state,
        "since": since,
        "until": until,
        "as_of": as_of,
        "limit": limit,
        "cursor": cursor,
    }
    page = call.request("GET", "/api/memories", params=params)
    _print_page(page, "saved", lambda memory: memory["createdAt"], call.as_json)


@memories.command()
def search(
    call: Call,
    query: Annotated[str, typer.Argument(help="What to search for, in your own words.")],
    project: InProject = None,
    category: Category = None,
    tag: Tags = None,
    mode: Annotated[Mode, typer.Option(help="The search mode.")] = Mode.BALANCED,
    since: Since = None,
    until: Until = None,
    as_of: AsOf = None,
    limit: Limit = 10,
) -> None:
    """Search memories, most relevant first. Exits with 3 if nothing is found.

    Example: remem memories search "which database do we use?"
    """
    since, until = period(since, until)
    params = {
        "query": query,
        "project": project,
        "category": category,
        "tags": tag,
        "since": since,
        "until": until,
        "mode": mode.value,
        # Rank fusion scores the first result 1.00, however little it matches the query.
        "fusion": "weighted",
        "as_of": as_of,
        "limit": limit,
    }
    reply = call.request("GET", "/api/memories/search-index", params={**params, "documents": False})
    _print_found(reply, call.as_json)


def _print_found(reply: dict[str, Any], as_json: bool) -> None:
    if as_json:
        print_json(reply)
    else:
        rows = [
            (
                short_id(hit["id"]),
                f"{hit['score']:.2f}",
                hit["category"],
                with_notes(hit["snippet"], hit),
            )
            for hit in reply["hits"]
        ]
        print_table(["id", "score", "category", "memory"], rows, "Nothing found.")
    if not reply["hits"]:
        raise typer.Exit(NOTHING_FOUND)


@memories.command()
def get(call: Call, id: Id) -> None:
    """Show one memory, or a version of one.

    Example: remem memories get 01a1dd39-8350-7322-b10a-b46b274adaea
    """
    print_memory(call.request("GET", memory_path(id)), call.as_json)


@memories.command()
def history(call: Call, id: Id) -> None:
    """Show every version of a memory, oldest first, and its events.

    Example: remem memories history ID
    """
    reply = call.request("GET", memory_path(id, "/history"))
    if call.as_json:
        print_json(reply)
        return
    versions = [
        (
            version["version"],
            to_minute(version["createdAt"]),
            version["state"],
            shown_id(version["id"]),
            version["content"],
        )
        for version in reply["versions"]
    ]
    print_table(["version", "when", "state", "id", "memory"], versions, "No versions.")
    events = [
        (to_minute(event["createdAt"]), event["type"], event["actor"]) for event in reply["events"]
    ]
    print_table(["when", "what", "who"], events, "No events.")


@memories.command()
def timeline(
    call: Call,
    project: InProject = None,
    category: Category = None,
    since: Since = None,
    until: Until = None,
    limit: Limit = 20,
    cursor: Cursor = None,
) -> None:
    """Show what happened, latest first.

    Example: remem memories timeline --since "last month" --until yesterday
    """
    since, until = period(since, until)
    params = {
        "project": project,
        "category": category,
        "since": since,
        "until": until,
        "limit": limit,
        "cursor": cursor,
    }
    page = call.request("GET", "/api/memories/timeline", params=params)
    _print_page(page, "happened", _event_time, call.as_json)


@memories.command()
def due(
    call: Call,
    project: InProject = None,
    overdue: Annotated[bool, typer.Option("--overdue", help="Include overdue ones.")] = False,
    limit: Limit = 20,
) -> None:
    """Show what is due, next first.

    Example: remem memories due --overdue
    """
    params = {"project": project, "overdue": overdue, "limit": limit}
    reply = call.request("GET", "/api/memories/foresight/active", params=params)
    rows = [
        (shown_id(memory["id"]), to_minute(memory["dueAt"]), memory["content"])
        for memory in reply["memories"]
    ]
    call.print_table(reply, ["id", "due", "memory"], rows, "Nothing is due.")


@memories.command()
def related(
    call: Call,
    id: Id,
    depth: Annotated[int, typer.Option(min=1, max=3, help="How many links away.")] = 1,
) -> None:
    """Show what a memory is linked to, nearest first.

    Example: remem memories related ID --depth 2
    """
    path = f"/v1/memories/{quote(id, safe='')}/related"
    reply = call.request("GET", path, params={"depth": depth})
    rows = [
        (shown_id(memory["id"]), memory["relationship"], memory["content"])
        for memory in reply["related"]
    ]
    call.print_table(reply, ["id", "relation", "memory"], rows, "It is linked to nothing.")


def memory_path(id: str, suffix: str = "") -> str:
    return f"/api/memories/{quote(id, safe='')}{suffix}"


def _event_time(memory: dict[str, Any]) -> str:
    """Return the time that the timeline sorts and filters by."""
    return memory["occurredAt"] or memory["saidAt"] or memory["createdAt"]


def _print_page(
    page: dict[str, Any], column: str, moment: Callable[[dict[str, Any]], str], as_json: bool
) -> None:
    if as_json:
        print_json(page)
        return
    rows = [
        (shown_id(memory["id"]), to_minute(moment(memory)), memory["category"], memory["content"])
        for memory in page["memories"]
    ]
    print_table(["id", column, "category", "memory"], rows, "No memories here.")


def print_memory(memory: dict[str, Any], as_json: bool) -> None:
    if as_json:
        print_json(memory)
        return
    say(memory["content"], style="bold")
    names = (
        "id title category project tags state quality confidence version supersedesId occurredAt"
        " validUntil dueAt source documentId createdAt updatedAt"
    )
    fields = {name: memory[name] for name in names.split()}
    if newer := memory.get("replacedBy"):
        fields["replacedBy"] = f"{newer['id']}  {replacement(memory)}"
    print_fields(fields)
