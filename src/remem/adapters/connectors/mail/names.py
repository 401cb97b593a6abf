"""How IMAP writes numbers of messages and names of folders. Pure."""

import base64
import re
from collections.abc import Iterable

from remem.core.errors import Unavailable

_BASE64 = re.compile(r"&([A-Za-z0-9+,]*)-")


def numbers(ranges: str) -> list[int]:
    """Of "1:3,7": 1, 2, 3, 7."""
    found: list[int] = []
    for part in filter(None, ranges.split(",")):
        first, _, last = part.partition(":")
        low, high = sorted((int(first), int(last or first)))
        if len(found) + high - low > 2_000_000:
            raise Unavailable("The folder has too many messages; choose a smaller one.")
        found += range(low, high + 1)
    return sorted(found)


def ranges(found: Iterable[int]) -> str:
    """Of 1, 2, 3, 7: "1:3,7"."""
    spans: list[list[int]] = []
    for number in sorted(found):
        if spans and spans[-1][1] == number - 1:
            spans[-1][1] = number
        else:
            spans.append([number, number])
    return ",".join(f"{low}:{high}" if high > low else str(low) for low, high in spans)


def readable(name: str) -> str:
    """A folder's name as people write it: IMAP has its own way for letters beyond ASCII."""

    def decoded(found: re.Match[str]) -> str:
        if not found[1]:
            return "&"
        packed = found[1].replace(",", "/")
        try:
            return base64.b64decode(packed + "=" * (-len(packed) % 4)).decode("utf-16-be")
        except ValueError:
            return found[0]

    return _BASE64.sub(decoded, name)


def quoted(name: str) -> str:
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def unquoted(name: bytes) -> str:
    text = name.decode("ascii", "replace").strip()
    if text.startswith('"') and text.endswith('"'):
        return re.sub(r"\\(.)", r"\1", text[1:-1])
    return text
