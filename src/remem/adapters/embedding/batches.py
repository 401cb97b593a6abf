"""Split texts into batches."""

from collections.abc import Iterable, Iterator


def split_batches(texts: Iterable[str], max_texts: int, max_chars: int) -> Iterator[list[str]]:
    """Yield batches in order; a text longer than `max_chars` is a batch of its own."""
    batch: list[str] = []
    chars = 0
    for text in texts:
        if batch and (len(batch) == max_texts or chars + len(text) > max_chars):
            yield batch
            batch, chars = [], 0
        batch.append(text)
        chars += len(text)
    if batch:
        yield batch
