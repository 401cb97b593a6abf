"""From what was handed in to text that can be kept: extract, clean, describe."""

import asyncio
import base64
import binascii
import re
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from remem.core.analysis import analyse
from remem.core.documents.model import PLAIN_TYPES, Draft, ParsedDocument
from remem.core.enrich.model import SUMMARY_LIMIT, Enrichment
from remem.core.enrich.rules import HEAD_LIMIT, enrich
from remem.core.errors import Unreadable
from remem.core.ports import Extracted, Original, Ports
from remem.core.scope import Scope
from remem.core.text import TITLE_LIMIT, clean, content_hash, shorten, title_of, unique_tags

# Kinds that are bytes: as text they can only come in as base64.
_BYTES_TYPES = frozenset({"pdf", "image", "audio", "video", "docx", "xlsx", "pptx", "epub"})
_BASE64_MIN = 64
_TAG = re.compile("<[^<>]*+>")
_UNREAD = "Reading it took too long; its words were kept, without tags."


async def understand(ports: Ports, scope: Scope, draft: Draft) -> ParsedDocument:
    """Raise Unreadable when there is no text in it."""
    if draft.extracted:
        extracted = draft.extracted
    elif draft.original is None and draft.content_type in PLAIN_TYPES:
        extracted = Extracted(clean(draft.content), draft.content_type or "text")
    else:
        extracted = await _read_now(ports, scope, draft)
    return await describe(ports, draft, extracted)


async def _read_now(ports: Ports, scope: Scope, draft: Draft) -> Extracted:
    """Text that takes too long to read is kept without its structure, and found by word."""
    is_text = draft.content_type not in _BYTES_TYPES and not draft.content.startswith("data:")
    try:
        async with handed_in(draft) as original:
            owner = str(scope.tenant_id)
            return await ports.extractor.extract(original, owner=owner, waits=is_text)
    except Unreadable as error:
        if error.code != "too_slow" or not is_text or draft.original:
            raise
    text = clean(_TAG.sub(" ", draft.content))
    return Extracted(text, draft.content_type or "text", cut=_UNREAD)


async def describe(ports: Ports, draft: Draft, extracted: Extracted) -> ParsedDocument:
    """With what can be said of the text in time."""
    content = extracted.content
    if not content.strip():
        raise Unreadable("No text was found in it, so there is nothing to search.")
    # Text in which nothing else is recognised is what its sender says it is.
    claimed = draft.content_type if extracted.content_type == "text" else None
    content_type = claimed or extracted.content_type
    found = {"name": draft.original.name if draft.original else None, **extracted.found}
    said = await analyse(
        ports, _undescribed(content), enrich, content[:HEAD_LIMIT], content_type, draft.title, found
    )
    metadata = {**_known(extracted, said), **draft.metadata}
    return ParsedDocument(
        content=content,
        hash=content_hash(content),
        content_type=content_type,
        title=shorten(draft.title or said.title, TITLE_LIMIT),
        summary=said.summary,
        metadata=metadata,
        tags=unique_tags(draft.tags or said.tags),
        marks=extracted.marks,
    )


def _undescribed(content: str) -> Enrichment:
    """By its beginning alone."""
    head = content[: 2 * SUMMARY_LIMIT]
    return Enrichment(title_of(head), shorten(" ".join(head.split()), SUMMARY_LIMIT))


def _known(extracted: Extracted, said: Any) -> dict[str, Any]:
    """What the file and its text say of themselves; only what is there."""
    found = {key: value for key, value in extracted.found.items() if key != "title"}
    values = {
        "author": said.author,
        "published_at": said.published_at,
        "language": said.language,
        "category": said.category,
        "code_language": said.code_language,
        "cut": extracted.cut,
    }
    return {**found, **{key: value for key, value in values.items() if value}}


@asynccontextmanager
async def handed_in(draft: Draft) -> AsyncIterator[Original]:
    """The draft as a file: the one it came as, or its text written down for the extractor."""
    if draft.original:
        yield replace(draft.original, claim=draft.original.claim or draft.content_type)
        return
    with tempfile.TemporaryDirectory(prefix="remem-") as folder:
        path = Path(folder) / "content"
        await asyncio.to_thread(path.write_bytes, decoded(draft))
        # A title such as `steps.py` tells what it is, as a file name would.
        yield Original(path, draft.title, draft.content_type, draft.source_url)


def decoded(draft: Draft) -> bytes:
    """Text as bytes; a kind that is bytes may come as base64, with or without `data:`."""
    text = draft.content
    if draft.content_type in _BYTES_TYPES or text.startswith("data:"):
        body = text.partition(";base64,")[2] if text.startswith("data:") else text
        try:
            data = base64.b64decode("".join(body.split()), validate=True)
        except (binascii.Error, ValueError):
            return text.encode()
        return data if len(data) >= _BASE64_MIN else text.encode()
    return text.encode()
