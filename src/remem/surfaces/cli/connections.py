"""`remem connections`: accounts and folders that are read again and again."""

from typing import Annotated, Any
from urllib.parse import quote
from uuid import UUID

import typer

from remem.surfaces.cli.connecting import (
    connector_named,
    fields_of,
    named_fields,
    print_connected,
    signed_in,
)
from remem.surfaces.cli.context import InProject, Json, Key, Url, Yes, request
from remem.surfaces.cli.output import (
    MISUSED,
    confirm,
    fail,
    print_fields,
    print_item,
    print_json,
    print_table,
    say,
    short,
)

connections = typer.Typer(help="Accounts and folders that are kept up to date here.")

PROBLEMS_SHOWN = 20
Value = Annotated[
    str | None,
    typer.Argument(help="Its path, address or token (@file reads it); asked for if absent."),
]
Choose = Annotated[list[str] | None, typer.Option("--choose", help="What to read there; repeat.")]
OtherFields = Annotated[
    list[str] | None,
    typer.Option("--field", help="Another field it takes, as name=value; repeat."),
]
Id = Annotated[str, typer.Argument(help="A connection by its id.")]


@connections.command("list")
def list_all(url: Url = None, key: Key = None, as_json: Json = False) -> None:
    """List your connections, and what each has.

    Example: remem connections list
    """
    found = request(url, key, "GET", "/v3/connections")["connections"]
    if as_json:
        print_json(found)
        return
    rows = [
        (
            one["id"],
            one["provider"],
            one["status"],
            one["items"],
            one["problems"],
            short(one["next_at"]),
            one["account"],
        )
        for one in found
    ]
    columns = ["id", "service", "status", "items", "skipped", "next sync", "account"]
    if any(one["usage"] for one in found):
        columns.append("today")
        rows = [(*row, _spent(one["usage"])) for row, one in zip(rows, found, strict=True)]
    print_table(columns, rows, "Nothing is connected; see `remem connections add --help`.")


def _spent(usage: dict[str, Any] | None) -> str | None:
    if usage is None:
        return None
    cost = f"about {usage['usd']:.2f} of {usage['most_usd']:.2f} USD"
    return f"{usage['reads']:,} of {usage['most_reads']:,} reads, {cost}"


@connections.command()
def add(
    provider: Annotated[str, typer.Argument(help="What to connect, such as `folder`.")],
    value: Value = None,
    choose: Choose = None,
    project: InProject = None,
    interval_s: Annotated[
        int | None, typer.Option("--interval", min=300, max=604_800, help="Seconds between syncs.")
    ] = None,
    field: OtherFields = None,
    sign_in: Annotated[
        bool, typer.Option("--sign-in", help="Sign in at the service, without a token.")
    ] = False,
    url: Url = None,
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Connect an account or a folder. A secret is asked for, so that no history keeps it.

    Example: remem connections add folder ~/Notes --project notes
    """
    body: dict[str, Any] = {"chosen": choose or [], "project": project, "interval_s": interval_s}
    connector = connector_named(url, key, provider)
    if sign_in:
        made = signed_in(url, key, connector, body | {"fields": named_fields(field)})
    else:
        body["fields"] = fields_of(connector, value, field)
        path = f"/v3/connectors/{quote(provider, safe='')}/connect"
        made = request(url, key, "POST", path, json=body)
    if as_json:
        print_json(made)
    else:
        print_connected(made)


@connections.command()
def show(id: Id, url: Url = None, key: Key = None, as_json: Json = False) -> None:
    """Show one connection with its last runs.

    Example: remem connections show 01a1e39c-ec7c-7627-906b-d2408dbeea43
    """
    found = request(url, key, "GET", _path(id))
    if as_json:
        print_json(found)
        return
    runs = found.pop("runs")
    found["today"] = _spent(found.pop("usage"))
    print_fields(found)
    columns = ["started", "outcome", "added", "updated", "deleted", "unchanged", "skipped"]
    rows = [(short(one["started_at"]), *(one[name] for name in columns[1:])) for one in runs]
    print_table(columns, rows, "It has not been synced yet.")
    if found["problems"]:
        _print_problems(url, key, id)


def _print_problems(url: str | None, key: str | None, id: str) -> None:
    params = {"problem": True, "limit": PROBLEMS_SHOWN}
    found = request(url, key, "GET", f"{_path(id)}/items", params=params)["items"]
    say("")
    rows = [(one["path"] or one["reference"], one["problem"]) for one in found]
    print_table(["skipped", "why"], rows, "")


@connections.command()
def choose(
    id: Id,
    references: Annotated[
        list[str] | None, typer.Argument(help="What to read; what can be chosen is listed if none.")
    ] = None,
    url: Url = None,
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Choose what is read there, in place of what was chosen before.

    Example: remem connections choose 01a1e39c-ec7c-7627-906b-d2408dbeea43 octo/notes
    """
    if references:
        print_item(request(url, key, "PATCH", _path(id), json={"chosen": references}), as_json)
        return
    found = request(url, key, "GET", f"{_path(id)}/resources")["resources"]
    if as_json:
        print_json(found)
        return
    rows = [(one["reference"], one["count"], one["name"]) for one in found]
    print_table(["reference", "items", "name"], rows, "There is nothing to choose.")


@connections.command()
def sync(
    id: Id,
    full: Annotated[bool, typer.Option("--full", help="List everything there again.")] = False,
    url: Url = None,
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Sync now.

    Example: remem connections sync 01a1e39c-ec7c-7627-906b-d2408dbeea43 --full
    """
    begun = request(url, key, "POST", f"{_path(id)}/sync", params={"full": full})
    if as_json:
        print_json(begun)
    else:
        say(f"Begun; see `remem connections show {id}`.")


@connections.command()
def pause(
    id: Id,
    resume: Annotated[bool, typer.Option("--resume", help="Go on instead.")] = False,
    url: Url = None,
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Stop syncing for now; `--resume` goes on.

    Example: remem connections pause 01a1e39c-ec7c-7627-906b-d2408dbeea43
    """
    print_item(request(url, key, "PATCH", _path(id), json={"paused": not resume}), as_json)


@connections.command()
def check(
    what: Annotated[str, typer.Argument(help="A connection by its id, or what to try to connect.")],
    value: Value = None,
    choose: Choose = None,
    field: OtherFields = None,
    url: Url = None,
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Read one page there and keep nothing, to see that it works.

    Example: remem connections check github --choose octo/notes
    """
    if _is_id(what):
        found = request(url, key, "POST", f"{_path(what)}/check")
    else:
        given = fields_of(connector_named(url, key, what), value, field)
        body = {"fields": given, "chosen": choose or []}
        found = request(url, key, "POST", f"/v3/connectors/{quote(what, safe='')}/check", json=body)
    if not as_json:
        found["resources"] = [resource["name"] for resource in found["resources"]]
        found["today"] = _spent(found.pop("usage"))
        if not found["seen"] and not choose and found["resources"] and not _is_id(what):
            found["seen"] = "nothing yet: choose what to read with --choose"
            del found["more"]
    print_item(found, as_json)


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
    """Print what an app of your own is made from, at a service that asks for one.

    Example: remem connections manifest slack
    """
    found = connector_named(url, key, provider)
    if not found["manifest"]:
        fail(f"{found['title']} is connected without a manifest.", MISUSED)
    say(found["manifest"].rstrip())


@connections.command()
def webhook(id: Id, url: Url = None, key: Key = None, as_json: Json = False) -> None:
    """Make an address that the service calls when something changed, so that a sync comes sooner.

    Example: remem connections webhook 01a1e39c-ec7c-7627-906b-d2408dbeea43
    """
    print_item(request(url, key, "POST", f"{_path(id)}/webhook"), as_json)


@connections.command()
def remove(
    id: Id,
    keep: Annotated[bool, typer.Option("--keep", help="Keep the documents it brought.")] = False,
    erase: Annotated[bool, typer.Option("--erase", help="Erase the documents it brought.")] = False,
    yes: Yes = False,
    url: Url = None,
    key: Key = None,
) -> None:
    """Remove a connection, and keep or erase what it brought.

    Example: remem connections remove 01a1e39c-ec7c-7627-906b-d2408dbeea43 --keep
    """
    if keep == erase:
        fail("Give --keep or --erase: what becomes of the documents it brought.", MISUSED)
    found = request(url, key, "GET", _path(id))
    what = f"erase its {found['items']} documents" if erase else "keep its documents"
    confirm(f"Remove {found['account']} and {what}?", yes)
    documents = "erase" if erase else "keep"
    request(url, key, "DELETE", _path(id), params={"documents": documents})
    say(f"Removed: {found['account']}.")


def _path(id: str) -> str:
    return f"/v3/connections/{quote(id, safe='')}"
