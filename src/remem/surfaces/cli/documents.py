"""`remem documents`: list, read, change, download and delete documents."""

import sys
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import quote

import typer

from remem.surfaces.cli.command import shell_command
from remem.surfaces.cli.context import (
    Call,
    Cursor,
    InProject,
    Key,
    Limit,
    Url,
    Yes,
    run_with_client,
)
from remem.surfaces.cli.files import atomic_file
from remem.surfaces.cli.ids import full_id, full_path, shown_id
from remem.surfaces.cli.options import Tags
from remem.surfaces.cli.output import (
    FAILED,
    MISUSED,
    NOT_DONE,
    confirm,
    fail,
    print_fields,
    print_json,
    print_table,
    say,
    to_minute,
)
from remem.surfaces.cli.times import Since, Until, period
from remem.surfaces.cli.waiting import wait_until_processed, why_not_done

documents = typer.Typer(help="Documents: list, read, change, download, delete.")

Id = Annotated[str, typer.Argument(help="The document's id, or the last 8 digits of it.")]


@documents.command("list")
def list_all(
    call: Call,
    project: InProject = None,
    status: Annotated[
        str | None,
        typer.Option(help="Only documents with this status: `done`, `failed`, `queued`, …"),
    ] = None,
    tag: Tags = None,
    unread: Annotated[bool, typer.Option("--unread", help="Only what is unread.")] = False,
    favourite: Annotated[bool, typer.Option("--favourite", help="Only favourites.")] = False,
    archived: Annotated[
        bool, typer.Option("--archived", help="Only what is archived, which is left out else.")
    ] = False,
    since: Since = None,
    until: Until = None,
    limit: Limit = 20,
    cursor: Cursor = None,
) -> None:
    """List documents, newest first.

    Examples: remem documents list --unread · remem documents list --status failed ·
    remem documents list --since yesterday
    """
    since, until = period(since, until)
    flags = {"unread": unread, "favourite": favourite, "archived": archived}
    body = {
        "container": project,
        "status": status,
        "tags": tag,
        "flags": [flag for flag, is_asked in flags.items() if is_asked],
        "created_after": since,
        "created_before": until,
        "limit": limit,
        "cursor": cursor,
    }
    page = call.request("POST", "/v1/documents/list", json=body)
    if call.as_json:
        print_json(page)
    else:
        _print_documents(page["documents"])


def _print_documents(documents: list[dict[str, Any]]) -> None:
    rows = [
        (
            shown_id(document["id"]),
            to_minute(document["created_at"]),
            document["status"],
            document["content_type"],
            document["title"],
        )
        for document in documents
    ]
    print_table(["id", "saved", "status", "type", "title"], rows, "No documents here.")


@documents.command()
def get(
    call: Call,
    id: Id,
    text: Annotated[bool, typer.Option("--text", help="Print its text and nothing else.")] = False,
) -> None:
    """Show a document with its text.

    Examples: remem documents get ID · remem documents get ID --text | less
    """
    document = call.request("GET", _path(id))
    if call.as_json:
        print_json(document)
        return
    if not text:
        _describe(document)
        say("")
    sys.stdout.write(document["content"].rstrip("\n") + "\n")


@documents.command()
def status(call: Call, id: Id) -> None:
    """Show the progress of a document. Exits with 1 if it failed.

    Example: remem documents status ID
    """
    document = call.request("GET", f"/v1/documents/{quote(id, safe='')}")
    call.print_fields(
        document,
        {name: document[name] for name in ("status", "title", "error_message", "updated_at")},
    )
    if document["status"] == "failed":
        raise typer.Exit(FAILED)


@documents.command()
def versions(call: Call, id: Id) -> None:
    """List the versions of a document.

    Example: remem documents versions ID
    """
    document_versions = call.request("GET", _path(id), params={"include_versions": True})[
        "versions"
    ]
    rows = [
        (
            version["version"],
            to_minute(version["created_at"]),
            version["is_latest"],
            shown_id(version["id"]),
            version["title"],
        )
        for version in document_versions
    ]
    call.print_table(
        document_versions, ["version", "when", "latest", "id", "title"], rows, "No versions."
    )


@documents.command()
def related(call: Call, id: Id, limit: Limit = 10) -> None:
    """List similar documents, nearest first.

    Example: remem documents related ID
    """
    if limit > 50:
        fail("--limit: at most 50 here.", MISUSED)
    reply = call.request("GET", _path(id, "/related"), params={"limit": limit})
    rows = [
        (shown_id(document["id"]), f"{document['score']:.2f}", document["title"])
        for document in reply["related"]
    ]
    call.print_table(reply, ["id", "score", "title"], rows, "Nothing is similar.")


@documents.command()
def edit(
    call: Call,
    id: Id,
    title: Annotated[str | None, typer.Option(help="A new title.")] = None,
    tag: Tags = None,
    project: InProject = None,
    content: Annotated[
        str | None, typer.Option(help="New text; creates a version. `-` reads standard input.")
    ] = None,
    forget_after: Annotated[
        str | None, typer.Option(help="When to delete it, ISO 8601; `never` keeps it.")
    ] = None,
    mine: Annotated[
        bool | None,
        typer.Option("--mine/--not-mine", help='Whether "my" in it, and in its memories, is you.'),
    ] = None,
) -> None:
    """Change the given fields.

    Examples: remem documents edit ID --title Minutes --tag work · remem documents edit ID --mine
    """
    if content == "-":
        content = sys.stdin.buffer.read().decode("utf-8", errors="replace")
    body: dict[str, Any] = {"title": title, "tags": tag, "project": project, "content": content}
    body["mine"] = mine
    body = {name: value for name, value in body.items() if value not in (None, [])}
    if forget_after:
        body["forget_after"] = None if forget_after == "never" else forget_after
    if not body:
        fail("Nothing to change; give --title, --tag, --project, --content …", MISUSED)

    async def change(remem: Any) -> dict[str, Any]:
        return await remem.request("PATCH", await full_path(remem, _path(id)), json=body)

    changed = call.run(change)
    call.say(changed, f"Changed: {changed['title']} ({changed['id']})")


@documents.command()
def mark(
    ids: Annotated[list[str], typer.Argument(help="Ids of documents.")],
    unread: Annotated[
        bool | None, typer.Option("--unread/--read", help="Whether it is to be read.")
    ] = None,
    favourite: Annotated[
        bool | None, typer.Option("--favourite/--not-favourite", help="Whether it is a favourite.")
    ] = None,
    archived: Annotated[
        bool | None, typer.Option("--archive/--unarchive", help="Whether lists leave it out.")
    ] = None,
    url: Url = None,
    key: Key = None,
) -> None:
    """Mark documents as unread, favourite or archived, for yourself only.

    Examples: remem documents mark ID --read --favourite · remem documents mark ID --archive
    """
    flags = {"unread": unread, "favourite": favourite, "archived": archived}
    body = {flag: value for flag, value in flags.items() if value is not None}
    if not body:
        fail("Nothing to mark; give --read, --favourite, --archive …", MISUSED)

    async def mark_all(remem: Any) -> None:
        for id in ids:
            await remem.request("PATCH", await full_path(remem, _path(id)), json=body)

    run_with_client(url, key, mark_all)
    say(f"Marked: {len(ids)}.")


@documents.command()
def retry(call: Call, id: Id) -> None:
    """Retry a document that failed or is stuck, and wait for it.

    Example: remem documents retry ID
    """

    async def retry_and_wait(remem: Any) -> dict[str, Any]:
        document_id = await full_id(remem, id, "document")
        await remem.request("POST", _path(document_id, "/retry"))
        return await wait_until_processed(remem, str(document_id))

    document = call.run(retry_and_wait)
    if call.as_json:
        print_json(document)
    elif document["status"] == "done":
        say(f"Done: {document['title']} ({document['id']})")
    if document["status"] == "failed":
        fail(document["error_message"])
    if document["status"] != "done":
        fail(why_not_done(document), NOT_DONE)


@documents.command()
def download(
    id: Id,
    file: Annotated[
        Path | None, typer.Argument(help="The file to write; `-` is standard output.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")] = False,
    url: Url = None,
    key: Key = None,
) -> None:
    """Download the original file.

    Examples: remem documents download ID report.pdf · remem documents download ID - | less
    """
    target = file or Path(quote(id, safe=""))
    if str(target) != "-" and target.exists() and not force:
        fail(f"{target} exists already; choose another name, or pass --force.", MISUSED)

    async def fetch(remem: Any) -> int:
        blocks = remem.documents.original(await full_id(remem, id, "document"))
        if str(target) == "-":
            return await _write(blocks, sys.stdout.buffer)
        with atomic_file(target) as open_file:
            return await _write(blocks, open_file)

    size = run_with_client(url, key, fetch)
    if str(target) != "-":
        say(f"{size:,} bytes in {target}.")


async def _write(blocks: Any, target: Any) -> int:
    size = 0
    async for block in blocks:
        size += len(block)
        target.write(block)
    target.flush()
    return size


@documents.command()
def delete(
    ids: Annotated[list[str], typer.Argument(help="Ids of documents.")],
    permanently: Annotated[
        bool, typer.Option("--permanently", help="Erase them at once, without the trash.")
    ] = False,
    yes: Yes = False,
    url: Url = None,
    key: Key = None,
) -> None:
    """Move documents, with everything derived from them, to the trash for 30 days.

    Example: remem documents delete ID
    """
    question = f"Erase {len(ids)} permanently, with versions, chunks and memories?"
    if permanently:
        confirm(question, yes)

    async def delete_all(remem: Any) -> None:
        for id in ids:
            path = await full_path(remem, _path(id))
            await remem.request("DELETE", path, params={} if permanently else {"undo": True})

    run_with_client(url, key, delete_all)
    if permanently:
        say(f"Erased: {len(ids)}.")
    else:
        say(f"In the trash: {len(ids)}. `{shell_command()} trash restore ID` restores one.")


def _path(id: str, suffix: str = "") -> str:
    return f"/v3/documents/{quote(id, safe='')}{suffix}"


def _describe(document: dict[str, Any]) -> None:
    say(document["title"], style="bold")
    names = "id status error content_type source_url version summary created_at forget_after"
    print_fields({name: document[name] for name in names.split()})
