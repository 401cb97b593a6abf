"""How old somebody is by a number beside their name: "Jonas (7)", "Rasmus, 11,"; pure."""

import re
from collections.abc import Sequence
from dataclasses import replace

from remem.core.answers.model import Answer, Citation, Source

CONFIDENCE = 0.9
_ASKS = re.compile(r"^\W{0,5}how old (?:is|are) (?P<name>.{2,80})", re.IGNORECASE)
_BESIDE_NAME = re.compile(
    r"\b(?P<name>\w{2,40})(?: \((?:aged? )?(?P<inside>\d{1,3})(?: years?(?: old)?)?\)"
    r"|, (?:aged? )?(?P<between>\d{1,3})(?=[,.](?:\s|$)))"
)


def by_age(answer: Answer, sources: Sequence[Source]) -> Answer:
    """The same answer; or, where it is not known, the number beside the name."""
    asked = _ASKS.match(answer.question)
    if asked is None or answer.text is not None:
        return answer
    name = asked["name"].rstrip("?!. ").removesuffix(" now").split(" ")[-1].casefold()
    for source in sources:
        for found in _BESIDE_NAME.finditer(source.content):
            if found["name"].casefold() == name:
                return _aged(
                    answer, source, *found.span("inside" if found["inside"] else "between")
                )
    return answer


def _aged(answer: Answer, source: Source, start: int, end: int) -> Answer:
    text = source.content[start:end]
    cited = Citation(source, start, end, text, text, CONFIDENCE)
    return replace(answer, text=text, confidence=CONFIDENCE, citations=(cited,))
