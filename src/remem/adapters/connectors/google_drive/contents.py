"""The content of Google Drive files: Google's own types are exported, others downloaded."""

from pathlib import Path
from typing import Any

from remem.adapters.connectors.google_drive.api import DriveApi
from remem.adapters.connectors.google_drive.files import (
    DOCUMENT,
    EXPORTS,
    TEXT_CHARS,
    document,
    without_pictures,
)
from remem.core.connectors.model import Access
from remem.core.errors import TooLarge, Unavailable
from remem.core.items import Item, LeftOut


async def export_file(
    api: DriveApi, access: Access, file: dict[str, Any], folder: Path
) -> Item | LeftOut | None:
    media_type, suffix = EXPORTS[file["mimeType"]]
    target = folder / f"exported{suffix}"
    path = f"/drive/v3/files/{file['id']}/export"
    reply = await api.get(access, path, {"mimeType": media_type}, target)
    if reply.status_code == 403:
        reason = "Google exports at most 10 MB of it, or it may not be exported"
        return LeftOut("document", file["id"], reason)
    if reply.status_code == 404:
        return None
    if reply.status_code != 200:
        raise Unavailable(f"Google Drive answers {reply.status_code}; it is tried again.")
    if file["mimeType"] != DOCUMENT:
        return document(file, title=f"{file['name']}{suffix}", file=target)
    text = without_pictures(target.read_bytes().decode("utf-8-sig", "replace"))
    if not text.strip():
        return LeftOut("document", file["id"], "it is empty")
    if len(text) <= TEXT_CHARS:
        return document(file, title=file["name"], content=text, content_type="markdown")
    target.write_text(text, encoding="utf-8")
    return document(file, title=f"{file['name']}.md", file=target)


async def download_file(
    api: DriveApi, access: Access, file: dict[str, Any], folder: Path
) -> Item | LeftOut | None:
    size = int(file.get("size") or 0)
    if size > api.max_bytes:
        raise TooLarge(f"it is larger than {api.max_bytes / 1e6:,.0f} MB")
    if not size:
        return LeftOut("document", file["id"], "it is empty")
    target = folder / "file"
    params = {"alt": "media", "supportsAllDrives": "true"}
    reply = await api.get(access, f"/drive/v3/files/{file['id']}", params, target)
    if reply.status_code == 403:
        return LeftOut("document", file["id"], "its owner does not let it be downloaded")
    if reply.status_code == 404:
        return None
    if reply.status_code != 200:
        raise Unavailable(f"Google Drive answers {reply.status_code}; it is tried again.")
    return document(file, title=file["name"], file=target)
