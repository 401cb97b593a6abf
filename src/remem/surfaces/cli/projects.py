"""`remem projects`: manage projects."""

from typing import Annotated
from urllib.parse import quote

import typer

from remem.surfaces.cli.backfill.move import by_repository
from remem.surfaces.cli.context import Json, Key, Url, Yes, request
from remem.surfaces.cli.output import (
    MISUSED,
    confirm,
    fail,
    print_item,
    print_json,
    print_table,
    say,
)

projects = typer.Typer(help="Projects: list, create, change, archive, delete.")

Ref = Annotated[str, typer.Argument(help="A project by id, slug, path or name.")]
About = Annotated[str | None, typer.Option(help="The purpose of the project.")]


@projects.command("list")
def list_all(url: Url = None, key: Key = None, as_json: Json = False) -> None:
    """List every project with its counts.

    Example: remem projects list
    """
    existing = request(url, key, "GET", "/v3/projects")["projects"]
    if as_json:
        print_json(existing)
        return
    rows = [
        (project["slug"], project["document_count"], project["name"], project["id"])
        for project in existing
    ]
    print_table(["slug", "documents", "name", "id"], rows, "No projects.")


@projects.command()
def get(ref: Ref, url: Url = None, key: Key = None, as_json: Json = False) -> None:
    """Show one project.

    Example: remem projects get work.notes
    """
    print_item(request(url, key, "GET", _path(ref)), as_json)


@projects.command()
def add(
    name: Annotated[str, typer.Argument(help="Its name.")],
    slug: Annotated[str | None, typer.Option(help="A dotted path, such as work.notes.")] = None,
    description: About = None,
    url: Url = None,
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Create a project, and the missing parents of its path.

    Example: remem projects add Notes --slug work.notes
    """
    body = {"name": name, "slug": slug, "description": description}
    print_item(request(url, key, "POST", "/v3/projects", json=body), as_json)


@projects.command()
def edit(
    ref: Ref,
    name: Annotated[str | None, typer.Option(help="A new name.")] = None,
    description: About = None,
    url: Url = None,
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Change a project's name or description.

    Example: remem projects edit work.notes --name "Notes from work"
    """
    if name is None and description is None:
        fail("Nothing to change; give --name or --description.", MISUSED)
    body = {"name": name, "description": description}
    print_item(request(url, key, "PATCH", _path(ref), json=body), as_json)


@projects.command()
def archive(
    ref: Ref, yes: Yes = False, url: Url = None, key: Key = None, as_json: Json = False
) -> None:
    """Move everything in a project to its parent and mark it archived.

    Example: remem projects archive work.notes
    """
    confirm(f"Move everything in {ref} to its parent?", yes)
    path = f"/v1/containers/{quote(ref, safe='')}/archive"
    result = request(url, key, "POST", path)
    if as_json:
        print_json(result)
        return
    say(
        f"Moved to {result['archived_to']}: {result['documents_moved']} documents,"
        f" {result['memories_moved']} memories."
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
