"""Opens a stranger's picture within limits: upright, opaque, and no larger than reading needs."""

from collections.abc import Iterator
from io import BytesIO

import numpy as np
from PIL import Image, ImageOps

from remem.core.errors import Unreadable

FORMATS = ("PNG", "JPEG", "WEBP", "GIF", "BMP", "TIFF")
MAX_PIXELS = 80_000_000
# The longest side a reader is shown; a page of print is still legible at this.
SIDE = 2_000
# A taller picture is a long screenshot, and is read strip by strip.
TALL = 2.5
MAX_STRIPS = 24


def strips(image: bytes) -> Iterator[Image.Image]:
    """The picture in parts from top to bottom, cut where there is least to see; mostly one.
    A part that is all of one colour is left out."""
    picture = _opened(image)
    height = _strip_height(*picture.size)
    scale = min(1.0, SIDE / max(picture.width, height))
    top = 0
    while top < picture.height:
        bottom = (
            _calm_row(picture, top, height) if picture.height - top > height else picture.height
        )
        strip = picture.crop((0, top, picture.width, bottom))
        if strip.getcolors(1) is None:
            yield strip.resize([max(1, round(side * scale)) for side in strip.size], reducing_gap=3)
        top = bottom


def as_png(picture: Image.Image) -> bytes:
    written = BytesIO()
    picture.save(written, "PNG")
    return written.getvalue()


def _opened(image: bytes) -> Image.Image:
    try:
        picture = Image.open(BytesIO(image), formats=FORMATS)
        # A JPEG can be decoded small at once; others must fit as they are.
        picture.draft("RGB", (2 * SIDE, 2 * SIDE))
        if picture.width * picture.height > MAX_PIXELS:
            raise Unreadable(
                f"The picture has {picture.width:,} × {picture.height:,} points; at most "
                f"{MAX_PIXELS:,} in all can be read. Make it smaller."
            )
        return _opaque(ImageOps.exif_transpose(picture))
    except (Image.DecompressionBombError, Image.UnidentifiedImageError) as error:
        raise Unreadable("This picture cannot be read, or is too large.") from error
    except (OSError, ValueError, SyntaxError, EOFError) as error:
        raise Unreadable("The picture is damaged or incomplete.") from error


def _opaque(picture: Image.Image) -> Image.Image:
    """Transparent pictures are laid on white, or on black when what they show is light."""
    if picture.mode.startswith(("I", "F")):
        return _of_fine_greys(picture)
    if not picture.has_transparency_data:
        return picture.convert("RGB")
    layered = picture.convert("RGBA")
    shown = np.asarray(layered.convert("L"))[np.asarray(layered.getchannel("A")) > 0]
    ground = "black" if shown.size and shown.mean() > 128 else "white"
    under = Image.new("RGBA", layered.size, ground)
    return Image.alpha_composite(under, layered).convert("RGB")


def _of_fine_greys(picture: Image.Image) -> Image.Image:
    """Scanners save more than 256 greys; Pillow would cut off what is above."""
    greys = np.asarray(picture, np.float32)
    spread = greys.max() - greys.min() or 1
    return Image.fromarray((255 * (greys - greys.min()) / spread).astype(np.uint8)).convert("RGB")


def _strip_height(width: int, height: int) -> int:
    if height <= TALL * width:
        return height
    return max(round(TALL * width), -(-height // MAX_STRIPS), 400)


def _calm_row(picture: Image.Image, top: int, height: int) -> int:
    """The row of the strip's last quarter in which the least happens: between two lines."""
    first = top + height * 3 // 4
    rows = picture.crop((0, first, picture.width, top + height)).convert("L")
    return first + 1 + int(np.argmin(np.asarray(rows, np.float32).std(axis=1)))
