"""Whether a place names what was given up for something else; pure.

"Jonah gave up the cello for the drums": who asks what he plays is not answered by the cello."""

import re
from collections.abc import Sequence

from remem.core.answers.scoring import Scored
from remem.core.answers.stated import sentence_of

_FLAGS = re.IGNORECASE | re.ASCII
_OWN = r"(?: (?:the|my|our|his|her|their|its|a|an|your))?\W*$"
_FROM = re.compile(
    r"\b(?:(?:take|takes|took|taken) over|switch(?:ed|es)?|changed?|moved?|went|gone|transferred"
    r"|migrated|converted)\b[^.;,]{0,60}\bfrom" + _OWN,
    _FLAGS,
)
_INSTEAD_OF = re.compile(r"\b(?:instead of|rather than)" + _OWN, _FLAGS)
_LEFT = re.compile(
    r"\b(?:gave up|given up|dropped|ditched|quit|left|swapped|traded|exchanged|abandoned|replaced"
    r"|sold)" + _OWN,
    _FLAGS,
)
_FOR_ANOTHER = re.compile(
    r"[^.;,]{0,40}?\b(?:for|with|by|and (?:\w+ )?(?:got|bought|took|started|joined|went))\b", _FLAGS
)
_FAILED = re.compile(
    r"(?:(?:['’]s| is| was| has| have| are| were| been| got){0,3} )"
    r"(?:fell through|fallen through|cancelled|canceled|called off|scrapped|off(?=\W*[,.;!]|\W*$))",
    _FLAGS,
)
# Who asks so may want what was given up.
_ASKS_FOR_IT = re.compile(
    r"\b(?:was|were|did|had|from|before|previous|former|old|used|g[ai]ve|given|drop|dropped|quit"
    r"|leave|left|replaced?|switch|switched|cancel|cancelled|fell|sell|sold|instead|swap)\b",
    _FLAGS,
)


def is_given_up(question: str, one: Scored) -> bool:
    if _ASKS_FOR_IT.search(question):
        return False
    content, (start, end) = one.reading.source.content, sentence_of(one)
    before, after = content[start : one.place.start], content[one.place.end : end]
    left = _LEFT.search(before) and _FOR_ANOTHER.match(one.text + after)
    return bool(left or _FROM.search(before) or _INSTEAD_OF.search(before) or _FAILED.match(after))


def without_given_up(question: str, scored: Sequence[Scored]) -> list[Scored]:
    """What was given up stays only where its sentence has no other place that may answer."""
    judged = [(one, is_given_up(question, one)) for one in scored]
    said = {_sentence(one) for one, given_up in judged if not given_up}
    return [one for one, given_up in judged if not given_up or _sentence(one) not in said]


def _sentence(one: Scored) -> tuple[object, int]:
    return one.reading.source.id, sentence_of(one).start
