"""`remem connections`: accounts and folders that are synced regularly."""

from typing import Annotated, Any
from urllib.parse import quote
from uuid import UUID

import typer

from remem.surfaces.cli.connecting import (
    fields_of,
    get_connector,
    named_fields,
    print_connected,
    sign_in_with_code,
)
from remem.surfaces.cli.context import Call, InProject, Key, Url, Yes, request
from remem.surfaces.cli.output import (
    MISUSED,
    confirm,
    fail,
    print_fields,
    print_item,
    print_json,
    print_table,
    say,
    to_minute,
)

connections = typer.Typer(help="Accounts and folders that are synced regularly.")

PROBLEMS_SHOWN = 20
Value = Annotated[
    str | None,
    typer.Argument(
        help="A path, address or token (@file reads it from a file); asked for if absent."
    ),
]
Choose = Annotated[
    list[str] | None, typer.Option("--choose", help="What to read there; repeat for more.")
]
OtherFields = Annotated[
    list[str] | None,
    typer.Option("--field", help="Another field, as name=value; repeat for more."),
]
Id = Annotated[str, typer.Argument(help="The connection's id.")]


@connections.command("list")
def list_all(call: Call) -> None:
    """List your connections, with their status and counts.

    Example: remem connections list
    """
    existing = call.request("GET", "/v3/connections")["connections"]
    if call.as_json:
        print_json(existing)
        return
    rows = [
        (
            connection["id"],
            connection["provider"],
            connection["status"],
            connection["items"],
            connection["problems"],
            to_minute(connection["next_at"]),
            connection["account"],
        )
        for connection in existing
    ]
    columns = ["id", "service", "status", "items", "skipped", "next sync", "account"]
    if any(connection["usage"] for connection in existing):
        columns.append("today")
        rows = [
            (*row, _format_usage(connection["usage"]))
            for row, connection in zip(rows, existing, strict=True)
        ]
    print_table(columns, rows, "Nothing is connected; see `remem connections add --help`.")


def _format_usage(usage: dict[str, Any] | None) -> str | None:
    if usage is None:
        return None
    cost = f"about {usage['usd']:.2f} of {usage['most_usd']:.2f} USD"
    return f"{usage['reads']:,} of {usage['most_reads']:,} reads, {cost}"


@connections.command()
def add(
    call: Call,
    provider: Annotated[str, typer.Argument(help="What to connect, such as `folder`.")],
    value: Value = None,
    choose: Choose = None,
    project: InProject = None,
    interval_s: Annotated[
        int | None, typer.Option("--interval", min=300, max=604_800, help="Seconds between syncs.")
    ] = None,
    field: OtherFields = None,
    sign_in: Annotated[
        bool, typer.Option("--sign-in", help="Sign in at the service instead of using a token.")
    ] = False,
) -> None:
    """Connect an account or a folder. Secrets are asked for, to keep them out of the shell history.

    Example: remem connections add folder ~/Notes --project notes
    """
    body: dict[str, Any] = {"chosen": choose or [], "project": project, "interval_s": interval_s}
    connector = get_connector(call.url, call.key, provider)
    if sign_in:
        connection = sign_in_with_code(
            call.url, call.key, connector, body | {"fields": named_fields(field)}
        )
    else:
        body["fields"] = fields_of(connector, value, field)
        path = f"/v3/connectors/{quote(provider, safe='')}/connect"
        connection = call.request("POST", path, json=body)
    if call.as_json:
        print_json(connection)
    else:
        print_connected(connection)


@connections.command()
def show(call: Call, id: Id) -> None:
    """Show one connection with its last syncs.

    Example: remem connections show 01a1e39c-ec7c-7627-906b-d2408dbeea43
    """
    connection = call.request("GET", _path(id))
    if call.as_json:
        print_json(connection)
        return
    runs = connection.pop("runs")
    connection["today"] = _format_usage(connection.pop("usage"))
    print_fields(connection)
    columns = ["started", "outcome", "added", "updated", "deleted", "unchanged", "skipped"]
    rows = [(to_minute(run["started_at"]), *(run[name] for name in columns[1:])) for run in runs]
    print_table(columns, rows, "It has not been synced yet.")
    if connection["problems"]:
        _print_problems(call.url, call.key, id)


def _print_problems(url: str | None, key: str | None, id: str) -> None:
    params = {"problem": True, "limit": PROBLEMS_SHOWN}
    items = request(url, key, "GET", f"{_path(id)}/items", params=params)["items"]
    say("")
    rows = [(item["path"] or item["reference"], item["problem"]) for item in items]
    print_table(["skipped", "why"], rows, "")


@connections.command()
def choose(
    call: Call,
    id: Id,
    references: Annotated[
        list[str] | None, typer.Argument(help="What to read; lists the choices if absent.")
    ] = None,
) -> None:
    """Choose what is read, replacing the previous choice.

    Example: remem connections choose 01a1e39c-ec7c-7627-906b-d2408dbeea43 octo/notes
    """
    if references:
        print_item(call.request("PATCH", _path(id), json={"chosen": references}), call.as_json)
        return
    resources = call.request("GET", f"{_path(id)}/resources")["resources"]
    rows = [(resource["reference"], resource["count"], resource["name"]) for resource in resources]
    call.print_table(resources, ["reference", "items", "name"], rows, "There is nothing to choose.")


@connections.command()
def sync(
    call: Call,
    id: Id,
    full: Annotated[
        bool, typer.Option("--full", help="List everything again, not only changes.")
    ] = False,
) -> None:
    """Sync now.

    Example: remem connections sync 01a1e39c-ec7c-7627-906b-d2408dbeea43 --full
    """
    job = call.request("POST", f"{_path(id)}/sync", params={"full": full})
    call.say(job, f"Started; see `remem connections show {id}`.")


@connections.command()
def pause(
    call: Call,
    id: Id,
    resume: Annotated[bool, typer.Option("--resume", help="Resume syncing.")] = False,
) -> None:
    """Pause syncing; `--resume` resumes it.

    Example: remem connections pause 01a1e39c-ec7c-7627-906b-d2408dbeea43
    """
    print_item(call.request("PATCH", _path(id), json={"paused": not resume}), call.as_json)


@connections.command()
def check(
    call: Call,
    what: Annotated[str, typer.Argument(help="The id of a connection, or a service to try.")],
    value: Value = None,
    choose: Choose = None,
    field: OtherFields = None,
) -> None:
    """Read one page without saving anything, to test a connection.

    Example: remem connections check github --choose octo/notes
    """
    if _is_id(what):
        report = call.request("POST", f"{_path(what)}/check")
    else:
        fields = fields_of(get_connector(call.url, call.key, what), value, field)
        body = {"fields": fields, "chosen": choose or []}
        report = call.request("POST", f"/v3/connectors/{quote(what, safe='')}/check", json=body)
    if not call.as_json:
        report["resources"] = [resource["name"] for resource in report["resources"]]
        report["today"] = _format_usage(report.pop("usage"))
        if not report["seen"] and not choose and report["resources"] and not _is_id(what):
            report["seen"] = "nothing yet: choose what to read with --choose"
            del report["more"]
    print_item(report, call.as_json)


def _is_id(word: str) -> bool:
    try:
        UUID(word)
    except ValueError:
        return False
    return True


@connections.command()
def manifest(
    provider: Annotated[str, typer.Argument(help="The service, such as `slack`.")],
    url: Url = None,
    key: Key = None,
) -> None:
    """Print the manifest for an app of your own, at a service that needs one.

    Example: remem connections manifest slack
    """
    connector = get_connector(url, key, provider)
    if not connector["manifest"]:
        fail(f"{connector['title']} is connected without a manifest.", MISUSED)
    say(connector["manifest"].rstrip())


@connections.command()
def webhook(call: Call, id: Id) -> None:
    """Create a webhook URL for the service to call on changes, so that syncs start sooner.

    Example: remem connections webhook 01a1e39c-ec7c-7627-906b-d2408dbeea43
    """
    print_item(call.request("POST", f"{_path(id)}/webhook"), call.as_json)


@connections.command()
def remove(
    id: Id,
    keep: Annotated[bool, typer.Option("--keep", help="Keep its documents.")] = False,
    erase: Annotated[bool, typer.Option("--erase", help="Erase its documents.")] = False,
    yes: Yes = False,
    url: Url = None,
    key: Key = None,
) -> None:
    """Remove a connection, and keep or erase its documents.

    Example: remem connections remove 01a1e39c-ec7c-7627-906b-d2408dbeea43 --keep
    """
    if keep == erase:
        fail("Give --keep or --erase, for the documents of the connection.", MISUSED)
    connection = request(url, key, "GET", _path(id))
    action = f"erase its {connection['items']} documents" if erase else "keep its documents"
    confirm(f"Remove {connection['account']} and {action}?", yes)
    documents = "erase" if erase else "keep"
    request(url, key, "DELETE", _path(id), params={"documents": documents})
    say(f"Removed: {connection['account']}.")


def _path(id: str) -> str:
    return f"/v3/connections/{quote(id, safe='')}"
