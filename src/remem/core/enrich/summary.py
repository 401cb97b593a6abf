"""Two or three sentences that say what a text is about, taken from it."""

import re
from collections.abc import Sequence

from remem.core.enrich.model import SUMMARY_LIMIT
from remem.core.enrich.reading import Paragraph, is_menu
from remem.core.language.sentences import sentences
from remem.core.text import shorten

_CANDIDATES = 12
_SENTENCES = 3
_GOOD_LENGTH = range(40, 260)
_ASIDE = re.compile(
    r"(?:by |photo|image|credit|source:|editor'?s note|updated|published|see also)", re.I
)
_WORD = re.compile(r"\w+")


def summarise(paragraphs: Sequence[Paragraph], tags: Sequence[str], title: str) -> str:
    """The opening sentences, those left out that tell little; the whole when it is short."""
    running = [one.text for one in paragraphs if not one.listed] or [one.text for one in paragraphs]
    found = [sentence for text in running[:_CANDIDATES] for sentence in sentences(text)]
    telling = [one for one in found[: 2 * _CANDIDATES] if _tells(one, title)] or found
    return _joined(_best(telling[:_CANDIDATES], tags))


def _tells(sentence: str, title: str) -> bool:
    if is_menu(sentence) or (len(sentence) < _GOOD_LENGTH.start and not _ends(sentence)):
        return False
    return sentence.rstrip(".") != title and not _ASIDE.match(sentence)


def _ends(sentence: str) -> bool:
    return sentence[-1:] in ".!?…。！？।؟\"”'’)"


def _best(found: Sequence[str], tags: Sequence[str]) -> list[str]:
    """The best few in their own order: early ones, of a good length, with what it is about."""
    keys = {word.casefold() for tag in tags for word in _WORD.findall(tag)}

    def score(index: int) -> float:
        words = {word.casefold() for word in _WORD.findall(found[index])}
        about = min(3, len(words & keys)) + sum(
            tag in found[index] for tag in tags if not tag.isascii()
        )
        return 3 / (1 + index) + 0.5 * about + (len(found[index]) in _GOOD_LENGTH)

    chosen = sorted(range(len(found)), key=score, reverse=True)[:_SENTENCES]
    return [found[index] for index in sorted(chosen)]


def _joined(chosen: Sequence[str]) -> str:
    """As many of them as there is room for, at least the first."""
    summary = ""
    for sentence in chosen:
        gap = "" if not summary or summary[-1] in "。！？" else " "
        if summary and len(summary) + len(gap) + len(sentence) > SUMMARY_LIMIT:
            break
        summary += gap + sentence
    return shorten(summary, SUMMARY_LIMIT)
