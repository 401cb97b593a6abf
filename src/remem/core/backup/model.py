"""The values of a backup."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, TypeAlias

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
