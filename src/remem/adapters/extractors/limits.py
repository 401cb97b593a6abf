"""Limits for reading files, and the reasons for them."""

from pathlib import Path

from remem.core.errors import Unreadable

MEGABYTE = 1_000_000

# Larger files are archives or recordings that nobody searches as one text.
FILE_BYTES = 100 * MEGABYTE
# About 2,500 printed pages. A longer document is a corpus, whose chunks would crowd out others.
TEXT_CHARS = 5_000_000
# A longer page is a listing or a feed.
HTML_CHARS = 100_000
# Markup is many times its text, and a parsed page is ten times its markup.
HTML_BYTES = 20 * MEGABYTE
# Enough for the longest reference works; a file with more pages is an attack.
PDF_PAGES = 2_000
# At two seconds per page, this takes a third of the time a file may take.
OCR_PAGES = 100
# A4 at 600 dpi is 35 million; decoding takes four bytes for each.
IMAGE_PIXELS = 100_000_000
# Beyond this, OCR gets slower but not better.
OCR_SIDE_PX = 3_000
# An office file has about a hundred parts; only zip bombs have more than this.
ZIP_MEMBERS = 10_000
ZIP_BYTES = 300 * MEGABYTE
# Office XML compresses 20:1, repetitive sheets 100:1, a zip bomb 1,000:1.
ZIP_RATIO = 200
# Small files may compress better than that without doing harm.
ZIP_SMALL_BYTES = 20 * MEGABYTE
# People nest a dozen levels; Python's parser fails near a thousand.
JSON_DEPTH = 200
# Parsed JSON takes about ten times its size.
JSON_BYTES = 30 * MEGABYTE
TABLE_ROWS = 100_000
TABLE_COLUMNS = 500
FIELD_CHARS = 100_000
# A mailbox is read message by message; this many fill the text limit anyway.
MESSAGES = 5_000
MESSAGE_BYTES = 30 * MEGABYTE
# Longer than any talk; transcribing it takes 24 minutes on one core, a tenth of real time.
SOUND_S = 4 * 60 * 60
# Values in `found` are shown on one line.
FOUND_CHARS = 500


def read_bytes(path: Path, limit: int = FILE_BYTES) -> bytes:
    """Read a whole file; raises Unreadable when it is larger than its kind may be."""
    refuse_larger(path, limit)
    return path.read_bytes()


def refuse_larger(path: Path, limit: int = FILE_BYTES) -> None:
    if path.stat().st_size > limit:
        raise Unreadable(
            f"The file is larger than the {limit / MEGABYTE:,.0f} MB that are read of its kind; "
            "split it into smaller files."
        )
