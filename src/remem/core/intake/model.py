"""Where an item comes from."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Origin:
    """The product an item is from, the project it goes to, and whether pages that it only names
    are fetched."""

    name: str
    project: str | None = None
    fetch: bool = False
