"""Google Drive files: export formats, conversion to items, and Google's rate limits."""

import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

import httpx2

from remem.adapters.connectors.http import PAUSE
from remem.core.connectors.errors import AskedTooOften
from remem.core.connectors.model import SeenItem
from remem.core.items import Item
from remem.core.time import now

FILE_FIELDS = (
    "id,name,mimeType,md5Checksum,modifiedTime,createdTime,size,trashed,parents,webViewLink,"
    "shortcutDetails"
)
GOOGLE = "application/vnd.google-apps."
FOLDER, SHORTCUT, DOCUMENT = f"{GOOGLE}folder", f"{GOOGLE}shortcut", f"{GOOGLE}document"
OFFICE = "application/vnd.openxmlformats-officedocument."
# The format that each of Google's own types is exported as, with its file suffix.
EXPORTS = {
    DOCUMENT: ("text/markdown", ".md"),
    f"{GOOGLE}spreadsheet": (f"{OFFICE}spreadsheetml.sheet", ".xlsx"),
    f"{GOOGLE}presentation": (f"{OFFICE}presentationml.presentation", ".pptx"),
}
# Pictures embedded in the markdown of an exported document.
PICTURES = re.compile(
    r"!\[[^\[\]]*\]\(data:image/[^()]*\)|^\[[^\[\]\n]+\]:[ \t]*+<?data:image/\S*$", re.MULTILINE
)
# A longer document is stored as a file.
TEXT_CHARS = 400_000
PAUSES = {
    "userRateLimitExceeded": PAUSE,
    "rateLimitExceeded": PAUSE,
    "sharingRateLimitExceeded": PAUSE,
    "dailyLimitExceeded": timedelta(hours=1),
}


def without_pictures(text: str) -> str:
    return PICTURES.sub("", text)


def check_quota(reply: httpx2.Response) -> httpx2.Response:
    """Return the reply, or raise AskedTooOften for a 403 that reports an exceeded rate limit."""
    if reply.status_code != 403:
        return reply
    try:
        reasons = [str(error.get("reason")) for error in reply.json()["error"]["errors"]]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return reply
    for reason in reasons:
        if reason in PAUSES:
            raise AskedTooOften(now() + PAUSES[reason])
    return reply


def seen_file(file: Mapping[str, Any], reference: str | None = None) -> SeenItem:
    # With the time, because content that is restored is another revision.
    revision = f"{file.get('md5Checksum', '')} {file.get('modifiedTime', '')}".strip()
    return SeenItem(reference or file["id"], revision, path=file["name"])


def document(entry: Mapping[str, Any], **content: Any) -> Item:
    created = entry.get("createdTime")
    return Item(
        kind="document",
        reference=entry["id"],
        url=entry.get("webViewLink"),
        created_at=datetime.fromisoformat(created) if created else None,
        metadata={"mime_type": entry["mimeType"]},
        **content,
    )
