"""`remem memories`: add, change, merge, forget and restore memories."""

from enum import StrEnum
from typing import Annotated, Any

import typer

from remem.surfaces.cli.command import shell_command
from remem.surfaces.cli.context import (
    Call,
    InProject,
    Key,
    Url,
    Yes,
    drop_unset,
    request,
    run_with_client,
)
from remem.surfaces.cli.ids import full_id, full_path, shown_id
from remem.surfaces.cli.memories import Id, memories, memory_path, print_memory
from remem.surfaces.cli.options import Category, Tags
from remem.surfaces.cli.output import (
    MISUSED,
    NOTHING_FOUND,
    confirm,
    fail,
    print_json,
    print_table,
    say,
)
from remem.surfaces.cli.reading import content_of
from remem.surfaces.cli.times import Due, due_at
from remem.surfaces.duplicate_notes import duplicate_note

changes = typer.Typer()
memories.add_typer(changes)


class Verdict(StrEnum):
    ACCEPT = "accept"
    DECLINE = "decline"


@changes.command()
def add(
    call: Call,
    content: Annotated[
        list[str] | None, typer.Argument(help="One statement; `-` or nothing reads standard input.")
    ] = None,
    category: Category = None,
    project: InProject = None,
    title: Annotated[str | None, typer.Option(help="A title.")] = None,
    tag: Tags = None,
    due: Due = None,
) -> None:
    """Add a memory. Memories that it replaces stop being current; duplicates are saved once.

    Example: remem memories add "We deploy on Fridays" --category decision
    """
    body = {
        "content": content_of(content, "remem memories add"),
        "category": category,
        "project": project,
        "title": title,
        "tags": tag,
        "dueAt": due_at(due),
        "source": "cli",
    }
    saved = call.request("POST", "/api/memories", json=body)
    if call.as_json:
        print_json(saved)
        return
    print_saved_memory(saved)


def print_saved_memory(saved: dict[str, Any]) -> None:
    labels = {"saved": "Saved", "updated": "Updated", "extended": "Extended"}
    note = f"; {changes}" if (changes := duplicate_note(saved)) else ""
    say(f"{labels.get(saved['status'], 'Known already')}: {saved['id']}{note}")


@changes.command()
def edit(
    call: Call,
    id: Id,
    content: Annotated[str | None, typer.Option(help="New text; creates a version.")] = None,
    title: Annotated[str | None, typer.Option(help="A new title.")] = None,
    category: Category = None,
    project: InProject = None,
    tag: Tags = None,
    due: Due = None,
) -> None:
    """Change the given fields.

    Example: remem memories edit ID --content "We deploy on Mondays"
    """
    body = {
        "content": content,
        "title": title,
        "category": category,
        "project": project,
        "tags": tag,
        "dueAt": due_at(due),
    }
    if all(value in (None, []) for value in body.values()):
        fail("Nothing to change; give --content, --title, --category, --project or --tag.", MISUSED)
    print_memory(call.request("PUT", memory_path(id), json=body), call.as_json)


@changes.command()
def forget(
    ids: Annotated[list[str] | None, typer.Argument(help="Ids of memories.")] = None,
    about: Annotated[
        str | None, typer.Option(help="Forget memories about this, after showing them.")
    ] = None,
    hard: Annotated[bool, typer.Option("--hard", help="Erase permanently.")] = False,
    project: InProject = None,
    yes: Yes = False,
    url: Url = None,
    key: Key = None,
) -> None:
    """Forget memories. You can restore them, unless you erase them with --hard.

    Examples: remem memories forget ID · remem memories forget --about "my old address"
    """
    if bool(ids) == bool(about) or (about and hard):
        fail("Give ids, or --about (without --hard).", MISUSED)
    if about:
        _forget_about(about, project, yes, url, key)
        return
    memory_ids = list(ids or [])
    if hard:
        confirm(f"Erase {len(memory_ids)} permanently?", yes)

    async def forget_all(remem: Any) -> None:
        for id in memory_ids:
            await remem.request(
                "DELETE", await full_path(remem, memory_path(id)), params={"hard": hard}
            )

    run_with_client(url, key, forget_all)
    say(f"{'Erased' if hard else 'Forgotten'}: {len(memory_ids)}.")


def _forget_about(
    about: str, project: str | None, yes: bool, url: str | None, key: str | None
) -> None:
    body = {"query": about, "container": project}
    path = "/v1/memories/forget"
    preview = request(url, key, "POST", path, json={**body, "dry_run": True})
    rows = [
        (shown_id(memory["id"]), f"{memory['similarity']:.2f}", memory["content"])
        for memory in preview["memories"]
    ]
    if not rows:
        fail("No memory matches that.", NOTHING_FOUND)
    print_table(["id", "similarity", "memory"], rows, "")
    confirm(f"Forget these {len(rows)}? Each can be restored.", yes, undoable=True)
    result = request(url, key, "POST", path, json={**body, "dry_run": False})
    say(f"Forgotten: {result['forgotten']}. `{shell_command()} memories restore ID` restores one.")


@changes.command()
def merge(
    call: Call,
    ids: Annotated[list[str], typer.Argument(help="Ids of memories of one project.")],
    content: Annotated[
        str | None, typer.Option(help="The text of the merged memory; generated if absent.")
    ] = None,
) -> None:
    """Merge several memories into one; the others stay as its history.

    Example: remem memories merge ID ID --content "We deploy on Mondays, from Oslo"
    """

    async def send(remem: Any) -> dict[str, Any]:
        body = {"ids": [await full_id(remem, id, "memory") for id in ids], "content": content}
        return await remem.request("POST", memory_path("merge"), json=drop_unset(body))

    print_memory(call.run(send), call.as_json)


@changes.command()
def restore(call: Call, id: Id) -> None:
    """Restore a forgotten memory, or make an old version the newest.

    Example: remem memories restore ID
    """
    restored = call.request("POST", memory_path(id, "/restore"))
    call.say(restored, f"Restored: {restored['id']}")


@changes.command()
def derive(call: Call, id: Id) -> None:
    """Split a memory into atomic facts, and show what is due.

    Example: remem memories derive ID
    """
    reply = call.request("POST", memory_path(id, "/derive"))
    rows = [(shown_id(fact["id"]), fact["category"], fact["content"]) for fact in reply["facts"]]
    call.print_table(
        reply, ["id", "category", "fact"], rows, "It states one fact and stays as it is."
    )


@changes.command()
def review(
    call: Call, id: Id, verdict: Annotated[Verdict, typer.Argument(help="Your decision.")]
) -> None:
    """Accept or decline an inferred memory; a declined one is not inferred again.

    Example: remem memories review ID accept
    """
    body = {"review": verdict.value}
    print_memory(call.request("POST", memory_path(id, "/lifecycle"), json=body), call.as_json)
