"""Stemming is thread-safe: a word has one stem, whatever other threads stem."""

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from remem.core.language.stems import stem_of

BEGINNINGS = ("nation", "relat", "creat", "hopp", "gener", "happi", "organ", "communic")
ENDINGS = ("al", "ally", "ing", "ed", "ness", "ization", "fulness", "ious", "ative", "ement")


@pytest.fixture
def fast_thread_switches() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def stems(words: list[str]) -> list[str]:
    return [stem_of(word) for word in words]


def test_threads_do_not_change_each_others_stems(fast_thread_switches: None) -> None:
    words = [beginning + ending for beginning in BEGINNINGS for ending in ENDINGS]
    expected = stems(words)
    with ThreadPoolExecutor(4) as threads:
        assert all(result == expected * 20 for result in threads.map(stems, [words * 20] * 8))
