"""Texts in parts that one call takes."""

from collections.abc import Iterable, Iterator


def batches(texts: Iterable[str], most_texts: int, most_chars: int) -> Iterator[list[str]]:
    """In their order; a text that is longer than a part may be is one by itself."""
    batch: list[str] = []
    chars = 0
    for text in texts:
        if batch and (len(batch) == most_texts or chars + len(text) > most_chars):
            yield batch
            batch, chars = [], 0
        batch.append(text)
        chars += len(text)
    if batch:
        yield batch
