"""Pictures: text recognised by OCR; for an SVG, the text in it."""

import io
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from remem.adapters.extractors.dates import iso_date
from remem.adapters.extractors.draft import Draft
from remem.adapters.extractors.engines import Engines
from remem.adapters.extractors.limits import IMAGE_PIXELS, OCR_PAGES, OCR_SIDE_PX, read_bytes
from remem.adapters.extractors.xml import local_name, parse_xml
from remem.core.chunking.model import Joint
from remem.core.errors import Unreadable
from remem.core.extraction_ports import Extracted, Original

if TYPE_CHECKING:
    from PIL.Image import Image

# Formats whose frames are pages; in others they are an animation.
PAGED = ("TIFF", "MPO")
DATE_TAGS = (0x9003, 0x0132)
NOT_UNDERSTOOD = (
    "The text in the picture was not understood: it is unclear, or in a script that the model does "
    "not know. The included model reads Latin script, Chinese and Japanese; for others set "
    "REMEM_OCR to tesseract with REMEM_OCR_LANGUAGES, or to vision, and try again."
)
PARTLY_UNDERSTOOD = (
    "Parts of the text in the picture may be wrong: they are unclear, or in a script that the "
    "model does not know."
)
SVG_TEXT_TAGS = ("title", "desc", "text")


def extract(original: Original, engines: Engines) -> Extracted:
    with original.path.open("rb") as file:
        is_markup = file.read(1_000).lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<")
    return _extract_svg(original.path) if is_markup else _extract_picture(original.path, engines)


def _extract_picture(path: Path, engines: Engines) -> Extracted:
    picture = _open(path)
    draft, notes, is_sure = Draft(), list[str](), True
    with picture:
        metadata = _metadata(picture)
        count = getattr(picture, "n_frames", 1) if picture.format in PAGED else 1
        if count > OCR_PAGES:
            notes.append(f"Only the first {OCR_PAGES} of {count:,} pages were read.")
        for number in range(min(count, OCR_PAGES)):
            if count > 1:
                draft.mark(Joint.PAGE, number=number + 1)
            page = engines.ocr.read(_page(picture, number))
            draft.add(page.text)
            is_sure = is_sure and page.is_sure
    if not draft.length and not is_sure:
        raise Unreadable(NOT_UNDERSTOOD, code="picture_not_understood")
    if not draft.length:
        raise Unreadable("No text was found in the picture; describe it in words instead.")
    notes += [] if is_sure else [PARTLY_UNDERSTOOD]
    page_count = count if count > 1 else None
    return draft.finish("image", {**metadata, "page_count": page_count}, " ".join(notes) or None)


def _open(path: Path) -> "Image":
    """Open a picture and check its size, without decoding it."""
    from PIL import Image, UnidentifiedImageError

    # Pillow would only warn; our own limit applies instead.
    Image.MAX_IMAGE_PIXELS = None
    try:
        picture = Image.open(path)
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError) as error:
        raise Unreadable(
            "The picture is damaged or of a kind that cannot be read; save it as PNG or JPEG."
        ) from error
    width, height = picture.size
    if width * height > IMAGE_PIXELS:
        picture.close()
        raise Unreadable(
            f"The picture has {width:,} × {height:,} pixels, and at most "
            f"{IMAGE_PIXELS // 1_000_000} million are read; make it smaller."
        )
    return picture


def _page(picture: "Image", number: int) -> bytes:
    """Return a page as PNG, upright and no larger than OCR can use."""
    from PIL import ImageOps

    try:
        if number:
            picture.seek(number)
            if picture.size[0] * picture.size[1] > IMAGE_PIXELS:
                raise Unreadable("A page of the picture is too large; make it smaller.")
        # JPEG can be decoded at a smaller size, which saves memory.
        picture.draft("RGB", (OCR_SIDE_PX, OCR_SIDE_PX))
        upright = ImageOps.exif_transpose(_shrink(picture))
    except (OSError, ValueError, SyntaxError, EOFError) as error:
        raise Unreadable("The picture is damaged or incomplete; save it again.") from error
    buffer = io.BytesIO()
    _on_white(upright).save(buffer, "PNG")
    return buffer.getvalue()


def _shrink(picture: "Image") -> "Image":
    """Scale a picture to a size OCR can use, in plain colours, without copying it in full size."""
    share = min(1.0, OCR_SIDE_PX / max(picture.size))
    size = (max(1, int(picture.size[0] * share)), max(1, int(picture.size[1] * share)))
    if picture.mode not in ("L", "LA", "RGB", "RGBA"):
        has_colours = picture.mode not in ("1", "I", "F", "I;16")
        picture = picture.convert(
            ("RGBA" if "transparency" in picture.info else "RGB") if has_colours else "L"
        )
    return picture.resize(size, reducing_gap=2.0) if share < 1 else picture


def _on_white(picture: "Image") -> "Image":
    if picture.mode not in ("LA", "RGBA"):
        return picture
    from PIL import Image

    background = Image.new("RGB", picture.size, "white")
    background.paste(picture, mask=picture.getchannel("A"))
    return background


def _metadata(picture: "Image") -> dict[str, Any]:
    try:
        tags = picture.getexif()
    except Exception:  # Broken tags raise many kinds of errors; the picture itself is fine.
        tags = {}
    taken = next((str(tags[tag]) for tag in DATE_TAGS if tag in tags), "")
    day, _, clock = taken.partition(" ")
    return {
        "width": picture.size[0],
        "height": picture.size[1],
        "published_at": iso_date(f"{day.replace(':', '-')}T{clock}") if clock else None,
    }


def _extract_svg(path: Path) -> Extracted:
    root = parse_xml(read_bytes(path))
    draft = Draft()
    for text in _svg_texts(root):
        draft.add(text, separator="\n")
    title = next(
        (" ".join(element.itertext()) for element in root if local_name(element) == "title"), None
    )
    return draft.finish("image", {"title": title})


def _svg_texts(root: Any) -> Iterator[str]:
    for element in root.iter():
        if local_name(element) in SVG_TEXT_TAGS:
            yield " ".join("".join(map(str, element.itertext())).split())
