"""Uploaded files, as paths that the core can read while the request runs."""

import asyncio
import json
import shutil
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from fastapi import UploadFile

from remem.core.errors import Invalid
from remem.core.ports import Original
from remem.core.text import unstorable_reason
from remem.core.validate import check_json

NAME_LIMIT = 255


@asynccontextmanager
async def temporary_copy(file: UploadFile, claim: str | None = None) -> AsyncIterator[Original]:
    """Copy an upload to a temporary file, which is deleted on exit."""
    with tempfile.TemporaryDirectory(prefix="remem-") as folder:
        path = Path(folder) / "upload"
        await asyncio.to_thread(_copy, file, path)
        if path.stat().st_size == 0:
            raise Invalid("file", "is empty; send a file with content")
        yield Original(path, name=_file_name(file), claim=claim or file.content_type)


def _copy(file: UploadFile, path: Path) -> None:
    with path.open("wb") as target:
        shutil.copyfileobj(file.file, target)


def _file_name(file: UploadFile) -> str | None:
    """Return the last part of the file name, without any path the client sent."""
    name = (file.filename or "").replace("\\", "/").rpartition("/")[2][-NAME_LIMIT:]
    return None if unstorable_reason(name) else name or None


def read_metadata(text: str | None) -> dict[str, Any]:
    """Parse metadata, which a form carries as JSON text."""
    if not text:
        return {}
    try:
        value = json.loads(text)
    except RecursionError as error:
        raise Invalid("metadata", "is nested too deeply; flatten it") from error
    except ValueError as error:
        raise Invalid("metadata", "is not valid JSON; send an object") from error
    check_json("metadata", value)
    return value


def read_tags(tags: list[str]) -> list[str]:
    """Read tags from repeated fields, or from one field separated by commas."""
    parts = [part.strip() for tag in tags for part in tag.split(",")]
    return list(dict.fromkeys(part for part in parts if part))
