"""A question about one speaker is also asked about what the other speakers say."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import pytest

from remem.core.answers.model import NOT_ASKED, Source
from remem.core.answers.other_speakers import relevance_for_other_speakers
from remem.core.errors import ReaderBusy, Unavailable

pytestmark = pytest.mark.anyio


class Reader:
    """A reader whose relevance of a text is its length."""

    def __init__(self, error: Exception | None = None) -> None:
        self.asked: list[tuple[str, list[str]]] = []
        self.error = error

    async def rank(self, question: str, texts: Sequence[str]) -> list[float]:
        if self.error:
            raise self.error
        self.asked.append((question, list(texts)))
        return [float(len(text)) for text in texts]


def turn_of(speaker: str | None, text: str) -> Source:
    content = f"{speaker}: {text}" if speaker else text
    return Source(content, "chunk", uuid4(), speaker=speaker)


def ports(reader: Reader | None) -> Any:
    return SimpleNamespace(reader=reader)


TALK = [
    turn_of("Ana", "I ran."),
    turn_of("Ben Okoro", "I swam."),
    turn_of("Ben Okoro", "I swam far."),
]


async def test_the_same_question_is_asked_about_the_other_speakers() -> None:
    reader = Reader()
    turns = [*TALK, turn_of("Cleo", "I rode."), turn_of(None, "A note of nobody.")]
    assert await relevance_for_other_speakers(
        ports(reader), "What did ana do, in Ana's words?", turns
    ) == len("Ben Okoro: I swam far.")
    assert reader.asked == [
        ("What did Ben do, in Ben's words?", ["Ben Okoro: I swam.", "Ben Okoro: I swam far."]),
        ("What did Cleo do, in Cleo's words?", ["Cleo: I rode."]),
    ]


@pytest.mark.parametrize(
    "question",
    ["What did I do?", "What did Ana do with Ben?", "What did Dora do?", "What did Banana do?"],
)
async def test_it_is_asked_only_if_exactly_one_speaker_is_named(question: str) -> None:
    reader = Reader()
    assert await relevance_for_other_speakers(ports(reader), question, TALK) == NOT_ASKED
    assert reader.asked == []


async def test_with_a_single_speaker_nothing_is_asked() -> None:
    assert (
        await relevance_for_other_speakers(ports(Reader()), "What did Ana do?", TALK[:1])
        == NOT_ASKED
    )


async def test_without_a_reader_nothing_is_asked() -> None:
    assert await relevance_for_other_speakers(ports(None), "What did Ana do?", TALK) == NOT_ASKED
    unavailable = Reader(Unavailable("The reader is away."))
    assert (
        await relevance_for_other_speakers(ports(unavailable), "What did Ana do?", TALK)
        == NOT_ASKED
    )


async def test_a_busy_reader_is_an_error() -> None:
    busy = Reader(ReaderBusy())
    with pytest.raises(ReaderBusy):
        await relevance_for_other_speakers(ports(busy), "What did Ana do?", TALK)
