"""Chunks: exact offsets, nothing lost, natural boundaries, bounded size and time."""

import random
import time
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from remem.core.chunking.model import OVERLAP_TOKENS, TARGET_TOKENS, Piece
from remem.core.chunking.pack import MAX_TOKENS
from remem.core.chunking.split import estimate_tokens, split
from remem.core.documents.model import CONTENT_LIMIT
from remem.core.text import clean

characters = st.one_of(
    st.characters(exclude_categories=["Cs"], exclude_characters="\x00"),
    st.sampled_from("ab .\n#-*`|>\t日本語。ไทย👨👩👧\u200d\u0301é"),
)
words = st.text(characters, min_size=1, max_size=12)


@st.composite
def long_texts(draw: st.DrawFn) -> str:
    """Texts long enough to be split, of few words, so that a failing example is easy to read."""
    vocabulary = draw(st.lists(words, min_size=1, max_size=20))
    separator = draw(st.sampled_from([" ", "\n", "\n\n", ". ", "", "。"]))
    unit = separator.join(vocabulary) + separator
    return unit * draw(st.integers(min_value=1, max_value=1 + 6_000 // max(1, len(unit))))


def check_exact(text: str, pieces: list[Piece]) -> None:
    covered = bytearray(len(text))
    for piece in pieces:
        assert text[piece.start : piece.end] == piece.content
        assert piece.content
        covered[piece.start : piece.end] = b"\1" * len(piece.content)
    lost = [i for i, char in enumerate(text) if not covered[i] and not char.isspace()]
    assert not lost, f"{text[lost[0]]!r} at {lost[0]} is in no chunk"


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(long_texts())
def test_offsets_are_exact_and_nothing_is_lost(text: str) -> None:
    check_exact(text, split(text))


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(long_texts())
def test_chunks_are_bounded_and_in_reading_order(text: str) -> None:
    pieces = split(clean(text) or "empty")
    assert all(0 < estimate_tokens(piece.content) <= MAX_TOKENS for piece in pieces)
    starts, ends = [piece.start for piece in pieces], [piece.end for piece in pieces]
    assert starts == sorted(set(starts))
    assert ends == sorted(set(ends))


@given(st.text(characters, max_size=400).map(clean))
def test_a_short_text_is_one_chunk(text: str) -> None:
    pieces = [(piece.content, piece.start, piece.end) for piece in split(text)]
    assert pieces == ([(text, 0, len(text))] if text else [])


def sentences(count: int) -> list[str]:
    nouns = "harbour letter engine orchard window ledger comet violin".split()
    return [f"The {random.choice(nouns)} number {n} was seen that day." for n in range(count)]


def test_a_chunk_ends_where_a_sentence_ends() -> None:
    text = " ".join(sentences(400))
    pieces = split(text)
    assert len(pieces) > 5
    assert all(piece.content.startswith("The ") for piece in pieces)
    assert all(piece.content.rstrip().endswith(".") for piece in pieces)


def test_a_heading_begins_its_chunk() -> None:
    sections = [f"# Part {n}\n\n{' '.join(sentences(35))}" for n in range(8)]
    text = "\n\n".join(sections)
    pieces = split(text)
    ends = [0, *(piece.end for piece in pieces)]
    added = [text[max(end, p.start) : p.end].lstrip() for end, p in zip(ends, pieces, strict=False)]
    headed = [part for part in added if "# Part" in part]
    assert len(headed) == 8
    assert all(part.startswith("# Part") for part in headed)


@pytest.mark.parametrize("length", [9, 31, 35, 60])
@pytest.mark.parametrize("marker", ["#", "##", "######"])
def test_chunks_overlap_also_at_headings(length: int, marker: str) -> None:
    """A sentence before a heading is found with what follows it."""
    sections = [f"{marker} Part {n}\n\n{' '.join(sentences(length))}" for n in range(12)]
    text = "\n\n".join(sections)
    pieces = split(text)
    shared = [text[after.start : before.end] for before, after in pairwise(pieces)]
    assert all(0 < estimate_tokens(repeated) <= OVERLAP_TOKENS for repeated in shared)
    assert all(estimate_tokens(piece.content) <= MAX_TOKENS for piece in pieces)


def test_the_headings_of_a_chunk_are_those_of_what_it_adds() -> None:
    sections = [f"# Part {n}\n\n{' '.join(sentences(35))}" for n in range(4)]
    pieces = split("\n\n".join(sections))
    assert pieces[1].content.startswith("The ")
    assert [piece.heading_path for piece in pieces] == [(f"Part {n}",) for n in range(4)]


def test_adjacent_chunks_overlap_within_the_limit() -> None:
    text = " ".join(sentences(400))
    pieces = split(text)
    shared = [estimate_tokens(text[after.start : before.end]) for before, after in pairwise(pieces)]
    assert all(0 < tokens <= OVERLAP_TOKENS for tokens in shared)


def test_chunks_are_well_filled() -> None:
    pieces = split("\n\n".join(" ".join(sentences(6)) for _ in range(80)))
    assert all(estimate_tokens(piece.content) > TARGET_TOKENS / 2 for piece in pieces[:-1])


@pytest.mark.parametrize(
    ("text", "tokens"),
    [("", 0), ("abcd", 1), ("abcde", 2), ("日本語", 3), ("日本 abcd", 4), ("é" * 8, 2), ("😀", 1)],
)
def test_tokens_are_estimated_by_script(text: str, tokens: int) -> None:
    assert estimate_tokens(text) == tokens


@pytest.mark.parametrize(
    "unit",
    [
        "日本語の文章",
        "ひらがな",
        "ภาษาไทย",
        "a",
        "a ",
        "日 ",
        "👨‍👩‍👧",
        "e\u0301",
        "`",
        "> ",
        "- a\n",
    ],
)
def test_the_longest_text_is_split_in_time_whatever_its_content(unit: str) -> None:
    """A text without a sentence end must not delay other requests for minutes."""
    text = (unit * (CONTENT_LIMIT // len(unit) + 1))[:CONTENT_LIMIT]
    started = time.process_time()
    pieces = split(text)
    assert time.process_time() - started < 10
    check_exact(text, pieces)
    assert all(estimate_tokens(piece.content) <= TARGET_TOKENS for piece in pieces)


def test_a_long_text_without_sentences_is_split_between_words() -> None:
    text = " ".join(f"word{n}" for n in range(4_000))
    pieces = split(text)
    check_exact(text, pieces)
    words = set(text.split())
    assert all(set(piece.content.split()) <= words for piece in pieces)
