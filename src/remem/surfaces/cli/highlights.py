"""`remem highlights`: list, add and remove highlights of documents."""

from typing import Annotated, Any

import typer

from remem.surfaces.cli.context import (
    Call,
    InProject,
    Key,
    Limit,
    Url,
    run_with_client,
)
from remem.surfaces.cli.ids import full_id, full_path, shown_id
from remem.surfaces.cli.options import Tags
from remem.surfaces.cli.output import say

highlights = typer.Typer(help="Highlights: passages of documents that you marked, and notes.")

Document = Annotated[str, typer.Argument(help="The document's id, or the last 8 digits of it.")]


@highlights.command("list")
def list_all(
    call: Call,
    document: Annotated[
        str | None, typer.Option("--document", help="Only those of this document.")
    ] = None,
    project: InProject = None,
    tag: Tags = None,
    limit: Limit = 20,
) -> None:
    """List highlights, newest first, or those of one document in the order of its text.

    Examples: remem highlights list · remem highlights list --document ID
    """
    if document:
        reply = _send(call.url, call.key, "GET", document)
    else:
        query = {"project": project, "tags": tag, "limit": limit}
        reply = call.request("GET", "/v3/highlights", params=query)
    rows = [
        (shown_id(item["id"]), shown_id(item["document_id"]), item["quote"], item["note"] or "")
        for item in reply["highlights"]
    ]
    call.print_table(reply, ["id", "document", "highlight", "note"], rows, "No highlights.")


@highlights.command()
def add(
    call: Call,
    document: Document,
    quote: Annotated[str, typer.Argument(help="Words of the document.")],
    note: Annotated[str | None, typer.Option(help="What you think about them.")] = None,
) -> None:
    """Mark words of a document.

    Example: remem highlights add ID "the glaze melts at 1,240 degrees" --note "Cone 6"
    """
    item = _send(call.url, call.key, "POST", document, json={"quote": quote, "note": note})
    call.say(item, f"Marked: {item['quote']} ({item['id']})")


@highlights.command()
def remove(
    document: Document,
    id: Annotated[str, typer.Argument(help="The highlight's id.")],
    url: Url = None,
    key: Key = None,
) -> None:
    """Remove a highlight. `remem memories restore` brings it back.

    Example: remem highlights remove ID HIGHLIGHT
    """

    async def send(remem: Any) -> None:
        path = await full_path(remem, f"/v3/documents/{document}/highlights")
        await remem.request("DELETE", f"{path}/{await full_id(remem, id, 'memory')}")

    run_with_client(url, key, send)
    say("Removed.")


def _send(url: str | None, key: str | None, method: str, document: str, **options: Any) -> Any:
    async def send(remem: Any) -> Any:
        path = await full_path(remem, f"/v3/documents/{document}/highlights")
        return await remem.request(method, path, **options)

    return run_with_client(url, key, send)
