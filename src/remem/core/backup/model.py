"""The values of a backup."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any, TypeAlias

from remem.core.errors import Invalid
from remem.core.ports import OriginalSum, StoreCounts
from remem.core.time import iso

FORMAT, VERSION = "remem-backup", 1
# The numbers of migrations have four digits.
MAX_SCHEMA = 10_000
# Reports progress: the number done, and the total.
Progress: TypeAlias = Callable[[int, int | None], None]


@dataclass(frozen=True, slots=True)
class Manifest:
    """The description of an archive. `missing` counts originals whose bytes were not found."""

    made_at: str
    schema: int
    originals: int = 0
    missing: int = 0
    size: int = 0
    format: str = FORMAT
    version: int = VERSION

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def read_manifest(loaded: Any) -> Manifest:
    types = {name: type(value) for name, value in Manifest("", 1).as_dict().items()}
    if isinstance(loaded, dict) and types == {name: type(loaded[name]) for name in loaded}:
        manifest = Manifest(**loaded)
        is_known = (manifest.format, manifest.version) == (FORMAT, VERSION)
        if (
            is_known
            and 0 < manifest.schema < MAX_SCHEMA
            and min(manifest.originals, manifest.missing, manifest.size) >= 0
        ):
            return _with_moment(manifest)
    raise Invalid("file", "it is of another kind or a newer remem; upgrade, nothing was changed")


def _with_moment(manifest: Manifest) -> Manifest:
    try:
        return replace(manifest, made_at=iso(datetime.fromisoformat(manifest.made_at)))
    except (ValueError, OverflowError) as error:
        raise Invalid("file", "it does not say when it was made; use another backup") from error


@dataclass(frozen=True, slots=True)
class BackupReport:
    """`damaged` are the names of originals in the archive whose bytes differ from what was
    saved."""

    manifest: Manifest
    damaged: list[str]
    counts: StoreCounts

    def as_dict(self) -> dict[str, Any]:
        return {**self.manifest.as_dict(), **self.counts._asdict(), "damaged": self.damaged}


def wrong_originals(originals: Iterable[OriginalSum], sums: Mapping[str, str]) -> list[OriginalSum]:
    """The originals whose bytes are missing, or differ from what was saved."""
    return [original for original in originals if sums.get(original.key) != original.sha256]


def damaged(originals: Iterable[OriginalSum], sums: Mapping[str, str]) -> list[str]:
    return [str(original) for original in wrong_originals(originals, sums) if original.key in sums]
