"""What a new statement is to the memories it resembles, told without a language model."""

import re
from collections.abc import Sequence

from remem.core.memories.model import Known, Relation

_NOT_WORDS = re.compile(r"[\W_]+")
SIMILAR = 0.70


def relate(content: str, known: Sequence[Known]) -> list[Relation]:
    """Most telling first; nothing when nothing relates."""
    said = _plain(content)
    same = [one for one in known if _plain(one.content) == said]
    if same:
        return [Relation("noop", same[0].id, 1.0, ("same_words",))]
    return [
        Relation("similar", one.id, min(one.cosine, 1.0), ("near_in_meaning",))
        for one in sorted(known, key=lambda one: -one.cosine)
        if one.cosine > SIMILAR
    ]


def _plain(text: str) -> str:
    """Without case, punctuation and spacing; text of nothing else stays as it is."""
    return _NOT_WORDS.sub(" ", text.casefold()).strip() or text
