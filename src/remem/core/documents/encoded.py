"""Files that are sent in a text field as base64, with or without `data:`."""

import base64
import binascii
import mimetypes

from remem.core.content_kinds import BINARY_TYPES, PLAIN_TYPES
from remem.core.documents.model import Draft

_MIN_BYTES, _SIGNATURE_BYTES = 64, 12
_PREFIX, _MARK = "data:", ";base64,"
# How the types begin that a browser shows.
_SIGNATURES = {
    b"%PDF-": "application/pdf",
    b"\x89PNG": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
    b"GIF8": "image/gif",
    b"RIFF": "image/webp",
}
# TIFF pictures and Office files, which the extractor tells apart.
_OTHER_SIGNATURES = (b"II*\x00", b"MM\x00*", b"PK\x03\x04")
_START_CHARS = 16


def decode_file(draft: Draft) -> bytes | None:
    """The file that the content of a draft is the base64 of; None if it is a text."""
    if draft.original or draft.content_type in PLAIN_TYPES:
        return None
    is_url = draft.content.startswith(_PREFIX)
    may_be_file = is_url or draft.content_type in BINARY_TYPES
    if not may_be_file and (draft.content_type or not _starts_as_file(draft.content)):
        return None
    body = draft.content.partition(_MARK)[2] if is_url else draft.content
    try:
        # Encoders break lines, but a text of words is not base64 without its blanks.
        data = base64.b64decode("".join(map(str.strip, body.splitlines())), validate=True)
    except (binascii.Error, ValueError):
        return None
    return data if len(data) >= _MIN_BYTES else None


def _starts_as_file(content: str) -> bool:
    """Whether a text begins like the base64 of a file; the rest may still show that it is none."""
    try:
        start = base64.b64decode(content.lstrip()[:_START_CHARS], validate=True)
    except (binascii.Error, ValueError):
        return False
    return start.startswith((*_SIGNATURES, *_OTHER_SIGNATURES))


def content_type_of_file(draft: Draft) -> str | None:
    """The type of an unread file, if its first bytes say it."""
    if draft.original is None:
        return None
    with draft.original.path.open("rb") as file:
        start = file.read(_SIGNATURE_BYTES)
    media_type = next((type for mark, type in _SIGNATURES.items() if start.startswith(mark)), "")
    kind = media_type.partition("/")[0] if start[8:12] == b"WEBP" or start[:4] != b"RIFF" else ""
    return "pdf" if kind == "application" else kind or None


def media_type_of(draft: Draft, data: bytes) -> str | None:
    """The media type of a decoded file: from its `data:` URL, its first bytes or its type."""
    if draft.content.startswith(_PREFIX):
        return draft.content[len(_PREFIX) :].partition(_MARK)[0].partition(";")[0] or None
    for signature, media_type in _SIGNATURES.items():
        if data.startswith(signature) and (signature != b"RIFF" or data[8:12] == b"WEBP"):
            return media_type
    return mimetypes.guess_type(f"file.{draft.content_type}")[0] or draft.content_type
