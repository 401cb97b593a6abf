"""Turn a draft into a parsed document: extract the text, clean and describe it."""

import asyncio
import re
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from remem.core.analysis import analyse
from remem.core.chunking.front_matter import body_start
from remem.core.content_kinds import BINARY_TYPES, PLAIN_TYPES
from remem.core.documents.encoded import decode_file, media_type_of
from remem.core.documents.model import Draft, ParsedDocument
from remem.core.enrich.model import SUMMARY_LIMIT, Enrichment
from remem.core.enrich.rules import HEAD_LIMIT, enrich
from remem.core.errors import Unreadable
from remem.core.ports import Extracted, Original, Ports
from remem.core.scope import Scope
from remem.core.text import TITLE_LIMIT, clean, content_hash, shorten, title_of, unique_tags
from remem.core.validate import TAG_LIMIT, TAGS_LIMIT

_TAG = re.compile("<[^<>]*+>")
_TOO_SLOW = "Reading it took too long; its words were kept, without tags."


async def understand(ports: Ports, scope: Scope, draft: Draft) -> ParsedDocument:
    """Parse a draft. Raise Unreadable when it contains no text."""
    if draft.extracted:
        extracted = draft.extracted
    elif draft.original is None and draft.content_type in PLAIN_TYPES:
        extracted = Extracted(clean(draft.content), draft.content_type or "text")
    else:
        extracted = await _read_now(ports, scope, draft)
    return await describe(ports, draft, extracted)


async def _read_now(ports: Ports, scope: Scope, draft: Draft) -> Extracted:
    """Extract the text. Text that takes too long to parse is stored without its structure."""
    is_text = draft.content_type not in BINARY_TYPES and not draft.content.startswith("data:")
    try:
        async with draft_as_file(draft) as original:
            owner = str(scope.tenant_id)
            return await ports.extractor.extract(original, owner=owner, waits=is_text)
    except Unreadable as error:
        if error.code != "too_slow" or not is_text or draft.original:
            raise
    text = clean(_TAG.sub(" ", draft.content))
    return Extracted(text, draft.content_type or "text", cut=_TOO_SLOW)


async def describe(ports: Ports, draft: Draft, extracted: Extracted) -> ParsedDocument:
    """The parsed document, with as much of the enrichment as was done in time."""
    content = extracted.content
    if not content.strip():
        raise Unreadable("No text was found in it, so there is nothing to search.")
    # Text without a recognised format has the type that the sender gave.
    claimed = draft.content_type if extracted.content_type == "text" else None
    content_type = claimed or extracted.content_type
    fields = {"name": draft.original.name if draft.original else None, **extracted.found}
    enrichment = await analyse(
        ports,
        _basic_enrichment(content),
        enrich,
        content[:HEAD_LIMIT],
        content_type,
        draft.title,
        fields,
    )
    metadata = {**_known_metadata(extracted, enrichment), **draft.metadata}
    return ParsedDocument(
        content=content,
        hash=content_hash(content),
        content_type=content_type,
        title=shorten(draft.title or enrichment.title, TITLE_LIMIT),
        summary=enrichment.summary,
        metadata=metadata,
        tags=_tags(draft, enrichment),
        marks=extracted.marks,
    )


def _tags(draft: Draft, enrichment: Enrichment) -> list[str]:
    """The tags given by the sender and by the front matter; without any, those of the text."""
    own_tags = [tag[:TAG_LIMIT] for tag in enrichment.own_tags]
    return unique_tags([*draft.tags, *own_tags] or enrichment.tags)[:TAGS_LIMIT]


def _basic_enrichment(content: str) -> Enrichment:
    """A title and summary from the beginning of the text alone."""
    start = body_start(content)
    head = content[start : start + 2 * SUMMARY_LIMIT]
    return Enrichment(title_of(head), shorten(" ".join(head.split()), SUMMARY_LIMIT))


def _known_metadata(extracted: Extracted, enrichment: Any) -> dict[str, Any]:
    """The metadata found in the file and its text; absent values are left out."""
    fields = {key: value for key, value in extracted.found.items() if key != "title"}
    values = {
        "author": enrichment.author,
        "published_at": enrichment.published_at,
        "language": enrichment.language,
        "category": enrichment.category,
        "code_language": enrichment.code_language,
        "cut": extracted.cut,
    }
    return {**fields, **{key: value for key, value in values.items() if value}}


@asynccontextmanager
async def draft_as_file(draft: Draft) -> AsyncIterator[Original]:
    """The draft as a file: its original, or its text written to a file for the extractor."""
    if draft.original:
        yield replace(draft.original, claim=draft.original.claim or draft.content_type)
        return
    data = decode_file(draft)
    claim = media_type_of(draft, data) if data else draft.content_type
    with tempfile.TemporaryDirectory(prefix="remem-") as folder:
        path = Path(folder) / "content"
        await asyncio.to_thread(path.write_bytes, data or draft.content.encode())
        # A title such as `steps.py` shows the type, as a file name would.
        yield Original(path, draft.title, claim, draft.source_url)
