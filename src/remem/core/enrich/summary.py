"""Summarise a text with two or three of its own sentences."""

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
    """The best opening sentences without uninformative ones; the whole text when it is short."""
    texts = [paragraph.text for paragraph in paragraphs if not paragraph.listed] or [
        paragraph.text for paragraph in paragraphs
    ]
    all_sentences = [sentence for text in texts[:_CANDIDATES] for sentence in sentences(text)]
    informative = [
        sentence
        for sentence in all_sentences[: 2 * _CANDIDATES]
        if _is_informative(sentence, title)
    ] or all_sentences
    return _join(_best_sentences(informative[:_CANDIDATES], tags))


def _is_informative(sentence: str, title: str) -> bool:
    if is_menu(sentence) or (len(sentence) < _GOOD_LENGTH.start and not _ends_sentence(sentence)):
        return False
    return sentence.rstrip(".") != title and not _ASIDE.match(sentence)


def _ends_sentence(sentence: str) -> bool:
    return sentence[-1:] in ".!?…。！？।؟\"”'’)"


def _best_sentences(candidates: Sequence[str], tags: Sequence[str]) -> list[str]:
    """The best few sentences in their original order: early ones, of a good length, with many
    tags."""
    keys = {word.casefold() for tag in tags for word in _WORD.findall(tag)}

    def score(index: int) -> float:
        words = {word.casefold() for word in _WORD.findall(candidates[index])}
        relevance = min(3, len(words & keys)) + sum(
            tag in candidates[index] for tag in tags if not tag.isascii()
        )
        return 3 / (1 + index) + 0.5 * relevance + (len(candidates[index]) in _GOOD_LENGTH)

    chosen = sorted(range(len(candidates)), key=score, reverse=True)[:_SENTENCES]
    return [candidates[index] for index in sorted(chosen)]


def _join(chosen: Sequence[str]) -> str:
    """Join as many sentences as fit, at least the first."""
    summary = ""
    for sentence in chosen:
        gap = "" if not summary or summary[-1] in "。！？" else " "
        if summary and len(summary) + len(gap) + len(sentence) > SUMMARY_LIMIT:
            break
        summary += gap + sentence
    return shorten(summary, SUMMARY_LIMIT)
