"""A folder on the server's disk."""

import asyncio
import os
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from remem.adapters.importers.bundle import is_litter
from remem.adapters.importers.obsidian import INTERNAL_SUFFIXES, NOTE_SUFFIXES, note_item
from remem.core.connectors.model import (
    Access,
    Account,
    ChangePage,
    Mark,
    Resource,
    ResourcePage,
    SeenItem,
    WalkPage,
)
from remem.core.connectors.provider import Field, Provider
from remem.core.errors import Invalid, Unavailable
from remem.core.items import Item, LeftOut

PAGE_FILES = 200
# A longer note is stored as a file, like any other file.
NOTE_BYTES = 400_000
MEGABYTE = 1_000_000


class FolderConnector:
    """Every sync lists the whole folder and compares names, sizes and times. The folder must be
    below one of the `roots` that the operator of the server allows. Links that lead out of it are
    not followed."""

    def __init__(self, roots: Sequence[Path], max_bytes: int) -> None:
        self._roots = [root.expanduser().resolve() for root in roots]
        self._max_bytes = max_bytes

    provider = Provider(
        title="Folder",
        about="Files and notes on the server's disk, with front matter, tags and links.",
        help="Give the whole path of a folder that the operator of the server has allowed by"
        " REMEM_FOLDERS.",
        fields=(Field("path", "the path of a folder on the server", example="/home/me/Notes"),),
        selected="path",
        walk_every_s=0,
        needs_admin=True,
    )

    async def account(self, access: Access) -> Account:
        root = await asyncio.to_thread(self._root, access)
        return Account(key=str(root), name=str(root))

    async def resources(self, access: Access, under: str | None, at: str | None) -> ResourcePage:
        root = await asyncio.to_thread(self._root, access)
        count = await asyncio.to_thread(lambda: sum(1 for _ in _file_paths(root)))
        return ResourcePage((Resource(str(root), root.name, count),))

    async def begin(self, access: Access) -> Mark:
        return None

    async def walk(self, access: Access, at: Mark | None) -> WalkPage:
        return await asyncio.to_thread(self._page, access, at)

    async def changes(self, access: Access, mark: Mark) -> ChangePage:
        return ChangePage((), mark)

    async def read(self, access: Access, seen: SeenItem, folder: Path) -> Item | LeftOut | None:
        return await asyncio.to_thread(self._read, access, seen, folder)

    async def close(self) -> None:
        """Close nothing: no resource stays open between two calls."""

    def _root(self, access: Access) -> Path:
        path = Path(str(access.settings.get("path", ""))).expanduser()
        if not path.is_absolute():
            raise Invalid("path", "is not absolute; give the whole path of the folder")
        if not self._roots:
            raise Invalid(
                "path",
                "no folder may be read by this server; set REMEM_FOLDERS to those that may, such"
                ' as ["/home/me/Notes"], and restart it',
            )
        resolved = path.resolve()
        if not any(resolved.is_relative_to(root) for root in self._roots):
            raise Invalid("path", "is not in a folder of REMEM_FOLDERS; add it there, or move it")
        if not resolved.is_dir():
            raise Unavailable(f"The folder {path} is not there now; mount it, or check the path.")
        return resolved

    def _page(self, access: Access, at: Mark | None) -> WalkPage:
        root = self._root(access)
        names = sorted(name for name in _file_paths(root) if at is None or name > at)
        page = names[:PAGE_FILES]
        wanted = [name for name in page if not self._is_skipped(access, root, name)]
        seen = [item for name in wanted if (item := _seen_item(root, name))]
        return WalkPage(tuple(seen), page[-1] if len(names) > PAGE_FILES else None)

    def _is_skipped(self, access: Access, root: Path, name: str) -> bool:
        return False

    def _read(self, access: Access, seen: SeenItem, folder: Path) -> Item | LeftOut | None:
        root = self._root(access)
        path = PurePosixPath(seen.reference)
        if path.suffix.lower() in INTERNAL_SUFFIXES:
            return LeftOut("document", seen.reference, "it is a vault's own file, without text")
        copy = _copy(root, seen, folder, self._max_bytes)
        if not isinstance(copy, Path):
            return copy
        if path.suffix.lower() in NOTE_SUFFIXES and copy.stat().st_size <= NOTE_BYTES:
            return note_item(path, copy.read_bytes().decode("utf-8-sig", "replace"))
        return Item(
            kind="document",
            reference=seen.reference,
            file=copy,
            title=path.name,
            metadata={"path": seen.reference},
        )


def _file_paths(root: Path) -> Iterator[str]:
    """Yield the paths of the files below a folder, relative to it and without hidden ones."""

    def fail(error: OSError) -> None:
        # A folder that cannot be listed must not look empty, or its files would count as removed.
        if not isinstance(error, FileNotFoundError):
            raise Unavailable(
                f"The folder {error.filename} cannot be listed; let the server's user read it."
            ) from error

    for folder, folders, names in os.walk(root, onerror=fail):
        folders[:] = [name for name in folders if not is_ignored(name)]
        below = Path(folder).relative_to(root)
        for name in names:
            if not is_ignored(name) and _is_storable(name):
                yield (below / name).as_posix()


def is_ignored(name: str) -> bool:
    return name.startswith(".") or is_litter(name)


def _is_storable(name: str) -> bool:
    """Whether a name is valid Unicode. Any other name cannot be stored and looked up again."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _seen_item(root: Path, name: str) -> SeenItem | None:
    """Describe a file. None when it is not a file, is gone, or is a link that leads out of the
    folder."""
    path = root / name
    try:
        if not path.resolve(strict=True).is_relative_to(root) or not path.is_file():
            return None
        return SeenItem(reference=name, revision=_revision(path.stat()), path=name)
    except (OSError, RuntimeError):
        return None


def _revision(status: os.stat_result) -> str:
    return f"{status.st_size}-{status.st_mtime_ns}-{status.st_ino}"


def _copy(root: Path, seen: SeenItem, folder: Path, max_bytes: int) -> Path | LeftOut | None:
    """Copy a file as of one moment. A file that is being written is read at the next sync."""
    if _seen_item(root, seen.reference) is None:
        return None
    descriptor, name = tempfile.mkstemp(dir=folder)
    target = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as copy, _open_nonblocking(root / seen.reference) as file:
            size = os.fstat(file.fileno()).st_size
            if size == 0:
                return LeftOut("document", seen.reference, "it is empty")
            if size > max_bytes:
                limit = f"{max_bytes / MEGABYTE:,.0f} MB"
                return LeftOut("document", seen.reference, f"it is larger than {limit}")
            _copy_bytes(file, copy, size)
            if _revision(os.fstat(file.fileno())) != seen.revision:
                reason = "it was being written; it is read at the next sync"
                return LeftOut("document", seen.reference, reason)
    except FileNotFoundError:
        return None
    except OSError as error:
        reason = f"it cannot be read ({error.strerror}); let the server's user read it"
        return LeftOut("document", seen.reference, reason)
    return target


def _open_nonblocking(path: Path) -> BinaryIO:
    """Open without blocking, in case a pipe that never ends has replaced the file."""
    return os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb")


def _copy_bytes(file: BinaryIO, copy: BinaryIO, size: int) -> None:
    """Copy at most `size` bytes, because a log may grow faster than it is read."""
    while size > 0 and (part := file.read(min(size, MEGABYTE))):
        copy.write(part)
        size -= len(part)
