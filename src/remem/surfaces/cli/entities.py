"""`remem entities`: people and things, renamed, merged and split, with undo."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from remem.surfaces.cli.context import Call, InProject, Key, Url, run_with_client
from remem.surfaces.cli.ids import SHORT, shown_id
from remem.surfaces.cli.output import fail, say

if TYPE_CHECKING:
    from remem.client import AsyncRemem

entities = typer.Typer(help="People and things: rename, merge and split them.")

PATH, CHANGES = "/v3/entities", "/v3/entity-changes"
LIST_LIMIT = 500
Words = Annotated[str | None, typer.Argument(help="A part of a name.")]
Entity = Annotated[str, typer.Argument(help="Its id, the last 8 digits of it, or its exact name.")]
Others = Annotated[list[str], typer.Argument(help="Those that are merged into it.")]
NewName = Annotated[str, typer.Argument(help="The new name.")]
Spellings = Annotated[
    list[str] | None, typer.Option("--spelling", help="An alias that means the new one; repeat it.")
]
MemoryIds = Annotated[
    list[str] | None, typer.Option("--memory", help="A memory that mentions it; repeat it.")
]
Change = Annotated[str, typer.Argument(help="The id of a change, or the last 8 digits of it.")]


@entities.command("list")
def list_all(call: Call, words: Words = None, project: InProject = None) -> None:
    """List the people and things that memories mention, the most mentioned first.

    Example: remem entities list miller
    """
    given = {"query": words, "project": project}
    params = {name: value for name, value in given.items() if value}
    reply = call.request("GET", PATH, params=params)
    rows = [
        (
            shown_id(item["id"]),
            item["name"],
            item["type"],
            ", ".join(item["aliases"]),
            item["project"],
            str(item["mention_count"]),
        )
        for item in reply["entities"]
    ]
    headers = ["id", "name", "type", "also", "project", "memories"]
    call.print_table(reply, headers, rows, "No memory mentions such a name.")


@entities.command()
def rename(entity: Entity, name: NewName, url: Url = None, key: Key = None) -> None:
    """Give a person or thing another name; the old one means it from now on, too.

    Example: remem entities rename "Elizabeth Bennet" Lizzy
    """

    async def work(remem: "AsyncRemem") -> Any:
        [id] = await _ids(remem, [entity])
        return await remem.request("PATCH", f"{PATH}/{id}", json={"name": name})

    _say_changed(run_with_client(url, key, work))


@entities.command()
def merge(entity: Entity, others: Others, url: Url = None, key: Key = None) -> None:
    """Merge others into a person or thing: all their names mean it from now on.

    Example: remem entities merge "Robert Miller" "Bobby Miller"
    """

    async def work(remem: "AsyncRemem") -> Any:
        id, *merged = await _ids(remem, [entity, *others])
        body = {"entity_ids": merged}
        return await remem.request("POST", f"{PATH}/{id}/merge", json=body)

    _say_changed(run_with_client(url, key, work))


@entities.command()
def split(
    entity: Entity,
    name: NewName,
    spelling: Spellings = None,
    memory: MemoryIds = None,
    url: Url = None,
    key: Key = None,
) -> None:
    """Make a new person or thing of some aliases, or of some memories.

    Example: remem entities split "Robert Miller" "Bobby Miller" --spelling Bobby
    """

    async def work(remem: "AsyncRemem") -> Any:
        [id] = await _ids(remem, [entity])
        body = {"name": name, "spellings": spelling or [], "memory_ids": memory or []}
        return await remem.request("POST", f"{PATH}/{id}/split", json=body)

    _say_changed(run_with_client(url, key, work))


@entities.command()
def changes(call: Call) -> None:
    """List what was renamed, merged and split, the newest first.

    Example: remem entities changes
    """
    reply = call.request("GET", CHANGES)
    rows = [
        (
            shown_id(item["id"]),
            item["kind"],
            item["summary"],
            item["created_at"],
            item["undone_at"] or "",
        )
        for item in reply["changes"]
    ]
    call.print_table(reply, ["id", "change", "what", "when", "undone"], rows, "No changes.")


@entities.command()
def undo(change: Change, url: Url = None, key: Key = None) -> None:
    """Undo a change.

    Example: remem entities undo 0f3a9c2b
    """

    async def work(remem: "AsyncRemem") -> Any:
        listed = (await remem.request("GET", CHANGES, params={"limit": 100}))["changes"]
        ids = [item["id"] for item in listed if item["id"].endswith(change.lower())]
        if len(ids) != 1 or len(change) < SHORT:
            fail(f"There is no change {change}; `remem entities changes` shows them.")
        return await remem.request("POST", f"{CHANGES}/{ids[0]}/undo")

    run_with_client(url, key, work)
    say("Undone.")


async def _ids(remem: "AsyncRemem", named: list[str]) -> list[str]:
    """The ids of what was named by an id, its end, or a name."""
    listed = (await remem.request("GET", PATH, params={"limit": LIST_LIMIT}))["entities"]
    return [_id_of(name, listed) for name in named]


def _id_of(name: str, listed: list[dict[str, Any]]) -> str:
    by_name = [item["id"] for item in listed if item["name"].casefold() == name.casefold()]
    by_id = [item["id"] for item in listed if item["id"].endswith(name.lower())]
    found = by_name or (by_id if len(name) >= SHORT else [])
    if len(found) != 1:
        problem = "several" if found else "nothing"
        fail(f"There is {problem} named {name}; `remem entities list` shows ids.")
    return found[0]


def _say_changed(changed: dict[str, Any]) -> None:
    say(f"{changed['name']}: {changed['mention_count']} memories.")
    say(f"Undo it with `remem entities undo {shown_id(changed['change_id'])}`.")
