"""`remem instructions`: sentences that your assistants get at the start of every session."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from remem.surfaces.cli.context import InProject, Json, Key, Url, request, run_with_client
from remem.surfaces.cli.ids import SHORT, shown_id
from remem.surfaces.cli.output import fail, print_item, print_json, print_table, say

if TYPE_CHECKING:
    from remem.client import AsyncRemem

instructions = typer.Typer(help="Standing instructions: pin, list, change, remove.")

PATH = "/v3/instructions"
Id = Annotated[str, typer.Argument(help="Its id, or the last 8 digits of it.")]
Sentence = Annotated[str, typer.Argument(help="One sentence, up to 300 characters.")]


@instructions.command("list")
def list_all(
    project: InProject = None, url: Url = None, key: Key = None, as_json: Json = False
) -> None:
    """List your standing instructions; with a project, those that apply in it.

    Example: remem instructions list
    """
    reply = request(url, key, "GET", PATH, params={"project": project})
    if as_json:
        print_json(reply)
        return
    rows = [
        (shown_id(item["id"]), item["project"] or "everywhere", item["content"])
        for item in reply["instructions"]
    ]
    print_table(["id", "where", "instruction"], rows, "No standing instructions.")


@instructions.command()
def add(
    sentence: Sentence,
    project: InProject = None,
    url: Url = None,
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Pin a sentence, in a project or everywhere. At most 20 apply at once.

    Example: remem instructions add "Answer in British English."
    """
    body = {"content": sentence, "project": project}
    print_item(request(url, key, "POST", PATH, json=body), as_json)


@instructions.command()
def edit(
    id: Id, sentence: Sentence, url: Url = None, key: Key = None, as_json: Json = False
) -> None:
    """Change a standing instruction.

    Example: remem instructions edit 0f3a9c2b "Answer in one paragraph."
    """
    print_item(_send(url, key, "PATCH", id, json={"content": sentence}), as_json)


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
