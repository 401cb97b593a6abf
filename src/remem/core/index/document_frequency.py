"""The document frequency of common words, cached while a store hardly changes."""

from collections import OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias
from uuid import UUID

from remem.core.index.policy import WORD_POLICY, WordPolicy

PLACES = 1_000

# A tenant, a kind of text, and the projects (all, when None).
Place: TypeAlias = tuple[UUID, str, tuple[UUID, ...] | None]


@dataclass(frozen=True, slots=True)
class _Counted:
    texts: float
    frequencies: dict[str, int] = field(default_factory=dict)


class DocumentFrequency:
    """To count a word means to read its list, and the lists of common words are long. What such a
    word weighs hardly changes with some texts more or less."""

    def __init__(self, policy: WordPolicy = WORD_POLICY) -> None:
        self._policy = policy
        self._places: OrderedDict[Place, _Counted] = OrderedDict()

    def known(self, place: Place, terms: Iterable[str]) -> dict[str, int]:
        counted = self._places.get(place)
        if counted is None:
            return {}
        self._places.move_to_end(place)
        return {term: counted.frequencies[term] for term in terms if term in counted.frequencies}

    def is_known_for(self, place: Place, texts: float) -> bool:
        """Whether what is known of a place is right for so many texts; if not, it is forgotten."""
        counted = self._places.get(place)
        if counted is None or abs(texts - counted.texts) <= self._policy.changed * counted.texts:
            return True
        del self._places[place]
        return False

    def note(self, place: Place, texts: float, frequencies: Mapping[str, int]) -> None:
        common = {
            term: count for term, count in frequencies.items() if count >= self._policy.common
        }
        if common:
            counted = self._places.setdefault(place, _Counted(texts))
            counted.frequencies.update(common)
            if len(self._places) > PLACES:
                self._places.popitem(last=False)
