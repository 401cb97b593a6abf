"""`remem projects by-repository`: move what older versions saved under the name of a folder."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from remem.core.projects.model import fold
from remem.surfaces.cli.context import Call, Yes
from remem.surfaces.cli.hooks.project import FolderProject, folder_name_slug, folder_project
from remem.surfaces.cli.hooks.repository_project import ensure_project, rename_to
from remem.surfaces.cli.hooks.upload import SESSION
from remem.surfaces.cli.output import confirm, print_json, print_note, print_table, say

if TYPE_CHECKING:
    from remem.client import AsyncRemem

PAGE = 100


@dataclass
class Move:
    """From one project into that of a repository: all of it, or only these documents."""

    source: dict[str, Any]
    target: FolderProject
    is_rename: bool
    documents: list[str] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        return {
            "from": self.source["slug"],
            "to": self.target.slug,
            "repository": self.target.identity,
            "moves": "everything" if self.is_rename else "sessions",
            "documents": self.source["document_count"] if self.is_rename else len(self.documents),
            "memories": self.source["memory_count"] if self.is_rename else None,
        }


def by_repository(
    call: Call,
    folders: Annotated[
        list[Path] | None,
        typer.Argument(help="Folders whose sessions are no longer on this machine."),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would move.")] = False,
    yes: Yes = False,
) -> None:
    """Move sessions from projects named after a folder into the project of their repository. Shows
    what it would do, then asks.

    Examples: remem projects by-repository --dry-run · remem projects by-repository ~/code/web
    """
    places = _places(folders or [])
    moves = call.run(lambda remem: _plan(remem, places, folders or []))
    if call.as_json:
        print_json({"moves": [move.as_json() for move in moves], "dry_run": dry_run})
    else:
        _print_moves(moves)
    if dry_run or not moves:
        return
    confirm("Move them?", yes, undoable=True)
    call.run(lambda remem: _apply(remem, moves))
    if not call.as_json:
        say("Moved. Every session of these folders is saved in its new project from now on.")


def _places(folders: Iterable[Path]) -> dict[str, tuple[str, str | None]]:
    """The folder and remote of each known session, by its source URL."""
    from remem.surfaces.cli.backfill.find import past_sessions
    from remem.surfaces.cli.hooks.sessions import recorded_sessions
    from remem.surfaces.cli.install.clients import this_machine

    places: dict[str, tuple[str, str | None]] = {
        f"{SESSION}{past.client}/{past.id}": (past.folder, past.remote)
        for past in past_sessions(this_machine())
    }
    for recorded in recorded_sessions():
        places[f"{SESSION}{recorded.client}/{recorded.id}"] = (recorded.folder, None)
    return places


async def _plan(
    remem: "AsyncRemem", places: dict[str, tuple[str, str | None]], folders: list[Path]
) -> list[Move]:
    """Only projects that an older version named after the folder of a session: where a person put
    a session, it stays."""
    projects = {item["id"]: item for item in await remem.projects.list()}
    by_source: dict[str, dict[str, Move]] = defaultdict(dict)
    for document in await _session_documents(remem):
        place = places.get(document["source_url"])
        source = projects[document["project_id"]]
        if place is None or not _is_named_after(source, place[0]):
            continue
        target = _target(*place)
        if target is None:
            continue
        if target.slug != source["slug"] and not target.settings.is_off:
            move = by_source[source["slug"]].setdefault(target.slug, Move(source, target, False))
            move.documents.append(document["id"])
    for folder in map(str, folders):
        target = folder_project(folder)
        for source in projects.values():
            if _is_named_after(source, folder) and not by_source[source["slug"]]:
                by_source[source["slug"]][target.slug] = Move(source, target, False)
    taken = {item["slug"] for item in projects.values()}
    largest_first = sorted(by_source.values(), key=_size, reverse=True)
    return [move for moves in largest_first for move in _whole(list(moves.values()), taken)]


def _size(moves: dict[str, Move]) -> int:
    return max((move.source["document_count"] for move in moves.values()), default=0)


def _target(folder: str, remote: str | None) -> FolderProject | None:
    try:
        return folder_project(folder, remote)
    except ValueError as error:
        # Its settings cannot be read; they may say where it belongs.
        print_note(str(error))
        return None


def _is_named_after(project: dict[str, Any], folder: str) -> bool:
    return not project["is_default"] and fold(project["slug"]) == fold(folder_name_slug(folder))


def _whole(moves: list[Move], taken: set[str]) -> list[Move]:
    """A project of one repository keeps everything in it and gets its new slug."""
    for move in moves:
        is_new = move.target.slug not in taken and "." not in move.target.slug
        move.is_rename = len(moves) == 1 and is_new
        if move.is_rename:
            taken.add(move.target.slug)
    return [move for move in moves if move.is_rename or move.documents]


async def _session_documents(remem: "AsyncRemem") -> list[dict[str, Any]]:
    documents: list[dict[str, Any]] = []
    params: dict[str, Any] = {"tags": "session", "limit": PAGE}
    while True:
        page = await remem.request("GET", "/v3/documents", params=params)
        documents += page["documents"]
        if not page["next_cursor"]:
            return [item for item in documents if (item["source_url"] or "").startswith(SESSION)]
        params["cursor"] = page["next_cursor"]


async def _apply(remem: "AsyncRemem", moves: list[Move]) -> None:
    # A project is renamed before others move sessions into it.
    for move in sorted(moves, key=lambda move: not move.is_rename):
        if move.is_rename:
            await rename_to(remem, move.source["id"], move.target)
            continue
        await ensure_project(remem, move.target)
        for id in move.documents:
            body = {"project": move.target.slug}
            await remem.request("PATCH", f"/v3/documents/{id}", json=body)


def _print_moves(moves: list[Move]) -> None:
    rows = [
        (row["from"], row["to"], row["repository"], row["moves"], row["documents"])
        for row in map(Move.as_json, moves)
    ]
    columns = ["from", "to", "repository", "moves", "documents"]
    print_table(columns, rows, "Nothing to move: no project is named after a folder.")
