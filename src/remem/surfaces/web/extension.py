"""Download the browser extension: the files that its build wrote."""

import asyncio
import re
from importlib.resources import files
from pathlib import Path

from fastapi import APIRouter, Response

from remem.core.errors import NotFound
from remem.surfaces.web import headers

FILE_PATH = "/extension/{name}"
# The list of files, which is empty without a build.
LIST = "files.json"
_NAME = re.compile(r"remem-extension-[0-9A-Za-z.]+-[a-z]+\.zip")
_EMPTY_LIST = b'{"version": "", "files": []}\n'

router = APIRouter(include_in_schema=False)


@router.get(FILE_PATH)
async def extension_file(name: str) -> Response:
    if name == LIST:
        content = await asyncio.to_thread(_read, name)
        return Response(content or _EMPTY_LIST, 200, headers.FIXED_NAME, "application/json")
    content = await asyncio.to_thread(_read, name) if _NAME.fullmatch(name) else None
    if content is None:
        raise NotFound("file", name)
    sent_headers = {**headers.FIXED_NAME, "Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content, 200, sent_headers, "application/zip")


def _read(name: str) -> bytes | None:
    path = Path(str(files("remem"))) / "web" / "extension" / name
    return path.read_bytes() if path.is_file() else None
