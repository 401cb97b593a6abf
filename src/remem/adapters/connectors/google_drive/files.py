"""Files of Google Drive: which are exported, what they are here, and Google's pauses."""

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
# What Google's own kinds are exported as, and the ending of such a file.
EXPORTS = {
    DOCUMENT: ("text/markdown", ".md"),
    f"{GOOGLE}spreadsheet": (f"{OFFICE}spreadsheetml.sheet", ".xlsx"),
    f"{GOOGLE}presentation": (f"{OFFICE}presentationml.presentation", ".pptx"),
}
# Pictures inside the text of a document, as it is exported.
PICTURES = re.compile(
    r"!\[[^\[\]]*\]\(data:image/[^()]*\)|^\[[^\[\]\n]+\]:[ \t]*+<?data:image/\S*$", re.MULTILINE
)
# A longer document is kept as a file.
TEXT_CHARS = 400_000
PAUSES = {
    "userRateLimitExceeded": PAUSE,
    "rateLimitExceeded": PAUSE,
    "sharingRateLimitExceeded": PAUSE,
    "dailyLimitExceeded": timedelta(hours=1),
}


def without_pictures(text: str) -> str:
    return PICTURES.sub("", text)


def within_quota(reply: httpx2.Response) -> httpx2.Response:
    """Google says by a 403 too that it was asked too often."""
    if reply.status_code != 403:
        return reply
    try:
        reasons = [str(one.get("reason")) for one in reply.json()["error"]["errors"]]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return reply
    for reason in reasons:
        if reason in PAUSES:
            raise AskedTooOften(now() + PAUSES[reason])
    return reply


def seen_file(file: Mapping[str, Any], reference: str | None = None) -> SeenItem:
    # The time too: a content that comes back is another revision.
    revision = f"{file.get('md5Checksum', '')} {file.get('modifiedTime', '')}".strip()
    return SeenItem(reference or file["id"], revision, path=file["name"])


def document(found: Mapping[str, Any], **content: Any) -> Item:
    created = found.get("createdTime")
    return Item(
        kind="document",
        reference=found["id"],
        url=found.get("webViewLink"),
        created_at=datetime.fromisoformat(created) if created else None,
        metadata={"mime_type": found["mimeType"]},
        **content,
    )
