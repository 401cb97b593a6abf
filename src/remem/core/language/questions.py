"""How much of a text asks."""

import re

_SENTENCE = re.compile(r"[^.!?。？！]+[.!?。？！]*")


def question_share(text: str) -> float:
    """How many of its sentences are questions, from 0 to 1."""
    sentences = _SENTENCE.findall(text)
    asked = sum(sentence.rstrip().endswith(("?", "？")) for sentence in sentences)
    return asked / max(1, len(sentences))
