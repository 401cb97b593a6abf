"""`remem trash`: list, restore or erase what was deleted."""

from typing import Annotated, Any

import typer

from remem.surfaces.cli.context import Call, Key, Url, Yes, request, run_with_client
from remem.surfaces.cli.ids import shown_id
from remem.surfaces.cli.output import (
    NOTHING_FOUND,
    confirm,
    fail,
    print_json,
    print_table,
    say,
    to_minute,
)

trash = typer.Typer(help="The trash: list, restore, or erase what was deleted.")


@trash.command("list")
def list_all(call: Call) -> None:
    """List deleted documents and forgotten memories, latest first.

    Example: remem trash list
    """
    reply = call.request("GET", "/v3/trash")
    if call.as_json:
        print_json(reply)
        return
    rows = [
        (shown_id(item["id"]), "document", to_minute(item["restorable_until"]), item["title"])
        for item in reply["documents"]
    ]
    rows += [(shown_id(item["id"]), "memory", "", item["content"]) for item in reply["memories"]]
    print_table(["id", "kind", "erased at", "what"], rows, "The trash is empty.")


@trash.command()
def restore(
    ids: Annotated[list[str], typer.Argument(help="Ids of deleted documents and memories.")],
    url: Url = None,
    key: Key = None,
) -> None:
    """Restore documents and memories.

    Example: remem trash restore ID
    """

    async def restore_all(remem: Any) -> None:
        items = await remem.request("GET", "/v3/trash", params={"limit": 1_000})
        for path in [_restore_path(items, id) for id in ids]:
            await remem.request("POST", path)

    run_with_client(url, key, restore_all)
    say(f"Restored: {len(ids)}.")


@trash.command()
def empty(yes: Yes = False, url: Url = None, key: Key = None) -> None:
    """Erase everything in the trash. This cannot be undone.

    Example: remem trash empty
    """
    items = request(url, key, "GET", "/v3/trash", params={"limit": 1_000})
    paths = [f"/v3/documents/{item['id']}" for item in items["documents"]]
    paths += [f"/api/memories/{item['id']}?hard=true" for item in items["memories"]]
    if not paths:
        say("The trash is empty.")
        return
    confirm(f"Erase {len(paths)} permanently?", yes)

    async def erase_all(remem: Any) -> None:
        for path in paths:
            await remem.request("DELETE", path)

    run_with_client(url, key, erase_all)
    say(f"Erased: {len(paths)}.")


def _restore_path(items: dict[str, Any], id: str) -> str:
    """The last digits are enough if they are those of one item."""
    documents = [f"/v3/documents/{item['id']}/restore" for item in items["documents"]]
    memories = [f"/api/memories/{item['id']}/restore" for item in items["memories"]]
    matching = [path for path in documents + memories if f"{id.lower()}/restore" in path]
    if len(matching) != 1:
        fail(f"{id} is {'not' if not matching else 'more than once'} in the trash.", NOTHING_FOUND)
    return matching[0]
