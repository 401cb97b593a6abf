"""Determine the kind of a file: by its bytes, then its name, then the claimed type."""

import zipfile
from pathlib import Path, PurePath

from remem.adapters.extractors.charset import decode, wide_charset
from remem.adapters.extractors.limits import refuse_larger
from remem.adapters.extractors.signals import text_kind
from remem.core.content_kinds import KINDS
from remem.core.errors import Unreadable
from remem.core.extraction_ports import Original

HEAD_BYTES = 64_000
# A broken export may leave one or two in a text; a binary header is full of them.
STRAY_NULS = 2
ZIP_MAGIC = b"PK\x03\x04"
MAGIC = tuple(
    (magic, kind.name) for kind in KINDS.values() if kind.form == "binary" for magic in kind.magic
)
RIFF = {b"WEBP": "image", b"WAVE": "audio", b"AVI ": "video"}
IMAGE_BRANDS = (b"heic", b"heix", b"mif1", b"msf1", b"avif", b"avis")
SOUND_BRANDS = (b"M4A ", b"M4B ", b"F4A ")
ZIP_PARTS = {part: kind.name for kind in KINDS.values() for part in kind.parts.split()}
REFUSED_TYPES = (
    (b"\x1f\x8b", "a compressed archive", "unpack it and save the files in it"),
    (b"Rar!", "a RAR archive", "unpack it and save the files in it"),
    (b"7z\xbc\xaf", "a 7-Zip archive", "unpack it and save the files in it"),
    (b"BZh", "a compressed archive", "unpack it and save the files in it"),
    (b"\xfd7zXZ", "a compressed archive", "unpack it and save the files in it"),
    (b"{\\rtf", "an RTF document", "save it as DOCX or PDF"),
    (
        b"\xd0\xcf\x11\xe0",
        "an old Office document, or one that is encrypted",
        "remove the password, or save it as DOCX, XLSX or PPTX",
    ),
    (b"\x7fELF", "a program", "save its source or its documentation"),
    (b"MZ", "a program", "save its source or its documentation"),
    (b"SQLite format 3", "a database", "export the tables as CSV"),
)
HELP = "save it as PDF, DOCX, HTML or plain text"


def sniff(original: Original) -> str:
    """Return one of our content types; raises Unreadable if there is none."""
    head = read_head(original.path)
    return binary_kind(head, original) or text_kind(decode(head), original.name, original.claim)


def read_head(path: Path) -> bytes:
    if path.stat().st_size == 0:
        raise Unreadable("The file is empty (0 bytes); check that it was saved or sent completely.")
    refuse_larger(path)
    with path.open("rb") as file:
        return file.read(HEAD_BYTES)


def binary_kind(head: bytes, original: Original) -> str | None:
    """Return the kind of a binary file; None for text."""
    if b"%PDF-" in head[:1_024]:
        return "pdf"
    if head.startswith(ZIP_MAGIC):
        return _zip_kind(original.path)
    if kind := _media_kind(head):
        return kind
    _refuse_known_types(head)
    return None if is_text(head) else _kind_by_table(head, original)


def is_text(head: bytes) -> bool:
    """Whether bytes are text: few control characters, and NUL only in wide charsets."""
    if wide := wide_charset(head):
        text = head.decode(wide, "replace")
        return sum(1 for char in text if char in "\0\ufffd") <= len(text) // 200
    controls = sum(1 for byte in head if byte < 32 and byte not in (9, 10, 12, 13, 27))
    return controls <= len(head) // 200 and head.count(0) <= STRAY_NULS


def _media_kind(head: bytes) -> str | None:
    if head.startswith(b"RIFF"):
        return RIFF.get(head[8:12])
    if head[4:8] == b"ftyp":
        brand = head[8:12]
        return "image" if brand in IMAGE_BRANDS else "audio" if brand in SOUND_BRANDS else "video"
    if head.startswith(b"FORM") and head[8:12] in (b"AIFF", b"AIFC"):
        return "audio"
    if head.startswith(b"OggS"):
        return "video" if b"theora" in head[:200] else "audio"
    for magic, kind in MAGIC:
        # A text may begin with BM or ID3, but not with unprintable characters.
        if head.startswith(magic) and not (magic.decode("latin-1").isprintable() and is_text(head)):
            return kind
    return None


def _zip_kind(path: Path) -> str:
    try:
        with zipfile.ZipFile(path) as archive:
            names = set(archive.namelist())
    except (zipfile.BadZipFile, OSError, ValueError, EOFError) as error:
        raise Unreadable(
            "The file is damaged or incomplete (its list of parts is missing); "
            "save or download it again."
        ) from error
    for part, kind in ZIP_PARTS.items():
        if part in names:
            return kind
    if "content.xml" in names and "mimetype" in names:
        raise Unreadable("The file is an OpenDocument file; save it as DOCX, XLSX, PPTX or PDF.")
    raise Unreadable("The file is a ZIP archive; unpack it and save the files in it.")


def _refuse_known_types(head: bytes) -> None:
    for magic, description, fix in REFUSED_TYPES:
        if head.startswith(magic) and not (len(magic) < 4 and is_text(head)):
            raise Unreadable(f"The file is {description}; {fix}.")


def _kind_by_table(head: bytes, original: Original) -> str:
    """Look up binary data in a larger table of file types; raises Unreadable if it is not media."""
    from puremagic import PureError, magic_string

    try:
        matches = magic_string(head, original.name)
    except (PureError, ValueError):
        matches = []
    for match in matches:
        kind = (match.mime_type or "").split("/")[0]
        if kind in ("image", "audio", "video") and match.confidence >= 0.5:
            return kind
    suffix = PurePath(original.name or "").suffix
    raise Unreadable(
        f"The file is of a kind that cannot be read{f' ({suffix})' if suffix else ''}, or it is "
        f"damaged; {HELP}."
    )
