"""What stands above a note between two lines of dashes: fields, each a value or a list of them.

It is read as people and note programs write it. Deeper structures stay the text they are, and
nothing in it is expanded."""

import re
from typing import Any

_FRONT = re.compile(r"\A---[ \t]*\n(.*?)^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_FIELD = re.compile(r"([^\s:#\-\[{][^:\n]*):(?:[ \t]++(.*))?")
_ENTRY = re.compile(r"[ \t]*-[ \t]+(.*)")
_BETWEEN_COMMAS = re.compile(r"(?>(?:\"[^\"]*\"|'[^']*'|[^,])+)")
_REMARK = re.compile(r"(?<![ \t])[ \t]++#.*")
_FRONT_CHARS = 100_000


def parted(text: str) -> tuple[dict[str, Any], str]:
    """The fields, and the text without them."""
    text = text.replace("\r\n", "\n")
    found = _FRONT.match(text[:_FRONT_CHARS])
    if not found:
        return {}, text
    return _fields(found[1]), text[found.end() :]


def _fields(front: str) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    key = ""
    for line in front.splitlines():
        if field := _FIELD.fullmatch(line.rstrip()):
            key = field[1].strip().strip("\"'")
            fields[key] = _value((field[2] or "").strip())
        elif key and (entry := _ENTRY.fullmatch(line.rstrip())):
            known = fields[key]
            fields[key] = [*(known if isinstance(known, list) else []), _scalar(entry[1].strip())]
        elif key and line.strip():
            fields[key] = f"{fields[key] or ''}\n{line.strip()}".strip(">|\n")
    return fields


def _value(written: str) -> Any:
    if written.startswith("[") and written.endswith("]") and not written.startswith("[["):
        return [
            _scalar(one.strip()) for one in _BETWEEN_COMMAS.findall(written[1:-1]) if one.strip()
        ]
    return _scalar(written)


def _scalar(written: str) -> Any:
    if written[:1] in ("'", '"') and written[-1:] == written[:1] and len(written) > 1:
        return written[1:-1]
    written = _REMARK.sub("", written)
    if written in ("true", "false"):
        return written == "true"
    return int(written) if re.fullmatch(r"-?\d{1,15}", written) else written
