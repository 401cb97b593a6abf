"""A word has one stem, whichever word is asked for beside it."""

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from remem.core.language.stems import stem_of

BEGINNINGS = ("nation", "relat", "creat", "hopp", "gener", "happi", "organ", "communic")
ENDINGS = ("al", "ally", "ing", "ed", "ness", "ization", "fulness", "ious", "ative", "ement")


@pytest.fixture
def hasty_threads() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def stems(words: list[str]) -> list[str]:
    return [stem_of(word) for word in words]


def test_threads_do_not_spoil_each_others_words(hasty_threads: None) -> None:
    words = [beginning + ending for beginning in BEGINNINGS for ending in ENDINGS]
    alone = stems(words)
    with ThreadPoolExecutor(4) as threads:
        assert all(found == alone * 20 for found in threads.map(stems, [words * 20] * 8))
