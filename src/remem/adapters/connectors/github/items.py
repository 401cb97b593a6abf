"""Convert files and issues of a repository to items."""

import base64
import binascii
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import quote

from remem.adapters.connectors.github.files import is_document
from remem.core.connectors.model import SeenItem
from remem.core.errors import Unavailable
from remem.core.items import Item, ItemTurn, LeftOut

MARKDOWN = (".md", ".mdx", ".markdown")
# Same number as the characters that a text may have.
FILE_BYTES = 500_000


def seen_file(repository: str, path: str, sha: str) -> SeenItem:
    return SeenItem(f"{repository}:file:{path}", sha, path=f"{repository}/{path}")


def seen_issue(repository: str, issue: Mapping[str, Any]) -> SeenItem:
    number = issue["number"]
    return SeenItem(f"{repository}:issue:{number}", issue["updated_at"], f"{repository}#{number}")


def file_item(
    repository: str, name: str, reference: str, blob: Mapping[str, Any], folder: Path
) -> Item | LeftOut:
    if blob["size"] > FILE_BYTES:
        return LeftOut("document", reference, "it is larger than 500 kB")
    if not blob["size"]:
        return LeftOut("document", reference, "it is empty")
    data = _content(blob)
    item = Item(
        kind="document",
        reference=reference,
        title=PurePosixPath(name).name,
        url=f"https://github.com/{repository}/blob/HEAD/{quote(name)}",
        metadata={"repository": repository, "path": name},
    )
    if is_document(name):
        kind = "markdown" if name.lower().endswith(MARKDOWN) else "text"
        return replace(item, content=data.decode("utf-8-sig", "replace"), content_type=kind)
    file = folder / "code"
    file.write_bytes(data)
    return replace(item, file=file, index_only=True)


def _content(blob: Mapping[str, Any]) -> bytes:
    try:
        return base64.b64decode(blob["content"])
    except (binascii.Error, ValueError) as error:
        raise Unavailable("GitHub gave a file that is not base64; it is tried again.") from error


def talk_item(
    repository: str,
    number: int,
    reference: str,
    issue: Mapping[str, Any],
    comments: Sequence[Mapping[str, Any]],
) -> Item:
    turns = [_turn(issue), *map(_turn, sorted(comments, key=lambda comment: comment["created_at"]))]
    return Item(
        kind="talk",
        reference=reference,
        title=f"{issue['title']} ({repository}#{number})",
        url=issue["html_url"],
        turns=tuple(turn for turn in turns if turn.text.strip()),
        tags=tuple(str(label["name"]) for label in issue["labels"] if isinstance(label, dict)),
        created_at=datetime.fromisoformat(issue["created_at"]),
        metadata={"repository": repository, "number": number, "state": issue["state"]},
    )


def _turn(comment: Mapping[str, Any]) -> ItemTurn:
    user = comment.get("user") or {}
    at = datetime.fromisoformat(comment["created_at"])
    return ItemTurn(str(user.get("login") or "ghost"), str(comment.get("body") or ""), at)
