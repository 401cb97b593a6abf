"""JSON messages between the server and an extraction process."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from remem.core.chunking.model import Joint, Mark
from remem.core.extraction_ports import Extracted, Original


def pack(message: dict[str, Any]) -> bytes:
    return json.dumps(message, ensure_ascii=False, default=str).encode("utf-8", "replace")


def unpack(body: bytes) -> dict[str, Any]:
    return json.loads(body)


def build_request(
    original: Original, cpu_s: float, *, paused: Mapping[str, str], grammars: bool = False
) -> dict[str, Any]:
    """Build a request. `paused` has the reason for each provider that may not be called now."""
    return {
        "path": str(original.path.absolute()),
        "name": original.name,
        "claim": original.claim,
        "url": original.url,
        "cpu_s": cpu_s,
        "grammars": grammars,
        "paused": dict(paused),
    }


def parse_original(message: dict[str, Any]) -> Original:
    return Original(Path(message["path"]), message["name"], message["claim"], message["url"])


def dump_extracted(extracted: Extracted) -> dict[str, Any]:
    return {
        "content": extracted.content,
        "content_type": extracted.content_type,
        "marks": [(mark.joint, mark.start, mark.label, mark.number) for mark in extracted.marks],
        "found": dict(extracted.found),
        "cut": extracted.cut,
    }


def parse_extracted(message: dict[str, Any]) -> Extracted:
    marks = (Mark(Joint(joint), *rest) for joint, *rest in message["marks"])
    return Extracted(
        content=message["content"],
        content_type=message["content_type"],
        marks=tuple(marks),
        found=message["found"],
        cut=message["cut"],
    )
