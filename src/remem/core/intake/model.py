"""The origin of an item."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Origin:
    """The product an item is from, the project it is saved to, and whether to fetch bookmarked
    pages without text."""

    name: str
    project: str | None = None
    fetch: bool = False
