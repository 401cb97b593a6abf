"""What a backup needs: the whole database, and the originals."""

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from remem.core.ports import Blobs, OriginalSum


class Dump(Protocol):
    """The whole database, every tenant's rows, for who runs the machine. `write` makes a file of
    one moment, while others work; `load` puts such a file in the place of everything, or changes
    nothing. `originals` are the blobs that rows name; `others` counts who else is
    connected."""

    async def write(self, target: Path) -> None: ...

    async def load(self, source: Path) -> None: ...

    async def originals(self) -> list[OriginalSum]: ...

    async def schema(self) -> int: ...

    async def holds_anything(self) -> bool: ...

    async def others(self) -> int: ...


@dataclass(frozen=True, slots=True)
class BackupPorts:
    """The store as a thing that is kept safe: its rows, its originals, and the newest schema that
    this version knows."""

    dump: Dump
    blobs: Blobs
    knows: int
