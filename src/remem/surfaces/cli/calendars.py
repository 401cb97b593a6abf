"""`remem calendars`: secret addresses at which a calendar program reads what is due."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from remem.surfaces.cli.context import Call, InProject, Key, Url, run_with_client
from remem.surfaces.cli.ids import SHORT, shown_id
from remem.surfaces.cli.output import fail, print_item, say

if TYPE_CHECKING:
    from remem.client import AsyncRemem

calendars = typer.Typer(help="Calendars: subscribe to what is due.")

PATH = "/v3/calendars"
Id = Annotated[str, typer.Argument(help="Its id, or the last 8 digits of it.")]
Name = Annotated[str, typer.Argument(help="What the calendar program shows.")]


@calendars.command("list")
def list_all(call: Call) -> None:
    """List your calendars, and when each was last read.

    Example: remem calendars list
    """
    reply = call.request("GET", PATH)
    rows = [
        (
            shown_id(item["id"]),
            item["name"],
            item["project"] or "all",
            item["last_read_at"] or "never",
        )
        for item in reply["calendars"]
    ]
    call.print_table(reply, ["id", "name", "project", "last read"], rows, "No calendars.")


@calendars.command()
def add(call: Call, name: Name = "remem", project: InProject = None) -> None:
    """Make an address to subscribe to in a calendar program. It is shown once.

    Example: remem calendars add
    """
    print_item(call.request("POST", PATH, json={"name": name, "project": project}), call.as_json)


@calendars.command()
def revoke(id: Id, url: Url = None, key: Key = None) -> None:
    """Revoke a calendar: its address stops working at once.

    Example: remem calendars revoke 0f3a9c2b
    """

    async def work(remem: "AsyncRemem") -> Any:
        listed = (await remem.request("GET", PATH))["calendars"]
        ids = [item["id"] for item in listed if item["id"].endswith(id.lower())]
        if len(ids) != 1 or len(id) < SHORT:
            fail(f"There is no calendar {id}; `remem calendars list` shows them.")
        return await remem.request("DELETE", f"{PATH}/{ids[0]}")

    run_with_client(url, key, work)
    say("Revoked.")
