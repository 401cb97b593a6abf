"""Open an untrusted picture within limits: upright, opaque, and as small as OCR permits."""

from collections.abc import Iterator
from io import BytesIO

import numpy as np
from PIL import Image, ImageOps

from remem.core.errors import Unreadable

FORMATS = ("PNG", "JPEG", "WEBP", "GIF", "BMP", "TIFF")
MAX_PIXELS = 80_000_000
# The longest side for OCR; a printed page is still legible at this size.
SIDE = 2_000
# A picture with a greater ratio of height to width is a long screenshot, read in strips.
MAX_RATIO = 2.5
MAX_STRIPS = 24


def split_into_strips(image: bytes) -> Iterator[Image.Image]:
    """Split a tall picture into strips from top to bottom, at rows with the least content. Most
    pictures have one strip; strips of a single colour are left out."""
    picture = _open(image)
    height = _strip_height(*picture.size)
    scale = min(1.0, SIDE / max(picture.width, height))
    top = 0
    while top < picture.height:
        bottom = (
            _find_quiet_row(picture, top, height)
            if picture.height - top > height
            else picture.height
        )
        strip = picture.crop((0, top, picture.width, bottom))
        if strip.getcolors(1) is None:
            yield strip.resize([max(1, round(side * scale)) for side in strip.size], reducing_gap=3)
        top = bottom


def to_png(picture: Image.Image) -> bytes:
    output = BytesIO()
    picture.save(output, "PNG")
    return output.getvalue()


def _open(image: bytes) -> Image.Image:
    try:
        picture = Image.open(BytesIO(image), formats=FORMATS)
        # A JPEG can be decoded at a smaller size; other formats must fit as they are.
        picture.draft("RGB", (2 * SIDE, 2 * SIDE))
        if picture.width * picture.height > MAX_PIXELS:
            raise Unreadable(
                f"The picture has {picture.width:,} × {picture.height:,} points; at most "
                f"{MAX_PIXELS:,} in all can be read. Make it smaller."
            )
        return _make_opaque(ImageOps.exif_transpose(picture))
    except (Image.DecompressionBombError, Image.UnidentifiedImageError) as error:
        raise Unreadable("This picture cannot be read, or is too large.") from error
    except (OSError, ValueError, SyntaxError, EOFError) as error:
        raise Unreadable("The picture is damaged or incomplete.") from error


def _make_opaque(picture: Image.Image) -> Image.Image:
    """Put transparent pictures on white, or on black if their content is light."""
    if picture.mode.startswith(("I", "F")):
        return _convert_16_bit(picture)
    if not picture.has_transparency_data:
        return picture.convert("RGB")
    layered = picture.convert("RGBA")
    visible = np.asarray(layered.convert("L"))[np.asarray(layered.getchannel("A")) > 0]
    colour = "black" if visible.size and visible.mean() > 128 else "white"
    background = Image.new("RGBA", layered.size, colour)
    return Image.alpha_composite(background, layered).convert("RGB")


def _convert_16_bit(picture: Image.Image) -> Image.Image:
    """Scale the more than 256 greys of scanners to 8 bits; Pillow would clip them."""
    greys = np.asarray(picture, np.float32)
    spread = greys.max() - greys.min() or 1
    return Image.fromarray((255 * (greys - greys.min()) / spread).astype(np.uint8)).convert("RGB")


def _strip_height(width: int, height: int) -> int:
    if height <= MAX_RATIO * width:
        return height
    return max(round(MAX_RATIO * width), -(-height // MAX_STRIPS), 400)


def _find_quiet_row(picture: Image.Image, top: int, height: int) -> int:
    """The row with the least contrast in the last quarter of the strip: between two lines."""
    first = top + height * 3 // 4
    rows = picture.crop((0, first, picture.width, top + height)).convert("L")
    return first + 1 + int(np.argmin(np.asarray(rows, np.float32).std(axis=1)))
