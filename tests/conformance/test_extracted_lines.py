"""The text of a file has all its lines and rows: amounts, dates, repeated lines, the last one."""

import zipfile
from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path

import docx
import openpyxl
import pptx
import pytest

from remem.adapters.extractors.kinds import extract
from remem.core.ports import Original
from tests.conformance.test_extractors import ENGINES
from tests.samples import make

REPEATED = "Carried forward: see the next line."


def statement(number: int) -> str:
    """A line of a list of payments, which differs from the others only in digits."""
    return f"{number:02d}. Paid {number * 137 % 1000},{number:02d} € on 2024-03-{number:02d}"


LINES = [line for number in range(1, 31) for line in (statement(number), REPEATED)][:-1]
Write = Callable[[Path], None]


def as_text(encoding: str, newline: str = "\n") -> Write:
    def write(path: Path) -> None:
        text = newline.join(LINES)
        path.write_bytes(text.encode(encoding))

    return write


def as_csv(encoding: str, separator: str = ";") -> Write:
    def write(path: Path) -> None:
        rows = [separator.join(["no", "what", "note"])]
        rows += [separator.join([str(index), line, "Zürich"]) for index, line in enumerate(LINES)]
        path.write_bytes("\r\n".join(rows).encode(encoding))

    return write


def as_html_list(path: Path) -> None:
    items = "".join(f"<li>{line}</li>" for line in LINES)
    path.write_text(f"<html><body><h1>Payments</h1><ul>{items}</ul></body></html>")


def as_html_table(path: Path) -> None:
    rows = "".join(f"<tr><td>{index}</td><td>{line}</td></tr>" for index, line in enumerate(LINES))
    path.write_text(f"<html><body><h1>Payments</h1><table>{rows}</table></body></html>")


def as_html_paragraphs(path: Path) -> None:
    body = "".join(f"<p>{line}</p>" for line in LINES)
    path.write_text(f"<html><body><article><h1>Payments</h1>{body}</article></body></html>")


def as_docx(path: Path) -> None:
    file = docx.Document()
    for line in LINES:
        file.add_paragraph(line)
    file.save(str(path))


def as_docx_table(path: Path) -> None:
    file = docx.Document()
    table = file.add_table(rows=0, cols=2)
    for index, line in enumerate(LINES):
        cells = table.add_row().cells
        cells[0].text, cells[1].text = str(index), line
    file.save(str(path))


def as_xlsx(path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for index, line in enumerate(LINES):
        sheet.append([index, line])
    book.save(path)


def as_pptx(path: Path) -> None:
    show = pptx.Presentation()
    for start in range(0, len(LINES), 6):
        slide = show.slides.add_slide(show.slide_layouts[1])
        slide.shapes.title.text = f"Payments from {start}"
        slide.placeholders[1].text = "\n".join(LINES[start : start + 6])
    show.save(str(path))


def as_epub(path: Path) -> None:
    make.epub(path)
    with zipfile.ZipFile(path) as book:
        files = {info.filename: book.read(info) for info in book.infolist()}
    body = "".join(f"<p>{line}</p>" for line in LINES)
    with zipfile.ZipFile(path, "w") as book:
        for name, data in files.items():
            page = data.decode("utf-8", "replace")
            if name.endswith(("html", "htm")) and make.SENTENCE in page:
                data = page.replace("</body>", f"{body}</body>").encode()
            book.writestr(name, data)


def as_email(charset: str, subtype: str = "plain") -> Write:
    def write(path: Path) -> None:
        letter = EmailMessage()
        letter["From"], letter["To"] = "ann@example.org", "ben@example.org"
        letter["Subject"], letter["Date"] = "Payments", "Mon, 01 Apr 2024 10:00:00 +0000"
        text = "\n".join(LINES)
        if subtype == "html":
            text = "".join(f"<p>{line}</p>" for line in LINES)
        letter.set_content(text, subtype=subtype, charset=charset)
        path.write_bytes(letter.as_bytes())

    return write


KINDS: dict[str, tuple[str, Write]] = {
    "text": ("payments.txt", as_text("utf-8")),
    "text in Latin-1": ("payments.txt", as_text("iso-8859-15")),
    "text in Windows-1252": ("payments.txt", as_text("cp1252", "\r\n")),
    "text in UTF-16": ("payments.txt", as_text("utf-16")),
    "text with the line ends of old Macs": ("payments.txt", as_text("utf-8", "\r")),
    "markdown": ("payments.md", as_text("utf-8")),
    "csv": ("payments.csv", as_csv("utf-8")),
    "csv in Windows-1252": ("payments.csv", as_csv("cp1252")),
    "csv in UTF-16": ("payments.csv", as_csv("utf-16")),
    "tsv": ("payments.tsv", as_csv("utf-8", "\t")),
    "html list": ("payments.html", as_html_list),
    "html table": ("payments.html", as_html_table),
    "html paragraphs": ("payments.html", as_html_paragraphs),
    "docx": ("payments.docx", as_docx),
    "docx table": ("payments.docx", as_docx_table),
    "xlsx": ("payments.xlsx", as_xlsx),
    "pptx": ("payments.pptx", as_pptx),
    "epub": ("payments.epub", as_epub),
    "e-mail": ("payments.eml", as_email("utf-8")),
    "e-mail in Latin-1": ("payments.eml", as_email("iso-8859-15")),
    "e-mail in HTML": ("payments.eml", as_email("utf-8", "html")),
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_line_is_in_the_text(kind: str, tmp_path: Path) -> None:
    name, write = KINDS[kind]
    path = tmp_path / name
    write(path)
    content = extract(Original(path, name), ENGINES).content
    flat = " ".join(content.replace("\\", "").split())
    missing = [line for line in LINES if line not in flat]
    assert not missing, content[:500]
    assert flat.count(REPEATED) == LINES.count(REPEATED)
