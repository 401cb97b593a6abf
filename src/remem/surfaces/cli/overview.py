"""Overviews: whoami, profile, stats, graph, events and jobs."""

from typing import Annotated, Any
from urllib.parse import quote

import typer

from remem.surfaces.cli.context import Call, Cursor, InProject, Limit
from remem.surfaces.cli.output import (
    FAILED,
    print_fields,
    print_json,
    print_table,
    say,
    to_minute,
)
from remem.surfaces.statement_text import with_speaker


def whoami(call: Call) -> None:
    """Show your user, the server and your scopes.

    Example: remem whoami
    """
    from remem.client.local_server import find_server
    from remem.surfaces.cli.context import address

    who = call.request("GET", "/v3/whoami")
    local = find_server()
    who["server"] = address(call.url, call.key)[0] or (local.url if local else None)
    call.print_fields(
        who,
        {
            "name": f"{who['name']} <{who['email']}>",
            "space": who["organization_name"],
            "role": who["role"],
            "scopes": who["scopes"],
            "server": who["server"] or "none; the store of this machine",
        },
    )


def profile(
    call: Call,
    project: InProject = None,
    query: Annotated[str | None, typer.Option(help="A question or topic.")] = None,
) -> None:
    """Show the profile: lasting facts, recent ones, and those relevant to a query.

    Example: remem profile --query "planning a trip"
    """
    params = {"container": project or "*", "query": query}
    reply = call.request("GET", "/v1/profile", params=params)
    if call.as_json:
        print_json(reply)
        return
    pinned = reply.get("standing_instructions")
    if pinned:
        _print_statements("Standing instructions", pinned)
    for name, title in (
        ("static_facts", "Lasting"),
        ("recent_context", "Recent"),
        ("relevant_memories", "Relevant"),
    ):
        _print_statements(title, reply[name])


def _print_statements(title: str, statements: list[dict[str, Any]] | None) -> None:
    if statements is not None:
        say(title, style="bold")
        for statement in statements or [{"content": "nothing yet"}]:
            say(f"  {with_speaker(statement)}")


def stats(call: Call) -> None:
    """Show counts of documents, memories and projects.

    Example: remem stats
    """
    counts = call.request("GET", "/v3/stats")
    call.print_fields(counts, {name.replace("_", " "): value for name, value in counts.items()})


def graph(
    call: Call,
    project: InProject = None,
    limit: Annotated[int, typer.Option(min=1, max=1_000, help="The maximum number of nodes.")] = 50,
) -> None:
    """Show the most connected items, and how many links each has.

    Examples: remem graph · remem graph --json --limit 1000
    """
    params = {"project": project, "limit": limit}
    reply = call.request("GET", "/v3/memory-graph", params=params)
    if call.as_json:
        print_json(reply)
        return
    link_counts: dict[str, int] = {}
    for edge in reply["edges"]:
        for end in (edge["source"], edge["target"]):
            link_counts[end] = link_counts.get(end, 0) + 1
    rows = [
        (node["kind"], node["type"], node["weight"], link_counts.get(node["id"], 0), node["label"])
        for node in reply["nodes"]
    ]
    print_table(["kind", "type", "weight", "links", "what"], rows, "Nothing is connected yet.")


def events(
    call: Call,
    subject: Annotated[str | None, typer.Option(help="Only events of this id.")] = None,
    type: Annotated[str | None, typer.Option(help="Only events of this type.")] = None,
    limit: Limit = 20,
    cursor: Cursor = None,
) -> None:
    """Show the audit trail, newest first.

    Example: remem events --limit 50
    """
    params = {"subject": subject, "type": type, "limit": limit, "cursor": cursor}
    reply = call.request("GET", "/api/events", params=params)
    rows = [
        (
            to_minute(event["createdAt"]),
            event["type"],
            event["subjectKind"],
            event["subjectId"],
            event["actor"],
        )
        for event in reply["events"]
    ]
    call.print_table(reply, ["when", "what", "of", "id", "who"], rows, "Nothing happened yet.")


def jobs(
    call: Call,
    id: Annotated[str | None, typer.Argument(help="One job; all of them if absent.")] = None,
    status: Annotated[
        str | None, typer.Option(help="`pending`, `processing`, `completed` or `failed`.")
    ] = None,
    limit: Limit = 20,
) -> None:
    """List jobs, newest first, or show one.

    Exits with 1 if that job failed.

    Examples: remem jobs --status failed · remem jobs ID
    """
    if id:
        _print_job(call.request("GET", f"/v3/jobs/{quote(id, safe='')}"), call.as_json)
        return
    reply = call.request("GET", "/v3/jobs", params={"status": status, "limit": limit})
    rows = [
        (job["id"], to_minute(job["created_at"]), job["status"], job["name"], job["error"])
        for job in reply["jobs"]
    ]
    call.print_table(reply, ["id", "when", "status", "job", "error"], rows, "No jobs.")


def _print_job(job: dict[str, Any], as_json: bool) -> None:
    if as_json:
        print_json(job)
    else:
        names = "id name status stage progress document_id attempts error created_at finished_at"
        print_fields({name: job[name] for name in names.split()})
    if job["status"] == "failed":
        raise typer.Exit(FAILED)
