"""The files of the built web app, cached with their compressed form."""

import gzip
import mimetypes
import re
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path

# The build puts every hashed file into one folder, without folders below it.
ASSET_FOLDER = "assets"
_FILE_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,199}")
_CACHED_FILES = 500
# Fonts and pictures are compressed already.
_COMPRESSED = re.compile(r"text/|application/(?:json|javascript|manifest\+json)|image/svg")
_TYPES = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".json": "application/json",
    ".map": "application/json",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
}


@dataclass(frozen=True, slots=True)
class WebFile:
    content: bytes
    media_type: str
    gzipped: bytes | None


class WebFiles:
    """The folder of the build. Files in `assets/` have a hash in their name and never change;
    `index.html` and the files next to it may change with every build."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._asset = lru_cache(_CACHED_FILES)(self._read_asset)

    def index(self, public_path: str) -> WebFile | None:
        """The page, whose relative addresses are made absolute: pages have many depths."""
        try:
            page = (self._folder / "index.html").read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            return None
        return _file("index.html", page.replace(b'"./', f'"{public_path}/'.encode()))

    def asset(self, name: str) -> WebFile | None:
        return self._asset(name) if _FILE_NAME.fullmatch(name) else None

    def root_file(self, name: str) -> WebFile | None:
        return _read(self._folder / name)

    def root_file_names(self) -> list[str]:
        """The other files to serve: the icon, the manifest and the service worker."""
        if not self._folder.is_dir():
            return []
        names = sorted(path.name for path in self._folder.iterdir() if path.is_file())
        return [name for name in names if name != "index.html" and _FILE_NAME.fullmatch(name)]

    def _read_asset(self, name: str) -> WebFile | None:
        return _read(self._folder / ASSET_FOLDER / name)


def built_files() -> WebFiles:
    return WebFiles(Path(str(files("remem"))) / "web" / "dist")


def _read(path: Path) -> WebFile | None:
    try:
        content = path.read_bytes()
    except (FileNotFoundError, IsADirectoryError, NotADirectoryError):
        return None
    return _file(path.name, content)


def _file(name: str, content: bytes) -> WebFile:
    media_type = _media_type(name)
    is_text = _COMPRESSED.match(media_type) is not None
    return WebFile(content, media_type, gzip.compress(content, 6) if is_text else None)


def _media_type(name: str) -> str:
    known = _TYPES.get(Path(name).suffix)
    guessed = known or mimetypes.guess_type(name)[0] or "application/octet-stream"
    return f"{guessed}; charset=utf-8" if guessed.startswith("text/") else guessed
