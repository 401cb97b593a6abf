"""Where a text gives the words of somebody else between quotation marks."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from operator import itemgetter

from remem.core.language.person import depends_on_speaker
from remem.core.language.prose.stretches import Span

_CHARS = 600
_QUOTED = re.compile(
    rf"(?<![^\s(\[—–:])(?:\"[^\"\n]{{2,{_CHARS}}}\"|“[^“”\n]{{2,{_CHARS}}}”"
    rf"|„[^„“”\n]{{2,{_CHARS}}}[“”]|«[^«»\n]{{2,{_CHARS}}}»|‘[^‘\n]{{2,{_CHARS}}}’"
    rf"|'[^'\n]{{2,{_CHARS}}}(?:'[a-z]{{1,2}}\b[^'\n]{{1,{_CHARS}}}){{0,3}}')(?=[\s,.;:!?)\]—–]|$)"
)
_SAYS = re.compile(
    r"\b(?:sa(?:id|ys?)|told|tells?|ask(?:ed|s)|wr(?:ote|ites)|text(?:ed|s)|shout(?:ed|s)"
    r"|repl(?:ied|ies)|answer(?:ed|s)|call(?:ed|s) out|whisper(?:ed|s)|announc(?:ed|es)"
    r"|explain(?:ed|s)|complain(?:ed|s)|mention(?:ed|s)|add(?:ed|s)|quot(?:ed|es?|ing)|was like"
    r"|goes|according to|insist(?:ed|s)|admit(?:ted|s)|promis(?:ed|es)|claim(?:ed|s))\b",
    re.IGNORECASE,
)
# Beside a quotation, a name or two words only say whose it is.
_WORDS_BESIDE = 4
_WORD = re.compile(r"\w+")


def quotations(text: str) -> list[Span]:
    return [found.span() for found in _QUOTED.finditer(text)]


def is_of_another(text: str, sentence: Span, quoted: Sequence[Span]) -> bool:
    """Whether the "I" of a sentence is the one of a quotation, and not of who wrote it down."""
    start, end = sentence
    for at in range(bisect_right(quoted, start, key=itemgetter(1)), len(quoted)):
        first, last = quoted[at]
        if first >= end:
            break
        if not depends_on_speaker(text[first:last]):
            continue
        beside = f"{text[start : max(start, first)]} {text[min(last, end) : end]}"
        cut = first < start or last > end
        if cut or _SAYS.search(beside) or len(_WORD.findall(beside)) <= _WORDS_BESIDE:
            return True
    return False
