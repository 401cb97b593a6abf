"""The ports of a backup: the whole database, and the originals."""

from collections.abc import Awaitable, Callable, Mapping, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from remem.core.ports import Blobs, DumpedStore, OriginalSum, StoreCounts, TableSum


class DatabaseDump(Protocol):
    """Dumps and restores the whole database, with every tenant's rows, for the operator of the
    machine. `write` creates a file of one moment while others work, and returns what the store had
    at that moment. `check` raises Invalid for a file that `write` never makes; `load` replaces
    everything by the rows of such a file, which fit that version of the schema, or changes nothing,
    also if `before_commit` fails, which is called when all rows fit with the keys of the originals
    that they refer to; these are returned. Neither executes anything in the file.
    `sums` has the sums of the tables in a file, without what every restore changes.
    `originals` are the blobs that rows refer to; `other_connections` counts the other clients of
    the database."""

    async def write(self, target: Path) -> DumpedStore: ...

    async def check(self, source: Path) -> None: ...

    async def load(
        self, source: Path, schema: int, before_commit: Callable[[Set[str]], Awaitable[None]]
    ) -> Set[str]: ...

    async def sums(self, source: Path) -> Mapping[str, TableSum]: ...

    async def originals(self) -> list[OriginalSum]: ...

    async def counts(self) -> StoreCounts: ...

    async def holds_anything(self) -> bool: ...

    async def other_connections(self) -> int: ...


@dataclass(frozen=True, slots=True)
class BackupPorts:
    """The rows and the originals of the store, and the newest schema that this version knows."""

    dump: DatabaseDump
    blobs: Blobs
    newest_schema: int
