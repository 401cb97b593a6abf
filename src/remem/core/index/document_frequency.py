"""Cache of the document frequencies of common words, valid while a store hardly changes."""

from collections import OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias
from uuid import UUID

from remem.core.index.policy import WORD_POLICY, WordPolicy

MAX_ENTRIES = 1_000

# A tenant, kinds of text, and project ids (None for all projects).
CacheKey: TypeAlias = tuple[UUID, str, tuple[UUID, ...] | None]


@dataclass(frozen=True, slots=True)
class _Frequencies:
    texts: float
    frequencies: dict[str, int] = field(default_factory=dict)


class DocumentFrequency:
    """Counting a word means reading its posting list, and the lists of common words are long. A few
    texts more or less hardly change the weight of such a word."""

    def __init__(self, policy: WordPolicy = WORD_POLICY) -> None:
        self._policy = policy
        self._entries: OrderedDict[CacheKey, _Frequencies] = OrderedDict()

    def get(self, key: CacheKey, terms: Iterable[str]) -> dict[str, int]:
        """The cached frequencies of those terms that have one."""
        entry = self._entries.get(key)
        if entry is None:
            return {}
        self._entries.move_to_end(key)
        return {term: entry.frequencies[term] for term in terms if term in entry.frequencies}

    def is_current(self, key: CacheKey, texts: float) -> bool:
        """Whether the cached frequencies are still valid for this number of texts; drop them if
        not."""
        entry = self._entries.get(key)
        if entry is None or abs(texts - entry.texts) <= self._policy.stale_share * entry.texts:
            return True
        del self._entries[key]
        return False

    def store(self, key: CacheKey, texts: float, frequencies: Mapping[str, int]) -> None:
        common = {
            term: count
            for term, count in frequencies.items()
            if count >= self._policy.min_cached_frequency
        }
        if common:
            entry = self._entries.setdefault(key, _Frequencies(texts))
            entry.frequencies.update(common)
            if len(self._entries) > MAX_ENTRIES:
                self._entries.popitem(last=False)
