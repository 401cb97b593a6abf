"""How much of a file is read, and why no more."""

from pathlib import Path

from remem.core.errors import Unreadable

MEGABYTE = 1_000_000

# Larger files are archives or recordings that nobody searches as one text.
FILE_BYTES = 100 * MEGABYTE
# Some 2,500 printed pages: beyond it a document is a corpus, and its chunks drown the others.
TEXT_CHARS = 5_000_000
# What the source asks for: a page that is longer is a listing or a feed.
HTML_CHARS = 100_000
# Markup is many times its text, and a parsed page is ten times its markup.
HTML_BYTES = 20 * MEGABYTE
# The longest reference works; a file of more pages is made to exhaust us.
PDF_PAGES = 2_000
# At two seconds a page this is half of the time a file may take.
OCR_PAGES = 100
# A4 at 600 dpi is 35 million; decoding takes four bytes for each.
IMAGE_PIXELS = 100_000_000
# Beyond this OCR gets slower and not better.
OCR_SIDE_PX = 3_000
# An office file has some hundred parts; only bombs have more than this.
ZIP_MEMBERS = 10_000
ZIP_BYTES = 300 * MEGABYTE
# Office XML shrinks 20:1, repetitive sheets 100:1, a bomb 1,000:1.
ZIP_RATIO = 200
# Small files may shrink more than that and hurt nobody.
ZIP_SMALL_BYTES = 20 * MEGABYTE
# People nest a dozen levels; Python's own parser gives up near a thousand.
JSON_DEPTH = 200
# Parsed JSON takes some ten times its bytes.
JSON_BYTES = 30 * MEGABYTE
TABLE_ROWS = 100_000
TABLE_COLUMNS = 500
FIELD_CHARS = 100_000
# A mailbox is read message by message; this many fill the text limit anyway.
MESSAGES = 5_000
MESSAGE_BYTES = 30 * MEGABYTE
# Longer than any talk; at a tenth of real time it takes 24 minutes on one core.
SOUND_S = 4 * 60 * 60
# What is written into `found` is for a line on a screen.
FOUND_CHARS = 500


def read_bytes(path: Path, limit: int = FILE_BYTES) -> bytes:
    """The whole file, or Unreadable when it is larger than its kind may be."""
    refuse_larger(path, limit)
    return path.read_bytes()


def refuse_larger(path: Path, limit: int = FILE_BYTES) -> None:
    if path.stat().st_size > limit:
        raise Unreadable(
            f"The file is larger than the {limit / MEGABYTE:,.0f} MB that are read of its kind; "
            "split it into smaller files."
        )
