"""Which of several figures in a sentence a question asks for; pure.

"The rent is 900 and the deposit 1,800": each figure belongs to the words around it."""

import re
from typing import NamedTuple

from remem.core.answers.fitting import HAS_MONEY, MONEY, content_stems
from remem.core.answers.sentences import SentenceSpan

_FLAGS = re.IGNORECASE
_FIGURE = re.compile(
    rf"(?:[€$£]\s?)?\d++(?>(?:[.,:]\d++)*)(?:\s?(?:{MONEY}|%)(?!\w))?(?:\s(?:a|per)\s[a-z]++)?",
    _FLAGS,
)
_ASKS_PRICE = re.compile(r"\bhow much\b|\b(?:costs?|price|pay|paid|fee|rent|owe)\b", _FLAGS)
_BETWEEN = re.compile(
    r"\n|[;,]\s++(?:(?:and|but|plus)\s++)?|(?<!\s)\s++(?:and|but|plus)\s++", _FLAGS
)


# No code is longer on either side of a figure in it.
CODE_CHARS = 40


class Part(NamedTuple):
    """A part of a sentence, with the figures in it."""

    span: SentenceSpan
    figures: tuple[SentenceSpan, ...]


def asked_figure(
    question: str, text: str, sentence: SentenceSpan, place: SentenceSpan
) -> SentenceSpan:
    """The figure of the part that has most of the question's words; the place as it is where it is
    no figure, or where no part has more of them than its own."""
    parts = [part for part in _parts(text, sentence) if part.figures]
    inside = [part for part in parts if _overlap(part.span, place)]
    if not any(_overlap(figure, place) for part in inside for figure in part.figures):
        return place
    asked = content_stems(question)
    shared = {part: len(asked & _stems(text, part, parts[0])) for part in parts}
    most = max(shared.values())
    best = [part for part in parts if shared[part] == most]
    if len(best) > 1 or (inside == best and len(best[0].figures) == 1):
        return place
    return _figure(question, text, best[0], place)


def _stems(text: str, part: Part, first: Part) -> frozenset[str]:
    """What a part says; one that begins with its figure goes on with what stands before the first
    one: "the bill was 88 in May, 104 in June"."""
    own = content_stems(_in(text, part.span))
    if part.figures[0].start > part.span.start:
        return own
    return own | content_stems(text[first.span.start : first.figures[0].start])


def _figure(question: str, text: str, part: Part, place: SentenceSpan) -> SentenceSpan:
    """Of one part: what is paid where a price is asked for, else the one that was read."""
    priced = [one for one in part.figures if HAS_MONEY.search(_in(text, one))]
    if _ASKS_PRICE.search(question) and len(priced) == 1:
        return priced[0]
    if _overlap(part.span, place):
        return place if len(part.figures) > 1 else part.figures[0]
    return part.figures[0]


def _parts(text: str, sentence: SentenceSpan) -> list[Part]:
    places = [sentence.start]
    for found in _BETWEEN.finditer(text, *sentence):
        places += [found.start(), found.end()]
    places.append(sentence.end)
    spans = [SentenceSpan(a, b) for a, b in zip(places[::2], places[1::2], strict=True)]
    return [Part(span, _figures(text, span)) for span in spans]


def _figures(text: str, span: SentenceSpan) -> tuple[SentenceSpan, ...]:
    found = (_whole(text, *figure.span()) for figure in _FIGURE.finditer(text, *span))
    return tuple(dict.fromkeys(figure for figure in found if not _is_label(text, figure)))


def _whole(text: str, start: int, end: int) -> SentenceSpan:
    """ "ZK88Q" and "4-1-7" are one figure each; "12p" and "5 km" have a unit."""
    first, last = max(0, start - CODE_CHARS), min(len(text), end + CODE_CHARS)
    while start > first and (text[start - 1].isalnum() or _is_joined(text, start - 1)):
        start -= 1
    while end < last and (text[end].isupper() or text[end].isdigit() or _is_joined(text, end)):
        end += 1
    return SentenceSpan(start, end)


def _is_joined(text: str, at: int) -> bool:
    around = text[max(0, at - 1) : at + 2]
    return text[at] == "-" and len(around) == 3 and around[0].isalnum() and around[2].isalnum()


def _is_label(text: str, figure: SentenceSpan) -> bool:
    """Whether it only numbers an item: "3. Tomatoes"."""
    opens_line = not text[: figure.start].rpartition("\n")[2].strip()
    return opens_line and text[figure.end : figure.end + 2] in (". ", ") ")


def _overlap(one: SentenceSpan, other: SentenceSpan) -> bool:
    return one.start < other.end and other.start < one.end


def _in(text: str, span: SentenceSpan) -> str:
    return text[span.start : span.end]
