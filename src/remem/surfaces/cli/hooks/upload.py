"""Save one conversation of a coding agent, once: under its own source URL, in its project."""

import hashlib
import json
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from remem.surfaces.cli.hooks.project import FolderProject, folder_project
from remem.surfaces.cli.hooks.repository_project import ensure_project, existing_slug
from remem.surfaces.cli.hooks.transcript import Turn

if TYPE_CHECKING:
    from remem.client import AsyncRemem

# The scheme of the source URLs of saved sessions.
SESSION = "session:"
TITLE_LIMIT = 120
PRIVATE_PATH = "[left out: it names a path that is never saved]"


@dataclass(frozen=True, slots=True)
class Conversation:
    """`remote` is the address of its repository, if the transcript names it."""

    client: str
    id: str
    folder: str
    turns: Sequence[Turn]
    remote: str | None = None

    @property
    def source_url(self) -> str:
        return f"{SESSION}{self.client}/{self.id}"

    @property
    def project(self) -> FolderProject:
        return folder_project(self.folder, self.remote)

    @property
    def as_json(self) -> str:
        return json.dumps({"messages": [asdict(turn) for turn in self.turns]}, ensure_ascii=False)

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.as_json.encode(errors="replace")).hexdigest()[:32]


def savable(conversation: Conversation) -> Conversation | None:
    """What may be saved of it; None if nothing may, or if nobody was answered."""
    settings = conversation.project.settings
    if settings.is_never_saved(conversation.folder):
        return None
    turns = [
        replace(turn, content=PRIVATE_PATH) if settings.names_private_path(turn.content) else turn
        for turn in conversation.turns
    ]
    is_answered = {turn.role for turn in turns} == {"user", "assistant"}
    return replace(conversation, turns=turns) if is_answered else None


async def is_saved(remem: "AsyncRemem", conversation: Conversation) -> bool:
    """Whether all of it is saved already, in its own project."""
    slug = conversation.project.slug
    if await existing_slug(remem, conversation.project) != slug:
        return False
    target = await remem.projects.get(slug)
    return any(
        document["project_id"] == target["id"]
        and document["metadata"].get("digest") == conversation.digest
        for document in await _saved_documents(remem, conversation.source_url)
    )


async def upload(
    remem: "AsyncRemem", conversation: Conversation, name: str = "session.json"
) -> dict[str, Any]:
    """Save it; what was added since the last time becomes a new version."""
    slug = conversation.project.slug
    await ensure_project(remem, conversation.project)
    target = await remem.projects.get(slug)
    for document in await _saved_documents(remem, conversation.source_url):
        if document["project_id"] != target["id"]:
            # Older versions put it into another project.
            body = {"project_id": target["id"]}
            await remem.request("PATCH", f"/v3/documents/{document['id']}", json=body)
    return await _send(remem, conversation, slug, name)


async def _send(
    remem: "AsyncRemem", conversation: Conversation, project: str, name: str
) -> dict[str, Any]:
    turns = conversation.turns
    title = next(turn.content for turn in turns if turn.role == "user").split("\n")[0]
    with tempfile.TemporaryDirectory(prefix="remem-") as folder:
        file = Path(folder) / name
        file.write_text(conversation.as_json, encoding="utf-8")
        return await remem.upload(
            file,
            source_url=conversation.source_url,
            project=project,
            title=title[:TITLE_LIMIT],
            tags=["session", conversation.client],
            metadata={
                "session_id": conversation.id,
                "client": conversation.client,
                "digest": conversation.digest,
            },
        )


async def _saved_documents(remem: "AsyncRemem", source_url: str) -> list[dict[str, Any]]:
    page = await remem.request("GET", "/v3/documents", params={"source_url": source_url})
    # A server that does not know the parameter lists all documents.
    return [document for document in page["documents"] if document["source_url"] == source_url]
