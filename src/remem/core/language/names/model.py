"""The values of names."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

EntityType: TypeAlias = Literal[
    "person", "organization", "place", "system", "concept", "technology", "api", "file", "event"
]


@dataclass(frozen=True, slots=True)
class Mention:
    """A name that stands in a text: as it is to be written, in its one form, and as it stood."""

    type: EntityType
    name: str
    normalized: str
    written: str
