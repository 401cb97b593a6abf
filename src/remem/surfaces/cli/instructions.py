"""`remem instructions`: sentences that your assistants get at the start of every session."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from remem.surfaces.cli.context import Call, InProject, Key, Url, run_with_client
from remem.surfaces.cli.ids import SHORT, shown_id
from remem.surfaces.cli.output import fail, print_item, say

if TYPE_CHECKING:
    from remem.client import AsyncRemem

instructions = typer.Typer(help="Standing instructions: pin, list, change, remove.")

PATH = "/v3/instructions"
Id = Annotated[str, typer.Argument(help="Its id, or the last 8 digits of it.")]
Sentence = Annotated[str, typer.Argument(help="One sentence, up to 300 characters.")]


@instructions.command("list")
def list_all(call: Call, project: InProject = None) -> None:
    """List your standing instructions; with a project, those that apply in it.

    Example: remem instructions list
    """
    reply = call.request("GET", PATH, params={"project": project})
    rows = [
        (shown_id(item["id"]), item["project"] or "everywhere", item["content"])
        for item in reply["instructions"]
    ]
    call.print_table(reply, ["id", "where", "instruction"], rows, "No standing instructions.")


@instructions.command()
def add(call: Call, sentence: Sentence, project: InProject = None) -> None:
    """Pin a sentence, in a project or everywhere. At most 20 apply at once.

    Example: remem instructions add "Answer in British English."
    """
    body = {"content": sentence, "project": project}
    print_item(call.request("POST", PATH, json=body), call.as_json)


@instructions.command()
def edit(call: Call, id: Id, sentence: Sentence) -> None:
    """Change a standing instruction.

    Example: remem instructions edit 0f3a9c2b "Answer in one paragraph."
    """
    print_item(_send(call.url, call.key, "PATCH", id, json={"content": sentence}), call.as_json)


@instructions.command()
def remove(id: Id, url: Url = None, key: Key = None) -> None:
    """Remove a standing instruction.

    Example: remem instructions remove 0f3a9c2b
    """
    _send(url, key, "DELETE", id)
    say("Removed.")


def _send(url: str | None, key: str | None, method: str, id: str, **options: Any) -> Any:
    """Send a request about the instruction with this id, or with an id that ends so."""

    async def work(remem: "AsyncRemem") -> Any:
        listed = (await remem.request("GET", PATH))["instructions"]
        ids = [item["id"] for item in listed if item["id"].endswith(id.lower())]
        if len(ids) != 1 or len(id) < SHORT:
            fail(f"There is no standing instruction {id}; `remem instructions list` shows them.")
        return await remem.request(method, f"{PATH}/{ids[0]}", **options)

    return run_with_client(url, key, work)
