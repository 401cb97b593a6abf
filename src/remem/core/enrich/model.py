"""The metadata detected in a text, by rules or by a language model."""

from dataclasses import dataclass

# How many characters are read: the metadata is at the beginning.
HEAD_LIMIT = 20_000
TAGS_LIMIT = 5
SUMMARY_LIMIT = 400

CATEGORIES = frozenset(
    "article documentation tutorial opinion research reference conversation recording note"
    " code data email post".split()
)
SENTIMENTS = frozenset({"positive", "negative", "neutral"})


@dataclass(frozen=True, slots=True)
class Enrichment:
    """Metadata that occurs in the text or in its file; None when it does not.

    `published_at` is ISO 8601, a day or a moment. `language` is ISO 639. `category` is one of
    CATEGORIES. `sentiment` is one of SENTIMENTS, and never set by rules. `own_tags` are the tags
    that the front matter of the text gives.
    """

    title: str
    summary: str
    author: str | None = None
    published_at: str | None = None
    language: str | None = None
    tags: tuple[str, ...] = ()
    own_tags: tuple[str, ...] = ()
    category: str = "note"
    code_language: str | None = None
    sentiment: str | None = None
