"""Opens ZIP files that strangers made: what they unpack to is counted before anything is."""

import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from remem.adapters.extractors.limits import (
    MEGABYTE,
    ZIP_BYTES,
    ZIP_MEMBERS,
    ZIP_RATIO,
    ZIP_SMALL_BYTES,
)
from remem.adapters.extractors.xml import refuse_entities
from remem.core.errors import Unreadable

XML_NAMES = (".xml", ".rels", ".opf", ".ncx", ".xhtml", ".html", ".htm", ".svg")
ENCRYPTED = "The file is encrypted; remove the password and save it."
BROKEN = "The file is damaged or incomplete ({}); save or download it again."


class Archive:
    """A ZIP file whose members were found to be within limits."""

    def __init__(self, opened: zipfile.ZipFile) -> None:
        self._zip = opened
        self.names = frozenset(opened.namelist())

    def read(self, name: str) -> bytes:
        """A member's bytes, never more than it said it has."""
        try:
            stated = self._zip.getinfo(name).file_size
            with self._zip.open(name) as member:
                data = member.read(stated + 1)
        except (KeyError, zipfile.BadZipFile, OSError, EOFError, ValueError) as error:
            raise Unreadable(BROKEN.format(f"{name} cannot be read")) from error
        except RuntimeError as error:
            raise Unreadable(ENCRYPTED) from error
        if len(data) > stated:
            raise Unreadable(BROKEN.format(f"{name} is larger than it says"))
        return data

    @contextmanager
    def open(self, name: str) -> Iterator[IO[bytes]]:
        """A member as it is read, never whole in memory; zipfile ends it at the size it stated."""
        try:
            with self._zip.open(name) as member:
                yield member
        except (KeyError, zipfile.BadZipFile, OSError, EOFError, zlib.error) as error:
            raise Unreadable(BROKEN.format(f"{name} cannot be read")) from error
        except RuntimeError as error:
            raise Unreadable(ENCRYPTED) from error

    def size(self, name: str) -> int:
        return self._zip.getinfo(name).file_size

    def refuse_entities(self) -> None:
        for name in sorted(self.names):
            if name.lower().endswith(XML_NAMES):
                refuse_entities(self.read(name)[:MEGABYTE])


@contextmanager
def open_archive(
    path: Path, *, most_bytes: int = ZIP_BYTES, most_members: int = ZIP_MEMBERS
) -> Iterator[Archive]:
    try:
        opened = zipfile.ZipFile(path)
    except (zipfile.BadZipFile, OSError, ValueError, EOFError) as error:
        raise Unreadable(BROKEN.format("its list of parts is missing")) from error
    with opened:
        _check(opened, path.stat().st_size, most_bytes, most_members)
        yield Archive(opened)


def _check(opened: zipfile.ZipFile, size_bytes: int, most_bytes: int, most_members: int) -> None:
    members = opened.infolist()
    if len(members) > most_members:
        raise Unreadable(
            f"The file has {len(members):,} parts, and at most {most_members:,} are read."
        )
    unpacked = sum(member.file_size for member in members)
    bomb = unpacked > ZIP_SMALL_BYTES and unpacked > ZIP_RATIO * size_bytes
    if bomb or unpacked > most_bytes:
        raise Unreadable(
            f"The file would unpack to {unpacked / MEGABYTE:,.0f} MB, which is more than is read; "
            "save it in smaller parts."
        )
