"""Find quotations of other people in a text."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from operator import itemgetter

from remem.core.language.person import depends_on_speaker
from remem.core.language.prose.spans import Span

_MAX_CHARS = 600
_QUOTED = re.compile(
    rf"(?<![^\s(\[—–:])(?:\"[^\"\n]{{2,{_MAX_CHARS}}}\"|“[^“”\n]{{2,{_MAX_CHARS}}}”"
    rf"|„[^„“”\n]{{2,{_MAX_CHARS}}}[“”]|«[^«»\n]{{2,{_MAX_CHARS}}}»|‘[^‘\n]{{2,{_MAX_CHARS}}}’"
    rf"|'[^'\n]{{2,{_MAX_CHARS}}}(?:'[a-z]{{1,2}}\b[^'\n]{{1,{_MAX_CHARS}}}){{0,3}}')(?=[\s,.;:!?)\]—–]|$)"
)
_REPORTING_VERB = re.compile(
    r"\b(?:sa(?:id|ys?)|told|tells?|ask(?:ed|s)|wr(?:ote|ites)|text(?:ed|s)|shout(?:ed|s)"
    r"|repl(?:ied|ies)|answer(?:ed|s)|call(?:ed|s) out|whisper(?:ed|s)|announc(?:ed|es)"
    r"|explain(?:ed|s)|complain(?:ed|s)|mention(?:ed|s)|add(?:ed|s)|quot(?:ed|es?|ing)|was like"
    r"|goes|according to|insist(?:ed|s)|admit(?:ted|s)|promis(?:ed|es)|claim(?:ed|s))\b",
    re.IGNORECASE,
)
# Up to this many words next to a quotation only name its speaker.
_MAX_WORDS_BESIDE = 4
_WORD = re.compile(r"\w+")


def quotations(text: str) -> list[Span]:
    return [match.span() for match in _QUOTED.finditer(text)]


def is_of_other_speaker(text: str, sentence: Span, quotes: Sequence[Span]) -> bool:
    """Whether the "I" of a sentence is the speaker of a quotation and not the author."""
    start, end = sentence
    for at in range(bisect_right(quotes, start, key=itemgetter(1)), len(quotes)):
        first, last = quotes[at]
        if first >= end:
            break
        if not depends_on_speaker(text[first:last]):
            continue
        beside = f"{text[start : max(start, first)]} {text[min(last, end) : end]}"
        is_cut = first < start or last > end
        if (
            is_cut
            or _REPORTING_VERB.search(beside)
            or len(_WORD.findall(beside)) <= _MAX_WORDS_BESIDE
        ):
            return True
    return False
