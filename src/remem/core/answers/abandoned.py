"""Recognize places that name what was given up for something else; pure.

"Jonah gave up the cello for the drums": the cello does not answer what he plays."""

import re
from collections.abc import Sequence

from remem.core.answers.scoring import ScoredPlace
from remem.core.answers.stated import sentence_of

_FLAGS = re.IGNORECASE | re.ASCII
_OWN = r"(?: (?:the|my|our|his|her|their|its|a|an|your))?\W*$"
_CHANGED_FROM = re.compile(
    r"\b(?:(?:take|takes|took|taken) over|switch(?:ed|es)?|changed?|moved?|went|gone|transferred"
    r"|migrated|converted)\b[^.;,]{0,60}\bfrom" + _OWN,
    _FLAGS,
)
_INSTEAD_OF = re.compile(r"\b(?:instead of|rather than)" + _OWN, _FLAGS)
_GAVE_UP = re.compile(
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
# Words of questions that may ask for what was given up.
_ASKS_FOR_IT = re.compile(
    r"\b(?:was|were|did|had|from|before|previous|former|old|used|g[ai]ve|given|drop|dropped|quit"
    r"|leave|left|replaced?|switch|switched|cancel|cancelled|fell|sell|sold|instead|swap)\b",
    _FLAGS,
)


def is_abandoned(question: str, candidate: ScoredPlace) -> bool:
    if _ASKS_FOR_IT.search(question):
        return False
    content, (start, end) = candidate.reading.source.content, sentence_of(candidate)
    before, after = content[start : candidate.place.start], content[candidate.place.end : end]
    gave_up = _GAVE_UP.search(before) and _FOR_ANOTHER.match(candidate.text + after)
    return bool(
        gave_up
        or _CHANGED_FROM.search(before)
        or _INSTEAD_OF.search(before)
        or _FAILED.match(after)
    )


def without_abandoned(question: str, scored: Sequence[ScoredPlace]) -> list[ScoredPlace]:
    """Drop what was given up if its sentence has another place that may answer."""
    judged = [(candidate, is_abandoned(question, candidate)) for candidate in scored]
    answered_sentences = {
        _sentence_key(candidate) for candidate, abandoned in judged if not abandoned
    }
    return [
        candidate
        for candidate, abandoned in judged
        if not abandoned or _sentence_key(candidate) not in answered_sentences
    ]


def _sentence_key(candidate: ScoredPlace) -> tuple[object, int]:
    return candidate.reading.source.id, sentence_of(candidate).start
