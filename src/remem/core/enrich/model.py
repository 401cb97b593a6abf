"""The values of enrichment: the same shape whoever fills it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Enrichment:
    """Each value stands in the text or in the file; what is not known is None."""

    title: str
    summary: str | None
    author: str | None = None
    published_at: str | None = None
    language: str | None = None
    category: str | None = None
    code_language: str | None = None
    tags: tuple[str, ...] = ()
