"""Tells in which human language a text is, where the file itself does not."""

import re
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from remem.core.ports import Extracted

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

# Enough to be sure, little enough to be quick.
SAMPLE_CHARS = 4_000
# Fewer letters than this are anybody's.
LEAST_LETTERS = 20
SURE = 0.9
NO_PROSE = ("code", "csv", "json")
NO_WORDS = re.compile(r"https?://\S+|[\W\d_]+")


def with_language(extracted: Extracted) -> Extracted:
    if extracted.content_type in NO_PROSE or extracted.found.get("language"):
        return extracted
    language = language_of(extracted.content)
    return (
        replace(extracted, found={**extracted.found, "language": language})
        if language
        else extracted
    )


def language_of(text: str) -> str | None:
    """An ISO 639-1 code, or nothing when it could be several."""
    words = NO_WORDS.sub(" ", text[:SAMPLE_CHARS]).strip()
    if len(words.replace(" ", "")) < LEAST_LETTERS and words.isascii():
        return None
    if not words:
        return None
    language, probability = _identifier().classify(words)
    return str(language) if probability >= SURE else None


@cache
def _identifier() -> "LanguageIdentifier":
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
