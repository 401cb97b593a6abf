"""IMAP's notation of message numbers and folder names. Pure."""

import base64
import re
from collections.abc import Iterable

from remem.core.errors import Unavailable

_BASE64 = re.compile(r"&([A-Za-z0-9+,]*)-")


def parse_ranges(ranges: str) -> list[int]:
    """Parse "1:3,7" to 1, 2, 3, 7."""
    numbers: list[int] = []
    for part in filter(None, ranges.split(",")):
        first, _, last = part.partition(":")
        low, high = sorted((int(first), int(last or first)))
        if len(numbers) + high - low > 2_000_000:
            raise Unavailable("The folder has too many messages; choose a smaller one.")
        numbers += range(low, high + 1)
    return sorted(numbers)


def format_ranges(numbers: Iterable[int]) -> str:
    """Format 1, 2, 3, 7 as "1:3,7"."""
    spans: list[list[int]] = []
    for number in sorted(numbers):
        if spans and spans[-1][1] == number - 1:
            spans[-1][1] = number
        else:
            spans.append([number, number])
    return ",".join(f"{low}:{high}" if high > low else str(low) for low, high in spans)


def decode_folder_name(name: str) -> str:
    """Decode a folder name from IMAP's modified UTF-7."""

    def decode_match(match: re.Match[str]) -> str:
        if not match[1]:
            return "&"
        encoded = match[1].replace(",", "/")
        try:
            return base64.b64decode(encoded + "=" * (-len(encoded) % 4)).decode("utf-16-be")
        except ValueError:
            return match[0]

    return _BASE64.sub(decode_match, name)


def quote_name(name: str) -> str:
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def unquote_name(name: bytes) -> str:
    text = name.decode("ascii", "replace").strip()
    if text.startswith('"') and text.endswith('"'):
        return re.sub(r"\\(.)", r"\1", text[1:-1])
    return text
