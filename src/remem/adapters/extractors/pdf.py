"""PDF: text by page with headings and paragraphs, and OCR for pages without text."""

import io
from array import array
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pypdfium2 as pdfium
from pypdfium2 import raw

from remem.adapters.extractors.dates import pdf_date
from remem.adapters.extractors.draft import Draft, printable
from remem.adapters.extractors.engines import Engines
from remem.adapters.extractors.layout import (
    WIDE_GAP,
    Line,
    in_reading_order,
    paragraphs,
    styles_of,
)
from remem.adapters.extractors.limits import OCR_PAGES, OCR_SIDE_PX, PDF_PAGES, TEXT_CHARS
from remem.adapters.extractors.running_heads import without_running_heads
from remem.core.chunking.model import Joint
from remem.core.errors import Unreadable
from remem.core.extraction_ports import Extracted, Original, PictureText

DAMAGED = "The PDF is damaged or incomplete; save or download it again."
OCR_DPI = 200
POINTS_PER_INCH = 72
BOLD_WEIGHT = 600
# A scan often has a stray line of text, such as a stamp or a file number.
SCANNED_CHARS = 20
SPACE = 32
# pdfium's codes for a hyphen at the end of a line: one in texts, another by character.
HYPHENS = (2, 0xFFFE)
LINE_ENDS = (10, 13, *HYPHENS)
SOFT_HYPHEN = "\u00ad"
UNSURE_PAGES = (
    "The text of scanned pages ({count}) may be wrong: it is unclear, or in a script that the "
    "model does not know."
)
# Placeholders that programs write when there is no title or author.
PLACEHOLDERS = frozenset("untitled anonymous unspecified (unspecified) unknown none".split())


def extract(original: Original, engines: Engines) -> Extracted:
    document = _open(original.path)
    try:
        pages, cut = _pages(document, engines)
        metadata = _metadata(document)
        draft = Draft()
        for number, blocks in enumerate(pages, 1):
            draft.mark(Joint.PAGE, number=number)
            for block in blocks:
                draft.add(block)
        return draft.finish("pdf", metadata, cut)
    except pdfium.PdfiumError as error:
        raise Unreadable(DAMAGED) from error
    finally:
        document.close()


def _open(path: Path) -> pdfium.PdfDocument:
    try:
        document = pdfium.PdfDocument(path)
    except pdfium.PdfiumError as error:
        if "password" in str(error).lower():
            raise Unreadable(
                "The PDF is encrypted; remove its password and save it again."
            ) from error
        if "security" in str(error).lower():
            raise Unreadable(
                "The PDF is encrypted in an unknown way; save it without encryption."
            ) from error
        raise Unreadable("The PDF is damaged or incomplete; save or download it again.") from error
    if len(document) == 0:
        document.close()
        raise Unreadable("The PDF has no pages; save or download it again.")
    return document


def _pages(document: pdfium.PdfDocument, engines: Engines) -> tuple[list[list[str]], str | None]:
    """Return the blocks of each page, and a note about what was left out."""
    count, cuts = len(document), list[str]()
    lines = [*_lines_by_page(document)]
    if len(lines) < count:
        cuts.append(f"Only the first {len(lines):,} of {count:,} pages were kept.")
    styles = styles_of(lines)
    blocks = [
        [*paragraphs(page, styles, document.get_page_size(index)[0])]
        for index, page in enumerate(without_running_heads(lines))
    ]
    scanned = [
        i for i, page in enumerate(lines) if sum(len(line.text) for line in page) < SCANNED_CHARS
    ]
    if len(scanned) > OCR_PAGES:
        cuts.append(f"Only {OCR_PAGES} of {len(scanned):,} pages without text were read by OCR.")
    unsure = 0
    for index in scanned[:OCR_PAGES]:
        recognised = _ocr_page(document, index, engines)
        # A short page need not be a scan, and the text in the file is more reliable than OCR.
        if len(recognised.text) > 2 * sum(map(len, blocks[index])):
            blocks[index] = [recognised.text]
            unsure += not recognised.is_sure
    if unsure:
        cuts.append(UNSURE_PAGES.format(count=unsure))
    return blocks, " ".join(cuts) or None


def _lines_by_page(document: pdfium.PdfDocument) -> Iterator[list[Line]]:
    chars = 0
    for index in range(min(len(document), PDF_PAGES)):
        lines = in_reading_order(_rows(document, index))
        yield lines
        chars += sum(len(line.text) for line in lines)
        if chars > TEXT_CHARS:
            return


def _rows(document: pdfium.PdfDocument, index: int) -> list[list[Line]]:
    try:
        page = document[index]
        text = page.get_textpage()
    except pdfium.PdfiumError:
        return []
    try:
        return [*_read_rows(text)]
    finally:
        text.close()
        page.close()


def _read_rows(text: pdfium.PdfTextPage) -> Iterator[list[Line]]:
    """Yield the rows of a page in the order of the file, split at wide gaps."""
    codes = _codes(text)
    start = 0
    for i, code in enumerate([*codes, 10]):
        if code in LINE_ENDS:
            row = [*_segments(text, codes, start, i)]
            if row and code in HYPHENS:
                row[-1] = replace(row[-1], text=row[-1].text + SOFT_HYPHEN)
            if row:
                yield row
            start = i + 1


def _codes(text: pdfium.PdfTextPage) -> list[int]:
    """Return the code of each character, with a single call if that is complete."""
    count = text.count_chars()
    units = text.get_text_range().encode("utf-16-le", "surrogatepass") if count else b""
    if len(units) == 2 * count:
        return [*memoryview(units).cast("H")]
    return [raw.FPDFText_GetUnicode(text, i) for i in range(count)]


def _segments(text: pdfium.PdfTextPage, codes: list[int], start: int, end: int) -> Iterator[Line]:
    segment_start = start
    for i in range(start + 1, end - 1):
        if codes[i] == SPACE and _is_wide(text, i):
            if line := _line(text, codes, segment_start, i):
                yield line
            segment_start = i + 1
    if line := _line(text, codes, segment_start, end):
        yield line


def _is_wide(text: pdfium.PdfTextPage, space: int) -> bool:
    # A space in the file is a plain space; only those that pdfium generates for gaps can be wide.
    if raw.FPDFText_IsGenerated(text, space) != 1:
        return False
    _, bottom, right, top = text.get_charbox(space - 1, loose=True)
    left = text.get_charbox(space + 1, loose=True)[0]
    return left - right > WIDE_GAP * max(1.0, top - bottom)


def _line(text: pdfium.PdfTextPage, codes: list[int], start: int, end: int) -> Line | None:
    while start < end and codes[start] <= 32:
        start += 1
    while start < end and codes[end - 1] <= 32:
        end -= 1
    text_line = _decode_codes(codes[start:end])
    if not text_line:
        return None
    left, bottom, _, top = text.get_charbox(start, loose=True)
    right = text.get_charbox(end - 1, loose=True)[2]
    weights = [raw.FPDFText_GetFontWeight(text, i) for i in (start, end - 1)]
    return Line(text_line, left, right, bottom, top, min(weights) >= BOLD_WEIGHT)


def _decode_codes(codes: list[int]) -> str:
    """Decode pdfium's codes, in which rare characters are surrogate pairs."""
    units = array("H", [code for code in codes if code <= 0xFFFF]).tobytes()
    return printable(units.decode("utf-16", "ignore")).strip()


def _ocr_page(document: pdfium.PdfDocument, index: int, engines: Engines) -> PictureText:
    """Return the text that OCR recognises on a page."""
    page = document[index]
    try:
        width, height = page.get_size()
        if not any(True for _ in page.get_objects(max_depth=2)):
            return PictureText("")
        scale = min(OCR_DPI / POINTS_PER_INCH, OCR_SIDE_PX / max(width, height, 1))
        picture = page.render(scale=scale, grayscale=True).to_pil()
    except pdfium.PdfiumError:
        return PictureText("")
    finally:
        page.close()
    buffer = io.BytesIO()
    picture.save(buffer, "PNG")
    return engines.ocr.read(buffer.getvalue())


def _metadata(document: pdfium.PdfDocument) -> dict[str, Any]:
    fields = {key: printable(value).strip() for key, value in document.get_metadata_dict().items()}
    title, author = fields.get("Title", ""), fields.get("Author", "")
    return {
        "title": title if title.lower() not in PLACEHOLDERS else None,
        "author": author if author.lower() not in PLACEHOLDERS else None,
        "published_at": pdf_date(fields.get("CreationDate", "")),
        "page_count": len(document),
    }
