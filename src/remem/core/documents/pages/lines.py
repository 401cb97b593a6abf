"""Find the lines of documents that contain a text, letter by letter."""

from collections.abc import Iterator
from dataclasses import dataclass
from uuid import UUID

from remem.core.documents.document_store import find_without_text
from remem.core.documents.model import Document
from remem.core.documents.pages import document_page_store
from remem.core.errors import Invalid, NotFound
from remem.core.ports import Ports
from remem.core.projects.resolve import resolve_all
from remem.core.scope import Scope

DOCUMENTS_LIMIT = 50
LINE_CHARS = 300


@dataclass(frozen=True, slots=True)
class FoundLine:
    """`number` counts from 1. A long line is cut around the text."""

    document_id: UUID
    title: str
    project: str
    number: int
    text: str


@dataclass(frozen=True, slots=True)
class FoundLines:
    """`is_complete` is false if there may be more."""

    lines: list[FoundLine]
    is_complete: bool


async def find_lines(
    ports: Ports,
    scope: Scope,
    text: str,
    project: str | None,
    document_id: UUID | None,
    limit: int,
    *,
    any_case: bool = False,
) -> FoundLines:
    """The first `limit` lines that contain `text`, of the newest documents first."""
    if not text.strip() or "\n" in text:
        raise Invalid("text", "is empty or has more than one line; send a part of one line")
    async with ports.db.transaction(scope) as tx:
        projects = await resolve_all(tx, project)
        if document_id and not await find_without_text(tx, document_id):
            raise NotFound("document")
        documents = await document_page_store.containing(
            tx, text, projects, document_id, DOCUMENTS_LIMIT + 1, any_case=any_case
        )
    lines: list[FoundLine] = []
    for document in documents[:DOCUMENTS_LIMIT]:
        for line in _lines(document, text, any_case):
            if len(lines) == limit:
                return FoundLines(lines, is_complete=False)
            lines.append(line)
    return FoundLines(lines, is_complete=len(documents) <= DOCUMENTS_LIMIT)


def _lines(document: Document, text: str, any_case: bool) -> Iterator[FoundLine]:
    wanted = text.lower() if any_case else text
    for number, line in enumerate(document.content.split("\n"), start=1):
        position = (line.lower() if any_case else line).find(wanted)
        if position >= 0:
            start = max(0, position - LINE_CHARS // 2)
            shown = line[start : start + LINE_CHARS + len(text)].strip()
            yield FoundLine(document.id, document.title, document.project_ref, number, shown)
