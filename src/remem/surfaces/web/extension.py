"""The browser extension to download: the files that its build wrote."""

import asyncio
import re
from importlib.resources import files
from pathlib import Path

from fastapi import APIRouter, Response

from remem.core.errors import NotFound
from remem.surfaces.web import headers

FILE_PATH = "/extension/{name}"
# The list of the files; without a build it is empty.
LIST = "files.json"
_NAME = re.compile(r"remem-extension-[0-9A-Za-z.]+-[a-z]+\.zip")
_NOTHING = b'{"version": "", "files": []}\n'

router = APIRouter(include_in_schema=False)


@router.get(FILE_PATH)
async def extension_file(name: str) -> Response:
    if name == LIST:
        found = await asyncio.to_thread(_read, name)
        return Response(found or _NOTHING, 200, headers.FIXED_NAME, "application/json")
    found = await asyncio.to_thread(_read, name) if _NAME.fullmatch(name) else None
    if found is None:
        raise NotFound("file", name)
    sent = {**headers.FIXED_NAME, "Content-Disposition": f'attachment; filename="{name}"'}
    return Response(found, 200, sent, "application/zip")


def _read(name: str) -> bytes | None:
    path = Path(str(files("remem"))) / "web" / "extension" / name
    return path.read_bytes() if path.is_file() else None
