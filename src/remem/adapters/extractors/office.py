"""DOCX, XLSX and PPTX as markdown: headings and lists, sheets as sections, slides as pages."""

import asyncio
import posixpath
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from remem.adapters.extractors.archive import Archive, open_archive
from remem.adapters.extractors.dates import iso_date
from remem.adapters.extractors.draft import Draft
from remem.adapters.extractors.engines import Engines
from remem.adapters.extractors.limits import ZIP_BYTES, ZIP_MEMBERS, ZIP_RATIO, read_bytes
from remem.adapters.extractors.xml import local_name, parse_xml
from remem.core.chunking.model import Joint
from remem.core.errors import Unreadable
from remem.core.extraction_ports import Extracted, Original

if TYPE_CHECKING:
    from xberg import ExtractedDocument

FAMILY = "application/vnd.openxmlformats-officedocument"
MEDIA_TYPES = {
    "docx": f"{FAMILY}.wordprocessingml.document",
    "xlsx": f"{FAMILY}.spreadsheetml.sheet",
    "pptx": f"{FAMILY}.presentationml.presentation",
}
DAMAGED = "The {} file is damaged or incomplete; open it in its program and save it again."
# A sheet of more cells is a database.
TABLE_CELLS = 5_000_000
NOTES = "/notesSlide"
# ZIP files have local times. A document that was changed much later was made out of an older one.
PACKED_LATER, REWRITTEN_LATER = timedelta(days=2), timedelta(days=365)
NUMBERED = re.compile(r"\d{1,9}[.)] (.+)")
# Placeholders that libraries write when there is no author.
PLACEHOLDERS = frozenset("python-docx openpyxl python-pptx".split())


def extract(original: Original, engines: Engines) -> Extracted:
    draft = Draft()
    document = _read(original.path, "docx")
    draft.add(document.content)
    return draft.finish("docx", _metadata(document, original.path))


def extract_sheets(original: Original, engines: Engines) -> Extracted:
    """Mark every row of a table as a joint, so that no row is split."""
    draft = Draft()
    document = _read(original.path, "xlsx")
    last = ""
    for line in filter(None, document.content.split("\n")):
        is_row, follows = line.startswith("|"), last.startswith("|")
        if is_row and follows and not line.startswith("| --- "):
            draft.mark(Joint.ROW)
        draft.add(line, separator="\n" if is_row and follows else "\n\n")
        last = line
    return draft.finish("xlsx", _metadata(document, original.path))


def extract_slides(original: Original, engines: Engines) -> Extracted:
    draft = Draft()
    document = _read(original.path, "pptx")
    with open_archive(original.path) as archive:
        notes = dict(_notes(archive))
        typed = [_typed_numbers(archive.read(slide)) for slide in _slides(archive)]
    pages = document.pages or []
    for page in pages:
        draft.mark(Joint.PAGE, number=page.page_number)
        paragraphs = typed[page.page_number - 1] if page.page_number <= len(typed) else {}
        draft.add(_with_typed_numbers(page.content, paragraphs))
        if note := notes.get(page.page_number):
            draft.add(f"Notes: {note}")
    metadata = _metadata(document, original.path)
    return draft.finish("pptx", {**metadata, "page_count": len(pages)})


def _read(path: Path, kind: str) -> "ExtractedDocument":
    with open_archive(path) as archive:
        archive.refuse_entities()
    # Imported here because it takes a fifth of a second and 50 MB.
    from xberg import ExtractInput, XbergError, extract

    request = ExtractInput(kind="bytes", bytes=read_bytes(path), mime_type=MEDIA_TYPES[kind])
    try:
        result = asyncio.run(extract(request, _config()))
    except (XbergError, RuntimeError, ValueError, OSError) as error:
        raise Unreadable(DAMAGED.format(kind.upper())) from error
    if result.errors or not result.results:
        raise Unreadable(DAMAGED.format(kind.upper()))
    return result.results[0]


def _config() -> Any:
    from xberg import ConcurrencyConfig, ExtractionConfig, PageConfig, SecurityLimits

    return ExtractionConfig(
        use_cache=False,
        disable_ocr=True,
        output_format="markdown",
        escape_markdown=False,
        pages=PageConfig(extract_pages=True),
        concurrency=ConcurrencyConfig(max_threads=1),
        security_limits=SecurityLimits(
            max_archive_size=ZIP_BYTES,
            max_compression_ratio=ZIP_RATIO,
            max_files_in_archive=ZIP_MEMBERS,
            max_table_cells=TABLE_CELLS,
        ),
    )


def _metadata(document: "ExtractedDocument", path: Path) -> dict[str, Any]:
    metadata = document.metadata
    authors = [name for name in metadata.authors or [] if name not in PLACEHOLDERS]
    return {
        "title": metadata.title,
        "author": ", ".join(authors),
        "published_at": _written_at(metadata.created_at, metadata.modified_at, path),
        "language": metadata.language,
        "subject": metadata.subject,
    }


def _written_at(created: object, modified: object, path: Path) -> str | None:
    """The date of writing. A file that was packed long after its dates was filled in by a program,
    and the dates are those of its template."""
    dates = [date for value in (created, modified) if (date := iso_date(value))]
    moments = [datetime.fromisoformat(date) for date in dates]
    moments = [moment if moment.tzinfo else moment.replace(tzinfo=UTC) for moment in moments]
    with open_archive(path) as archive:
        packed_at = archive.packed_at
    if not moments or (packed_at and packed_at - max(moments) > PACKED_LATER):
        return None
    return dates[-1] if moments[-1] - moments[0] > REWRITTEN_LATER else dates[0]


def _typed_numbers(slide: bytes) -> dict[str, list[str]]:
    """Return paragraphs that begin with a typed number, by the text after the number."""
    paragraphs: dict[str, list[str]] = {}
    for paragraph in parse_xml(slide).iter():
        if local_name(paragraph) != "p":
            continue
        runs = (run.text or "" for run in paragraph.iter() if local_name(run) == "t")
        if match := NUMBERED.fullmatch(text := " ".join("".join(runs).split())):
            paragraphs.setdefault(match[1], []).append(text)
    return paragraphs


def _with_typed_numbers(content: str, typed: dict[str, list[str]]) -> str:
    """Restore typed numbers: the parser reads "07. Rent" as a list item, and numbers every item
    1."""
    lines = content.split("\n")
    for index, line in enumerate(lines):
        match = NUMBERED.fullmatch(" ".join(line.split()))
        if match and (numbered := typed.get(match[1])):
            lines[index] = numbered.pop(0)
    return "\n".join(lines)


def _notes(archive: Archive) -> Iterator[tuple[int, str]]:
    """Yield the speaker notes of each slide, with the number of the slide."""
    for number, slide in enumerate(_slides(archive), 1):
        rels = f"{posixpath.dirname(slide)}/_rels/{posixpath.basename(slide)}.rels"
        for target in _targets(archive, rels, NOTES).values():
            part = posixpath.normpath(posixpath.join(posixpath.dirname(slide), target))
            if part in archive.names and (text := _note_text(archive.read(part))):
                yield number, text


def _slides(archive: Archive) -> Iterator[str]:
    show = parse_xml(archive.read("ppt/presentation.xml"))
    targets = _targets(archive, "ppt/_rels/presentation.xml.rels", "/slide")
    for element in show.iter():
        if local_name(element) == "sldId":
            ids = [value for key, value in element.attrib.items() if str(key).endswith("}id")]
            if ids and (target := targets.get(str(ids[0]))):
                yield posixpath.normpath(posixpath.join("ppt", target)).lstrip("/")


def _targets(archive: Archive, rels: str, kind: str) -> dict[str, str]:
    if rels not in archive.names:
        return {}
    relationships = parse_xml(archive.read(rels))
    return {
        relationship.get("Id", ""): relationship.get("Target", "")
        for relationship in relationships
        if (relationship.get("Type") or "").endswith(kind)
    }


def _note_text(part: bytes) -> str:
    """Return the body of speaker notes, without the slide number and date around it."""
    root = parse_xml(part)
    for shape in root.iter():
        if local_name(shape) == "sp" and any(
            local_name(element) == "ph" and element.get("type") == "body"
            for element in shape.iter()
        ):
            runs = (element.text or "" for element in shape.iter() if local_name(element) == "t")
            return " ".join(" ".join(runs).split())
    return ""
