"""The project of a folder on the server: found, created, or given its new slug."""

from typing import TYPE_CHECKING
from urllib.parse import quote

from remem.core.errors import RememError
from remem.surfaces.cli.hooks.project import FolderProject

if TYPE_CHECKING:
    from remem.client import AsyncRemem


async def existing_slug(remem: "AsyncRemem", project: FolderProject) -> str | None:
    """The slug under which the project exists: before its repository got a remote it had another
    one."""
    for slug in filter(None, (project.slug, project.local_slug)):
        if await _exists(remem, slug):
            return slug
    return None


async def ensure_project(remem: "AsyncRemem", project: FolderProject) -> None:
    slug = await existing_slug(remem, project)
    if slug is None:
        await _create(remem, project)
    elif slug != project.slug:
        await rename_to(remem, slug, project)


async def rename_to(remem: "AsyncRemem", ref: str, project: FolderProject) -> None:
    body = {"slug": project.slug, "name": project.name}
    if project.identity:
        body["description"] = _description(project)
    await remem.request("PATCH", f"/v3/projects/{quote(ref, safe='')}", json=body)


async def _create(remem: "AsyncRemem", project: FolderProject) -> None:
    body = {"name": project.name, "slug": project.slug}
    if project.identity:
        body["description"] = _description(project)
    try:
        await remem.request("POST", "/v3/projects", json=body)
    except RememError as error:
        if error.code != "conflict":
            raise


def _description(project: FolderProject) -> str:
    return f"The repository or folder {project.identity}"


async def _exists(remem: "AsyncRemem", slug: str) -> bool:
    from remem.client.failures import NotFound

    try:
        await remem.projects.get(slug)
    except NotFound:
        return False
    return True
