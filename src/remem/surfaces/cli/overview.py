"""What there is, seen from above: whoami, profile, stats, graph, events and jobs."""

from typing import Annotated, Any
from urllib.parse import quote

import typer

from remem.surfaces.attributed import attributed
from remem.surfaces.cli.context import Cursor, InProject, Json, Key, Limit, Url, request
from remem.surfaces.cli.output import (
    FAILED,
    print_fields,
    print_json,
    print_table,
    say,
    short,
)


def whoami(url: Url = None, key: Key = None, as_json: Json = False) -> None:
    """Show your user, the server and your scopes.

    Example: remem whoami
    """
    from remem.surfaces.cli.context import address

    who = request(url, key, "GET", "/v3/whoami")
    who["server"] = address(url, key)[0]
    if as_json:
        print_json(who)
        return
    print_fields(
        {
            "name": f"{who['name']} <{who['email']}>",
            "space": who["organization_name"],
            "role": who["role"],
            "scopes": who["scopes"],
            "server": who["server"] or "none; the store of this machine",
        }
    )


def profile(
    project: InProject = None,
    query: Annotated[str | None, typer.Option(help="A question or topic.")] = None,
    url: Url = None,
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Show the profile: lasting facts, recent ones, and those relevant to a query.

    Example: remem profile --query "planning a trip"
    """
    params = {"container": project or "*", "query": query}
    found = request(url, key, "GET", "/v1/profile", params=params)
    if as_json:
        print_json(found)
        return
    for name, title in (
        ("static_facts", "Lasting"),
        ("recent_context", "Recent"),
        ("relevant_memories", "Relevant"),
    ):
        _print_statements(title, found[name])


def _print_statements(title: str, statements: list[dict[str, Any]] | None) -> None:
    if statements is not None:
        say(title, style="bold")
        for one in statements or [{"content": "nothing yet"}]:
            say(f"  {attributed(one)}")


def stats(url: Url = None, key: Key = None, as_json: Json = False) -> None:
    """Show counts of documents, memories and projects.

    Example: remem stats
    """
    found = request(url, key, "GET", "/v3/stats")
    if as_json:
        print_json(found)
    else:
        print_fields({name.replace("_", " "): value for name, value in found.items()})


def graph(
    project: InProject = None,
    limit: Annotated[int, typer.Option(min=1, max=1_000, help="The maximum number of nodes.")] = 50,
    url: Url = None,
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Show the most connected items, and how many links each has.

    Examples: remem graph · remem graph --json --limit 1000
    """
    params = {"project": project, "limit": limit}
    found = request(url, key, "GET", "/v3/memory-graph", params=params)
    if as_json:
        print_json(found)
        return
    links: dict[str, int] = {}
    for edge in found["edges"]:
        for end in (edge["source"], edge["target"]):
            links[end] = links.get(end, 0) + 1
    rows = [
        (node["kind"], node["type"], node["weight"], links.get(node["id"], 0), node["label"])
        for node in found["nodes"]
    ]
    print_table(["kind", "type", "weight", "links", "what"], rows, "Nothing is connected yet.")


def events(
    subject: Annotated[str | None, typer.Option(help="Only events of this id.")] = None,
    type: Annotated[str | None, typer.Option(help="Only events of this type.")] = None,
    limit: Limit = 20,
    cursor: Cursor = None,
    url: Url = None,
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Show the audit trail, newest first.

    Example: remem events --limit 50
    """
    params = {"subject": subject, "type": type, "limit": limit, "cursor": cursor}
    found = request(url, key, "GET", "/api/events", params=params)
    if as_json:
        print_json(found)
        return
    rows = [
        (short(one["createdAt"]), one["type"], one["subjectKind"], one["subjectId"], one["actor"])
        for one in found["events"]
    ]
    print_table(["when", "what", "of", "id", "who"], rows, "Nothing happened yet.")


def jobs(
    id: Annotated[str | None, typer.Argument(help="One job; all of them if absent.")] = None,
    status: Annotated[
        str | None, typer.Option(help="`pending`, `processing`, `completed` or `failed`.")
    ] = None,
    limit: Limit = 20,
    url: Url = None,
    key: Key = None,
    as_json: Json = False,
) -> None:
    """List jobs, newest first, or show one.

    Exits with 1 when that one failed.

    Examples: remem jobs --status failed · remem jobs ID
    """
    if id:
        _print_job(request(url, key, "GET", f"/v3/jobs/{quote(id, safe='')}"), as_json)
        return
    found = request(url, key, "GET", "/v3/jobs", params={"status": status, "limit": limit})
    if as_json:
        print_json(found)
        return
    rows = [
        (one["id"], short(one["created_at"]), one["status"], one["name"], one["error"])
        for one in found["jobs"]
    ]
    print_table(["id", "when", "status", "job", "error"], rows, "No jobs.")


def _print_job(job: dict[str, Any], as_json: bool) -> None:
    if as_json:
        print_json(job)
    else:
        shown = "id name status stage progress document_id attempts error created_at finished_at"
        print_fields({name: job[name] for name in shown.split()})
    if job["status"] == "failed":
        raise typer.Exit(FAILED)
