"""Choose which of several figures in a sentence a question asks for; pure.

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


# The maximum length of a code on either side of a figure in it.
MAX_CODE_CHARS = 40


class Part(NamedTuple):
    """A part of a sentence, with the figures in it."""

    span: SentenceSpan
    figures: tuple[SentenceSpan, ...]


def asked_figure(
    question: str, text: str, sentence: SentenceSpan, place: SentenceSpan
) -> SentenceSpan:
    """The figure of the part with most of the question's words. The place is unchanged if it is not
    a figure, or if no part has more of those words than its own."""
    parts = [part for part in _parts(text, sentence) if part.figures]
    inside = [part for part in parts if _overlap(part.span, place)]
    if not any(_overlap(figure, place) for part in inside for figure in part.figures):
        return place
    question_stems = content_stems(question)
    shared = {part: len(question_stems & _stems(text, part, parts[0])) for part in parts}
    max_shared = max(shared.values())
    best = [part for part in parts if shared[part] == max_shared]
    if len(best) > 1 or (inside == best and len(best[0].figures) == 1):
        return place
    return _figure_of(question, text, best[0], place)


def _stems(text: str, part: Part, first: Part) -> frozenset[str]:
    """The stems of a part; if it begins with its figure, with those before the first figure: "the
    bill was 88 in May, 104 in June"."""
    own = content_stems(_text_at(text, part.span))
    if part.figures[0].start > part.span.start:
        return own
    return own | content_stems(text[first.span.start : first.figures[0].start])


def _figure_of(question: str, text: str, part: Part, place: SentenceSpan) -> SentenceSpan:
    """The figure of a part: the amount of money if a price is asked for, otherwise the one that was
    read."""
    priced = [figure for figure in part.figures if HAS_MONEY.search(_text_at(text, figure))]
    if _ASKS_PRICE.search(question) and len(priced) == 1:
        return priced[0]
    if _overlap(part.span, place):
        return place if len(part.figures) > 1 else part.figures[0]
    return part.figures[0]


def _parts(text: str, sentence: SentenceSpan) -> list[Part]:
    places = [sentence.start]
    for match in _BETWEEN.finditer(text, *sentence):
        places += [match.start(), match.end()]
    places.append(sentence.end)
    spans = [SentenceSpan(a, b) for a, b in zip(places[::2], places[1::2], strict=True)]
    return [Part(span, _figures(text, span)) for span in spans]


def _figures(text: str, span: SentenceSpan) -> tuple[SentenceSpan, ...]:
    spans = (_complete_figure(text, *match.span()) for match in _FIGURE.finditer(text, *span))
    return tuple(dict.fromkeys(figure for figure in spans if not _is_label(text, figure)))


def _complete_figure(text: str, start: int, end: int) -> SentenceSpan:
    """ "ZK88Q" and "4-1-7" are one figure each; "12p" and "5 km" have a unit."""
    first, last = max(0, start - MAX_CODE_CHARS), min(len(text), end + MAX_CODE_CHARS)
    while start > first and (text[start - 1].isalnum() or _is_joined(text, start - 1)):
        start -= 1
    while end < last and (text[end].isupper() or text[end].isdigit() or _is_joined(text, end)):
        end += 1
    return SentenceSpan(start, end)


def _is_joined(text: str, at: int) -> bool:
    context = text[max(0, at - 1) : at + 2]
    return text[at] == "-" and len(context) == 3 and context[0].isalnum() and context[2].isalnum()


def _is_label(text: str, figure: SentenceSpan) -> bool:
    """Whether it is only the number of a list item: "3. Tomatoes"."""
    is_line_start = not text[: figure.start].rpartition("\n")[2].strip()
    return is_line_start and text[figure.end : figure.end + 2] in (". ", ") ")


def _overlap(one: SentenceSpan, other: SentenceSpan) -> bool:
    return one.start < other.end and other.start < one.end


def _text_at(text: str, span: SentenceSpan) -> str:
    return text[span.start : span.end]
