"""Types of names."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

EntityType: TypeAlias = Literal[
    "person", "organization", "place", "system", "concept", "technology", "api", "file", "event"
]


@dataclass(frozen=True, slots=True)
class Mention:
    """A name in a text: in its canonical spelling, normalized, and as it was written."""

    type: EntityType
    name: str
    normalized: str
    written: str
