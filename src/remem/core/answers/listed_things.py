"""The part of a sentence about one of the numbered things that it lists; pure.

"Gate 1 4711, gate 2 6620 and gate 3 9034": only "gate 2 6620" answers for gate 2."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from remem.core.answers.model import Place
from remem.core.answers.sentences import SENTENCE_CHARS, SentenceSpan
from remem.core.language.lists import table
from remem.core.language.phrase_lists import any_of
from remem.core.language.stopwords import ALL_STOP_WORDS
from remem.core.language.words import stem
from remem.core.memories.rules.another_subject import (
    SIGNED_NUMBER,
    numbered_things,
    signed_numbers,
)
from remem.core.search.excerpt import sentence_spans

# The first of each language means "and"; the Czech one is an English article.
_AND = any_of({words.split()[0] for words in table("conjunctions", "any").values()} - {"a"})
_BOUNDARY = re.compile(rf"[,;:|\n，、；：]\s*(?:(?:{_AND})\s+)?|(?<!\d)\.\s|\s(?:{_AND}|[–—/&+])\s")
_WORD = re.compile(r"\w+")
_EDGES = " .,;:|\n"


class Listed(NamedTuple):
    """The part of a sentence about the asked thing, where the thing is named in it, and what the
    sentence says before its list."""

    sentence: SentenceSpan
    part: SentenceSpan
    mention: SentenceSpan
    opening: SentenceSpan

    def alone(self, text: str) -> str:
        """The sentence without the other things."""
        return text[slice(*self.opening)] + text[slice(*self.part)]

    def place_of(self, place: Place) -> Place:
        """A place in the sentence alone, as one in the text."""
        size = self.opening.end - self.opening.start
        shift = self.opening.start if place.start < size else self.part.start - size
        return place._replace(start=place.start + shift, end=place.end + shift)

    def keep(self, place: Place) -> Place | None:
        """A place without what belongs to the next thing; None for what is said of another one, and
        for the number of the thing itself."""
        if place.end <= self.sentence.start or self.sentence.end <= place.start:
            return place
        if not self.part.start <= place.start < self.part.end:
            return None
        if self.mention.start <= place.start and place.end <= self.mention.end:
            return None
        return place._replace(end=min(place.end, self.part.end))


def listed_in(question: str, text: str) -> Listed | None:
    """The first sentence that lists several things of the kind that the question numbers."""
    if not _things(question):
        return None
    spans = (SentenceSpan(*span) for span in sentence_spans(text, SENTENCE_CHARS))
    return next(filter(None, (listed_part(question, text, span) for span in spans)), None)


def listed_part(question: str, text: str, sentence: SentenceSpan) -> Listed | None:
    """None if the question names no numbered thing, or the sentence does not list several of its
    kind with something said about each."""
    for noun, numbers in _things(question).items():
        if len(numbers) == 1 and (found := _find(text, sentence, noun, *numbers)):
            return found
    return None


def _find(text: str, sentence: SentenceSpan, noun: str, asked: str) -> Listed | None:
    mentions = list(_mentions(text, sentence, noun))
    if len({number for number, _ in mentions}) < 2 or asked not in dict(mentions):
        return None
    starts = [_last_boundary(text, sentence.start, mentions[0][1].start) or sentence.start]
    for (_, before), (_, mention) in pairwise(mentions):
        start = _last_boundary(text, before.end, mention.start)
        if start is None:
            return None
        starts.append(start)
    ends = [*starts[1:], sentence.end]
    parts = [_stripped(text, *span) for span in zip(starts, ends, strict=True)]
    if not all(
        _says_something(text, part, mention)
        for part, (_, mention) in zip(parts, mentions, strict=True)
    ):
        return None
    at = next(at for at, (number, _) in enumerate(mentions) if number == asked)
    return Listed(sentence, parts[at], mentions[at][1], SentenceSpan(sentence.start, starts[0]))


def _things(text: str) -> dict[str, set[str]]:
    return numbered_things(text) | signed_numbers(text)


def _mentions(text: str, sentence: SentenceSpan, noun: str) -> Iterator[tuple[str, SentenceSpan]]:
    """Where things of a kind are named, each with its number."""
    for match in SIGNED_NUMBER.finditer(text, *sentence):
        if numbers := signed_numbers(match[0]).get(noun):
            yield numbers.pop(), SentenceSpan(*match.span())
    words = [SentenceSpan(*match.span()) for match in _WORD.finditer(text, *sentence)]
    for at, word in enumerate(words):
        if stem(text[slice(*word)].lower()) != noun:
            continue
        with_ordinal = SentenceSpan(words[max(0, at - 1)].start, word.end)
        with_number = [SentenceSpan(word.start, other.end) for other in words[at + 1 : at + 3]]
        for span in (with_ordinal, *with_number):
            if numbers := numbered_things(text[slice(*span)]).get(noun):
                yield numbers.pop(), span
                break


def _last_boundary(text: str, start: int, end: int) -> int | None:
    """Where the last part before a mention ends, and the next one begins."""
    return max((match.end() for match in _BOUNDARY.finditer(text, start, end)), default=None)


def _says_something(text: str, part: SentenceSpan, mention: SentenceSpan) -> bool:
    rest = [
        *_WORD.finditer(text, part.start, mention.start),
        *_WORD.finditer(text, mention.end, part.end),
    ]
    # Dan is a name, and "dan" an Indonesian conjunction.
    return any(
        match[0].casefold() not in ALL_STOP_WORDS or (match.start() and match[0][0].isupper())
        for match in rest
    )


def _stripped(text: str, start: int, end: int) -> SentenceSpan:
    for match in _BOUNDARY.finditer(text, start, end):
        if match.end() == end:
            end = match.start()
    while end > start and text[end - 1] in _EDGES:
        end -= 1
    return SentenceSpan(start, end)
