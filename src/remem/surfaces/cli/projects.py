"""`remem projects`: manage projects."""

from typing import Annotated
from urllib.parse import quote

import typer

from remem.surfaces.cli.backfill.move import by_repository
from remem.surfaces.cli.context import Call, Key, Url, Yes, request
from remem.surfaces.cli.output import (
    MISUSED,
    confirm,
    fail,
    print_item,
    say,
)

projects = typer.Typer(help="Projects: list, create, change, archive, delete.")

Ref = Annotated[str, typer.Argument(help="A project by id, slug, path or name.")]
About = Annotated[str | None, typer.Option(help="The purpose of the project.")]


@projects.command("list")
def list_all(call: Call) -> None:
    """List every project with its counts.

    Example: remem projects list
    """
    existing = call.request("GET", "/v3/projects")["projects"]
    rows = [
        (project["slug"], project["document_count"], project["name"], project["id"])
        for project in existing
    ]
    call.print_table(existing, ["slug", "documents", "name", "id"], rows, "No projects.")


@projects.command()
def get(call: Call, ref: Ref) -> None:
    """Show one project.

    Example: remem projects get work.notes
    """
    print_item(call.request("GET", _path(ref)), call.as_json)


@projects.command()
def add(
    call: Call,
    name: Annotated[str, typer.Argument(help="Its name.")],
    slug: Annotated[str | None, typer.Option(help="A dotted path, such as work.notes.")] = None,
    description: About = None,
) -> None:
    """Create a project, and the missing parents of its path.

    Example: remem projects add Notes --slug work.notes
    """
    body = {"name": name, "slug": slug, "description": description}
    print_item(call.request("POST", "/v3/projects", json=body), call.as_json)


@projects.command()
def edit(
    call: Call,
    ref: Ref,
    name: Annotated[str | None, typer.Option(help="A new name.")] = None,
    description: About = None,
) -> None:
    """Change a project's name or description.

    Example: remem projects edit work.notes --name "Notes from work"
    """
    if name is None and description is None:
        fail("Nothing to change; give --name or --description.", MISUSED)
    body = {"name": name, "description": description}
    print_item(call.request("PATCH", _path(ref), json=body), call.as_json)


@projects.command()
def archive(call: Call, ref: Ref, yes: Yes = False) -> None:
    """Move everything in a project to its parent and mark it archived.

    Example: remem projects archive work.notes
    """
    confirm(f"Move everything in {ref} to its parent?", yes)
    path = f"/v1/containers/{quote(ref, safe='')}/archive"
    result = call.request("POST", path)
    call.say(
        result,
        f"Moved to {result['archived_to']}: {result['documents_moved']} documents,"
        f" {result['memories_moved']} memories.",
    )


@projects.command()
def delete(
    ref: Ref,
    recursive: Annotated[bool, typer.Option("--recursive", help="Also its subprojects.")] = False,
    yes: Yes = False,
    url: Url = None,
    key: Key = None,
) -> None:
    """Erase a project and everything in it. This cannot be undone.

    Example: remem projects delete work.notes
    """
    project = request(url, key, "GET", _path(ref))
    confirm(f"Erase {project['name']} with {project['document_count']} documents permanently?", yes)
    request(url, key, "DELETE", _path(project["id"]), params={"recursive": recursive})
    say(f"Erased: {project['name']}.")


projects.command("by-repository")(by_repository)


def _path(ref: str) -> str:
    return f"/v3/projects/{quote(ref, safe='')}"
