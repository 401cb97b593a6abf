"""An exported file: a single file, or the members of a ZIP."""

import shutil
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from remem.adapters.extractors.archive import Archive, open_archive
from remem.adapters.importers.limits import HEAD_BYTES, MEMBERS, UNPACKED_BYTES

# Folders that programs add to people's files.
_LITTER = frozenset({"__MACOSX", "node_modules"})


class Bundle:
    """Files by their names in the archive; a single file has the name ""."""

    def __init__(self, path: Path, archive: Archive | None) -> None:
        self._path, self._archive = path, archive

    @property
    def is_archive(self) -> bool:
        return self._archive is not None

    @property
    def names(self) -> list[str]:
        """Sorted names, without folders and litter."""
        if self._archive is None:
            return [""]
        return sorted(name for name in self._archive.names if not is_litter(name))

    def names_ending(self, *ends: str) -> list[str]:
        return [name for name in self.names if name.lower().endswith(ends)]

    def size(self, name: str) -> int:
        return self._archive.size(name) if self._archive else self._path.stat().st_size

    def head(self, name: str = "") -> bytes:
        with self.open(name) as file:
            return file.read(HEAD_BYTES)

    @contextmanager
    def open(self, name: str) -> Iterator[IO[bytes]]:
        if self._archive:
            with self._archive.open(name) as member:
                yield member
        else:
            with self._path.open("rb") as file:
                yield file

    def unpack(self, name: str, target: Path) -> Path:
        with self.open(name) as source, target.open("wb") as file:
            shutil.copyfileobj(source, file, 1 << 20)
        return target


@contextmanager
def open_bundle(path: Path) -> Iterator[Bundle]:
    """Open an export. Raises Unreadable for an archive that is damaged or would unpack to too
    much."""
    if not zipfile.is_zipfile(path):
        yield Bundle(path, None)
        return
    with open_archive(path, max_bytes=UNPACKED_BYTES, max_members=MEMBERS) as archive:
        yield Bundle(path, archive)


def is_litter(name: str) -> bool:
    parts = name.split("/")
    hidden = any(part.startswith(".") and part not in (".", "..") for part in parts)
    return name.endswith("/") or hidden or not _LITTER.isdisjoint(parts)


def leads_outside(name: str) -> bool:
    """Whether unpacking a member by its name would write outside of the target folder."""
    parts = name.replace("\\", "/").split("/")
    return ".." in parts or parts[0] == "" or parts[0].endswith(":")
