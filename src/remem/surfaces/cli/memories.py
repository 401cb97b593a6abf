"""`remem memories`: atomic statements, listed, found, said, changed, forgotten, brought back."""

from enum import StrEnum
from typing import Annotated, Any
from urllib.parse import quote

import typer

from remem.surfaces.cli.context import (
    Cursor,
    InProject,
    Json,
    Key,
    Limit,
    Url,
    Yes,
    ask,
    request,
)
from remem.surfaces.cli.options import AsOf, Category, Mode, Tags
from remem.surfaces.cli.output import (
    MISUSED,
    NOTHING_FOUND,
    confirm,
    fail,
    print_fields,
    print_json,
    print_table,
    say,
    short,
)
from remem.surfaces.cli.reading import content_of

memories = typer.Typer(help="Atomic statements: list, find, say, change, forget, bring back.")

Id = Annotated[str, typer.Argument(help="The memory's id.")]


class Verdict(StrEnum):
    ACCEPT = "accept"
    DECLINE = "decline"


@memories.command("list")
def list_all(
    project: InProject = None,
    category: Category = None,
    tag: Tags = None,
    state: Annotated[
        str | None, typer.Option(help="`active`, `quarantined` or `superseded`.")
    ] = None,
    as_of: AsOf = None,
    limit: Limit = 20,
    cursor: Cursor = None,
    url: Url = None,
    key: Key = None,
    as_json: Json = False,
) -> None:
    """List current memories, newest first.

    Example: remem memories list --category decision --project work
    """
    params = {
        "project": project,
        "category": category,
        "tags": tag,
        "state": state,
        "as_of": as_of,
        "limit": limit,
        "cursor": cursor,
    }
    _print_page(request(url, key, "GET", "/api/memories", params=params), as_json)


@memories.command()
def search(
    query: Annotated[str, typer.Argument(help="What to look for, in your own words.")],
    project: InProject = None,
    category: Category = None,
    mode: Annotated[Mode, typer.Option(help="How hard to look.")] = Mode.BALANCED,
    as_of: AsOf = None,
    limit: Limit = 10,
    url: Url = None,
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Find memories, the most relevant first. Exits with 3 when nothing is found.

    Example: remem memories search "which database do we use?"
    """
    params = {
        "query": query,
        "project": project,
        "category": category,
        "mode": mode.value,
        "as_of": as_of,
        "limit": limit,
    }
    found = request(url, key, "GET", "/api/memories/search-index", params=params)
    if as_json:
        print_json(found)
    else:
        rows = [
            (hit["id"], f"{hit['score']:.2f}", hit["category"], hit["snippet"])
            for hit in found["hits"]
        ]
        print_table(["id", "score", "category", "memory"], rows, "Nothing found.")
    if not found["hits"]:
        raise typer.Exit(NOTHING_FOUND)


@memories.command()
def get(id: Id, url: Url = None, key: Key = None, as_json: Json = False) -> None:
    """Show one memory, or a version of one.

    Example: remem memories get 01a1dd39-8350-7322-b10a-b46b274adaea
    """
    _print_one(request(url, key, "GET", _path(id)), as_json)


@memories.command()
def add(
    content: Annotated[
        list[str] | None, typer.Argument(help="One statement; `-` or nothing reads standard input.")
    ] = None,
    category: Category = None,
    project: InProject = None,
    title: Annotated[str | None, typer.Option(help="A title.")] = None,
    tag: Tags = None,
    due: Annotated[str | None, typer.Option(help="When it is to be done by, ISO 8601.")] = None,
    url: Url = None,
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Say one statement. Known ones it replaces stop being current; the same twice is kept once.

    Example: remem memories add "We deploy on Fridays" --category decision
    """
    body = {
        "content": content_of(content, "remem memories add"),
        "category": category,
        "project": project,
        "title": title,
        "tags": tag,
        "dueAt": due,
        "source": "cli",
    }
    saved = request(url, key, "POST", "/api/memories", json=body)
    if as_json:
        print_json(saved)
        return
    words = {"saved": "Saved", "updated": "Updated", "extended": "Extended"}
    say(f"{words.get(saved['status'], 'Known already')}: {saved['id']}")


@memories.command()
def edit(
    id: Id,
    content: Annotated[str | None, typer.Option(help="Other words; makes a version.")] = None,
    title: Annotated[str | None, typer.Option(help="Another title.")] = None,
    category: Category = None,
    project: InProject = None,
    tag: Tags = None,
    due: Annotated[str | None, typer.Option(help="When it is to be done by, ISO 8601.")] = None,
    url: Url = None,
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Change what is given and leave the rest.

    Example: remem memories edit ID --content "We deploy on Mondays"
    """
    body = {
        "content": content,
        "title": title,
        "category": category,
        "project": project,
        "tags": tag,
        "dueAt": due,
    }
    if all(value in (None, []) for value in body.values()):
        fail("Nothing to change; give --content, --title, --category, --project or --tag.", MISUSED)
    _print_one(request(url, key, "PUT", _path(id), json=body), as_json)


@memories.command()
def forget(
    ids: Annotated[list[str] | None, typer.Argument(help="Ids of memories.")] = None,
    about: Annotated[
        str | None, typer.Option(help="Forget what means this, after showing it.")
    ] = None,
    hard: Annotated[bool, typer.Option("--hard", help="Erase for good.")] = False,
    project: InProject = None,
    yes: Yes = False,
    url: Url = None,
    key: Key = None,
) -> None:
    """Forget memories; they can be restored, unless they are erased with --hard.

    Examples: remem memories forget ID · remem memories forget --about "my old address"
    """
    if bool(ids) == bool(about) or (about and hard):
        fail("Name ids, or say --about (without --hard).", MISUSED)
    if about:
        _forget_about(about, project, yes, url, key)
        return
    named = list(ids or [])
    if hard:
        confirm(f"Erase {len(named)} for good?", yes)

    async def each(remem: Any) -> None:
        for id in named:
            await remem.request("DELETE", _path(id), params={"hard": hard})

    ask(url, key, each)
    say(f"{'Erased' if hard else 'Forgotten'}: {len(named)}.")


def _forget_about(
    about: str, project: str | None, yes: bool, url: str | None, key: str | None
) -> None:
    body = {"query": about, "container": project}
    path = "/v1/memories/forget"
    meant = request(url, key, "POST", path, json={**body, "dry_run": True})
    rows = [(one["id"], f"{one['similarity']:.2f}", one["content"]) for one in meant["memories"]]
    if not rows:
        fail("No memory means that.", NOTHING_FOUND)
    print_table(["id", "similarity", "memory"], rows, "")
    confirm(f"Forget these {len(rows)}?", yes)
    done = request(url, key, "POST", path, json={**body, "dry_run": False})
    say(f"Forgotten: {done['forgotten']}.")


@memories.command()
def history(id: Id, url: Url = None, key: Key = None, as_json: Json = False) -> None:
    """Show every version of a memory, oldest first, and what was done to it.

    Example: remem memories history ID
    """
    found = request(url, key, "GET", _path(id, "/history"))
    if as_json:
        print_json(found)
        return
    versions = [
        (one["version"], short(one["createdAt"]), one["state"], one["id"], one["content"])
        for one in found["versions"]
    ]
    print_table(["version", "when", "state", "id", "memory"], versions, "No versions.")
    events = [(short(one["createdAt"]), one["type"], one["actor"]) for one in found["events"]]
    print_table(["when", "what", "who"], events, "No events.")


@memories.command()
def restore(id: Id, url: Url = None, key: Key = None, as_json: Json = False) -> None:
    """Bring back a forgotten memory, or say an old version again as the newest.

    Example: remem memories restore ID
    """
    found = request(url, key, "POST", _path(id, "/restore"))
    if as_json:
        print_json(found)
    else:
        say(f"Restored: {found['id']}")


@memories.command()
def timeline(
    project: InProject = None,
    category: Category = None,
    since: Annotated[str | None, typer.Option(help="From this moment, ISO 8601.")] = None,
    until: Annotated[str | None, typer.Option(help="Up to this moment, ISO 8601.")] = None,
    limit: Limit = 20,
    cursor: Cursor = None,
    url: Url = None,
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Show what happened, last first.

    Example: remem memories timeline --since 2026-11-01
    """
    params = {
        "project": project,
        "category": category,
        "since": since,
        "until": until,
        "limit": limit,
        "cursor": cursor,
    }
    _print_page(request(url, key, "GET", "/api/memories/timeline", params=params), as_json)


@memories.command()
def due(
    project: InProject = None,
    overdue: Annotated[bool, typer.Option("--overdue", help="What is past it too.")] = False,
    limit: Limit = 20,
    url: Url = None,
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Show what is due, the next first.

    Example: remem memories due --overdue
    """
    params = {"project": project, "overdue": overdue, "limit": limit}
    found = request(url, key, "GET", "/api/memories/foresight/active", params=params)
    if as_json:
        print_json(found)
        return
    rows = [(one["id"], short(one["dueAt"]), one["content"]) for one in found["memories"]]
    print_table(["id", "due", "memory"], rows, "Nothing is due.")


@memories.command()
def related(
    id: Id,
    depth: Annotated[int, typer.Option(min=1, max=3, help="How many links away.")] = 1,
    url: Url = None,
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Show what a memory is linked to, nearest first.

    Example: remem memories related ID --depth 2
    """
    path = f"/v1/memories/{quote(id, safe='')}/related"
    found = request(url, key, "GET", path, params={"depth": depth})
    if as_json:
        print_json(found)
        return
    rows = [(one["id"], one["relationship"], one["content"]) for one in found["related"]]
    print_table(["id", "relation", "memory"], rows, "It is linked to nothing.")


@memories.command()
def derive(id: Id, url: Url = None, key: Key = None, as_json: Json = False) -> None:
    """Take a memory apart into atomic facts, and tell what is due.

    Example: remem memories derive ID
    """
    found = request(url, key, "POST", _path(id, "/derive"))
    if as_json:
        print_json(found)
        return
    rows = [(one["id"], one["category"], one["content"]) for one in found["facts"]]
    print_table(["id", "category", "fact"], rows, "It says one thing and stays one.")


@memories.command()
def review(
    id: Id,
    verdict: Annotated[Verdict, typer.Argument(help="Whether what was inferred holds.")],
    url: Url = None,
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Accept or decline what was inferred; what is declined is not inferred again.

    Example: remem memories review ID accept
    """
    body = {"review": verdict.value}
    _print_one(request(url, key, "POST", _path(id, "/lifecycle"), json=body), as_json)


def _path(id: str, below: str = "") -> str:
    return f"/api/memories/{quote(id, safe='')}{below}"


def _print_page(page: dict[str, Any], as_json: bool) -> None:
    if as_json:
        print_json(page)
        return
    rows = [
        (one["id"], short(one["occurredAt"] or one["createdAt"]), one["category"], one["content"])
        for one in page["memories"]
    ]
    print_table(["id", "when", "category", "memory"], rows, "No memories here.")


def _print_one(memory: dict[str, Any], as_json: bool) -> None:
    if as_json:
        print_json(memory)
        return
    say(memory["content"], style="bold")
    shown = (
        "id title category project tags state quality confidence version supersedesId occurredAt"
        " validUntil dueAt source documentId createdAt updatedAt"
    )
    print_fields({name: memory[name] for name in shown.split()})
