"""The content types, one row each: the API, extractors and messages take them from here."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class ContentKind:
    """A content type, and the `module:function` of adapters/extractors that reads it. `plain` is
    text already; `binary` has to be sent as base64 in a text field. A file is recognised by its
    first bytes (`magic`), a file in it if it is a ZIP (`parts`), its suffix or its media type."""

    name: str
    extract: str
    form: Literal["plain", "text", "binary"] = "text"
    label: str = ""
    category: str | None = None
    magic: tuple[bytes, ...] = ()
    parts: str = ""
    suffixes: str = ""
    media: str = ""


_PICTURES = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF8", b"BM", b"II*\x00", b"MM\x00*")
_SOUNDS = (b"ID3", b"fLaC", b"#!AMR", *(bytes((0xFF, n)) for n in b"\xfb\xfa\xf3\xf2\xf1\xf9"))
_FILMS = (b"\x1aE\xdf\xa3", b"FLV\x01", b"\x00\x00\x01\xba", b"\x30\x26\xb2\x75\x8e\x66\xcf\x11")
# fmt: off
_ROWS = (
    ContentKind("text", "text:extract", "plain",
        suffixes="txt text log rst adoc org tex", media="text/plain"),
    ContentKind("markdown", "text:extract_markdown", "plain",
        suffixes="md markdown mdx mkd rmd", media="text/markdown"),
    ContentKind("html", "html:extract", label="HTML file",
        suffixes="html htm xhtml xht mhtml", media="text/html application/xhtml+xml"),
    ContentKind("pdf", "pdf:extract", "binary", "PDF file"),
    ContentKind("image", "image:extract", "binary", "picture", magic=_PICTURES,
        media="image/svg+xml"),
    ContentKind("audio", "sound:extract", "binary", "recording", "recording", magic=_SOUNDS),
    ContentKind("video", "sound:extract_video", "binary", category="recording", magic=_FILMS),
    ContentKind("code", "code:extract", category="code"),
    ContentKind("json", "records:extract", label="JSON file", category="data",
        suffixes="json jsonl ndjson geojson ipynb", media="application/json application/x-ndjson"),
    ContentKind("csv", "table:extract", label="CSV file", category="data",
        suffixes="csv tsv tab", media="text/csv text/tab-separated-values"),
    ContentKind("docx", "office:extract", "binary", "DOCX file", parts="word/document.xml"),
    ContentKind("xlsx", "office:extract_sheets", "binary", "XLSX file", "data",
        parts="xl/workbook.xml xl/workbook.bin"),
    ContentKind("pptx", "office:extract_slides", "binary", "PPTX file",
        parts="ppt/presentation.xml"),
    ContentKind("epub", "epub:extract", "binary", "EPUB file", parts="META-INF/container.xml"),
    ContentKind("email", "email:extract", label="e-mail", category="email",
        suffixes="eml mbox mbx", media="message/rfc822 application/mbox"),
    ContentKind("tweet", "text:extract_tweet", category="post"),
    ContentKind("subtitles", "subtitles:extract", category="recording",
        suffixes="srt vtt ass ssa sub", media="text/vtt application/x-subrip"),
    ContentKind("note", "text:extract_note", "plain", category="note"),
)
# fmt: on
KINDS = {kind.name: kind for kind in _ROWS}
PLAIN_TYPES = frozenset(kind.name for kind in _ROWS if kind.form == "plain")
BINARY_TYPES = frozenset(kind.name for kind in _ROWS if kind.form == "binary")


def describe_type(name: str) -> str:
    """The name of a type for messages."""
    return (KINDS[name].label if name in KINDS else "") or f"{name} file"
