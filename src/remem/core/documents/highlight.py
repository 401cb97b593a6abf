"""Mark passages of a document, and list what was marked."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from remem.core.analysis import analyse
from remem.core.blobs.save import find as find_blob
from remem.core.documents import document_store
from remem.core.documents.model import Document
from remem.core.documents.voice import owner_of
from remem.core.errors import Conflict, Invalid, NotFound
from remem.core.memories.highlights import highlights
from remem.core.memories.highlights.list_all import page_of_highlights
from remem.core.memories.highlights.model import NOTE_LIMIT, Highlight
from remem.core.memories.model import CONTENT_LIMIT
from remem.core.memories.rules.anchor import find_quote, quoted_words
from remem.core.ports import Ports
from remem.core.projects.resolve import resolve_all
from remem.core.scope import Scope
from remem.core.text import clean, shorten
from remem.core.transaction import Tx

_AROUND_CHARS = 80
TITLE_CHARS = 200


@dataclass(frozen=True, slots=True)
class PassageToMark:
    """A passage by its offsets, or by its words and those before and after it. With `keep` it is
    marked even if the text does not have the words."""

    quote: str = ""
    before: str = ""
    after: str = ""
    start: int | None = None
    end: int | None = None
    note: str | None = None
    keep: bool = False


@dataclass(frozen=True, slots=True)
class ListedHighlight:
    highlight: Highlight
    document_title: str


async def highlight(
    ports: Ports, scope: Scope, id: UUID, passage: PassageToMark
) -> tuple[Highlight, bool]:
    """Mark a passage of the latest version; returns whether it was not marked before."""
    note = _checked_note(passage.note)
    async with ports.db.transaction(scope) as tx:
        document = await _latest(tx, id)
        blob = await find_blob(tx, document.blob_key)
    place, words = await _find(ports, document, passage)
    if len(words) > CONTENT_LIMIT:
        raise Invalid("quote", f"has more than {CONTENT_LIMIT:,} characters; mark less")
    owner = owner_of(document, blob.name if blob else None)
    new = highlights.NewHighlight(
        document.project_id,
        document.id,
        document.root_id,
        words,
        place,
        note,
        shorten(document.title, TITLE_CHARS),
        owner,
    )
    async with ports.db.transaction(scope, turn=document.project_id) as tx:
        current = await document_store.require(tx, document.id)
        if not current.is_latest or current.project_id != document.project_id:
            raise Conflict("The document was changed just now; try again.", code="changed")
        marked, is_new = await highlights.add(ports, tx, new)
    return _with_surroundings(marked, document.content), is_new


async def _find(
    ports: Ports, document: Document, passage: PassageToMark
) -> tuple[tuple[int, int] | None, str]:
    """The offsets of a passage in the text of a document, and its words."""
    text = document.content
    if passage.start is not None and passage.end is not None:
        if not 0 <= passage.start < passage.end <= len(text):
            raise Invalid("end", f"is not after start and within the {len(text):,} characters")
        place = _trimmed(text, passage.start, passage.end)
    else:
        quote = clean(passage.quote)
        if not quote.strip():
            raise Invalid("quote", "is empty; send the words, or start and end")
        around = (passage.before, passage.after)
        found = await analyse(ports, None, find_quote, text, quote, *around)
        if found is None and passage.keep:
            return None, " ".join(quote.split())
        if found is None:
            raise Invalid("quote", "is not in the text; send words of it, or keep them with keep")
        place = found
    words = await analyse(ports, "", quoted_words, text, *place)
    words = words or " ".join(text[slice(*place)].split())
    if not words:
        raise Invalid("start", "marks only white space; mark some words")
    return place, words


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    inner = text[start:end]
    return start + len(inner) - len(inner.lstrip()), end - len(inner) + len(inner.rstrip())


async def document_highlights(ports: Ports, scope: Scope, id: UUID) -> list[Highlight]:
    """The highlights of a document, in the order of the text of its latest version."""
    async with ports.db.transaction(scope) as tx:
        document = await _latest(tx, id)
        marked = await highlights.highlights_of(tx, document.root_id, document.id)
    return [_with_surroundings(item, document.content) for item in marked]


async def list_highlights(
    ports: Ports,
    scope: Scope,
    project: str | None,
    tags: Sequence[str],
    after: tuple[datetime, UUID] | None,
    limit: int,
) -> list[ListedHighlight]:
    """The highlights of all documents, newest first."""
    async with ports.db.transaction(scope) as tx:
        projects = await resolve_all(tx, project)
        rows = await page_of_highlights(tx, projects, tags, after, limit)
    return [ListedHighlight(item, title) for item, title in rows]


async def change_note(
    ports: Ports, scope: Scope, id: UUID, highlight_id: UUID, note: str | None
) -> Highlight:
    """Change the note of a highlight; None removes it."""
    note = _checked_note(note)
    async with ports.db.transaction(scope) as tx:
        document = await _latest(tx, id)
    place = (document.root_id, document.id, highlight_id)
    changed = await highlights.change_note(ports, scope, *place, note)
    return _with_surroundings(changed, document.content)


async def remove_highlight(ports: Ports, scope: Scope, id: UUID, highlight_id: UUID) -> None:
    async with ports.db.transaction(scope) as tx:
        document = await _latest(tx, id)
    await highlights.remove(ports, scope, document.root_id, highlight_id)


def _checked_note(note: str | None) -> str | None:
    text = clean(note or "").strip()
    if len(text) > NOTE_LIMIT:
        raise Invalid("note", f"has more than {NOTE_LIMIT:,} characters; shorten it")
    return text or None


async def _latest(tx: Tx, id: UUID) -> Document:
    """The latest version of a document; of a copy, of the document that has its text."""
    document = await document_store.require(tx, id)
    if document.duplicate_of:
        document = await document_store.require(tx, document.duplicate_of)
    latest = await document_store.latest_of_chain(tx, document.root_id)
    if latest is None:
        raise NotFound("document", id)
    return latest


def _with_surroundings(marked: Highlight, text: str) -> Highlight:
    if marked.start is None or marked.end is None:
        return marked
    before = text[max(0, marked.start - _AROUND_CHARS) : marked.start]
    return replace(marked, before=before, after=text[marked.end : marked.end + _AROUND_CHARS])
