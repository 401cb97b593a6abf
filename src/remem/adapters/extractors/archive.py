"""Open untrusted ZIP files; their unpacked size is checked before anything is read."""

import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
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
# The time of members whose program gives none.
UNSET_YEAR = 1980


class Archive:
    """A ZIP file whose members are within the limits."""

    def __init__(self, zip_file: zipfile.ZipFile) -> None:
        self._zip = zip_file
        self.names = frozenset(zip_file.namelist())

    @property
    def packed_at(self) -> datetime | None:
        """When the newest member was packed; None if the program left no time."""
        times = [item.date_time for item in self._zip.infolist() if item.date_time[0] > UNSET_YEAR]
        try:
            return datetime(*max(times), tzinfo=UTC) if times else None
        except ValueError:
            return None

    def read(self, name: str) -> bytes:
        """Read a member, up to its declared size."""
        try:
            declared_size = self._zip.getinfo(name).file_size
            with self._zip.open(name) as member:
                data = member.read(declared_size + 1)
        except (KeyError, zipfile.BadZipFile, OSError, EOFError, ValueError) as error:
            raise Unreadable(BROKEN.format(f"{name} cannot be read")) from error
        except RuntimeError as error:
            raise Unreadable(ENCRYPTED) from error
        if len(data) > declared_size:
            raise Unreadable(BROKEN.format(f"{name} is larger than it says"))
        return data

    @contextmanager
    def open(self, name: str) -> Iterator[IO[bytes]]:
        """Open a member as a stream. zipfile stops at its declared size."""
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
    path: Path, *, max_bytes: int = ZIP_BYTES, max_members: int = ZIP_MEMBERS
) -> Iterator[Archive]:
    try:
        zip_file = zipfile.ZipFile(path)
    except (zipfile.BadZipFile, OSError, ValueError, EOFError) as error:
        raise Unreadable(BROKEN.format("its list of parts is missing")) from error
    with zip_file:
        _check_limits(zip_file, path.stat().st_size, max_bytes, max_members)
        yield Archive(zip_file)


def _check_limits(
    zip_file: zipfile.ZipFile, size_bytes: int, max_bytes: int, max_members: int
) -> None:
    members = zip_file.infolist()
    if len(members) > max_members:
        raise Unreadable(
            f"The file has {len(members):,} parts, and at most {max_members:,} are read."
        )
    unpacked_bytes = sum(member.file_size for member in members)
    is_bomb = unpacked_bytes > ZIP_SMALL_BYTES and unpacked_bytes > ZIP_RATIO * size_bytes
    if is_bomb or unpacked_bytes > max_bytes:
        raise Unreadable(
            f"The file would unpack to {unpacked_bytes / MEGABYTE:,.0f} MB, which is more than is"
            " read; save it in smaller parts."
        )
