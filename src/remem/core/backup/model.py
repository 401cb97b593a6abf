"""The values of a backup."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, TypeAlias

from remem.core.ports import OriginalSum

FORMAT, VERSION = "remem-backup", 1
# Says how far work has come: what is done, and of how much.
Progress: TypeAlias = Callable[[int, int | None], None]


@dataclass(frozen=True, slots=True)
class Manifest:
    """What an archive says of itself. `missing` counts originals whose bytes were not there."""

    made_at: str
    schema: int
    originals: int = 0
    missing: int = 0
    size: int = 0
    format: str = FORMAT
    version: int = VERSION

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class BackupReport:
    """`damaged` are the originals in the archive that are not what was saved once, by name."""

    manifest: Manifest
    damaged: list[str]

    def as_dict(self) -> dict[str, Any]:
        return {**self.manifest.as_dict(), "damaged": self.damaged}


def differing(named: Iterable[OriginalSum], sums: Mapping[str, str]) -> list[OriginalSum]:
    """The originals whose bytes are missing, or other than those that were saved."""
    return [original for original in named if sums.get(original.key) != original.sha256]


def damaged(named: Iterable[OriginalSum], sums: Mapping[str, str]) -> list[str]:
    return [str(original) for original in differing(named, sums) if original.key in sums]
