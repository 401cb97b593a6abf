"""Chunks by kind: each kind is split at its own boundaries, and each chunk has its position."""

import random
import time
from collections.abc import Iterable, Sequence
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from remem.core.chunking.front_matter import body_start
from remem.core.chunking.model import OVERLAP_TOKENS, TARGET_TOKENS, Joint, Mark, Piece
from remem.core.chunking.split import estimate_tokens, split
from remem.core.chunking.token_counter import TokenCounter

MAX_TOKENS = TARGET_TOKENS * 5 // 4
PROSE = ["text", "markdown", "html", "note", "docx", "epub", "email", "tweet", "image"]
KINDS = [*PROSE, "pdf", "audio", "video", "transcript", "conversation", "csv", "json", "xlsx"]

characters = st.one_of(
    st.characters(exclude_categories=["Cs"], exclude_characters="\x00\r"),
    st.sampled_from("ab A.!? \n#-=*`|>:\t\"'{}();日本語。ไทย\u0301"),
)
words = st.one_of(
    st.text(characters, min_size=1, max_size=12),
    st.sampled_from(["👨\u200d👩\u200d👧", "e\u0301", "שלום ", "العربية؟ ", "Ann: ", "- ", "1. "]),
    st.sampled_from(["# Title\n", "Title\n===\n", "```\n", "| a | b |\n", "---\n"]),
    st.sampled_from(["def f(x):\n    ", "class A {\n", "}\n", "int f() {", "/* "]),
)


@st.composite
def texts(draw: st.DrawFn) -> str:
    """Texts of none to several chunks, of few words, so that a failing example is easy to read."""
    vocabulary = draw(st.lists(words, max_size=20))
    separator = draw(st.sampled_from([" ", "\n", "\n\n", ". ", "", "。", "; "]))
    unit = separator.join(vocabulary) + separator
    return unit * draw(st.integers(min_value=1, max_value=1 + 6_000 // max(1, len(unit))))


@st.composite
def marked(draw: st.DrawFn) -> tuple[str, list[Mark]]:
    text = draw(texts())
    mark = st.builds(
        Mark,
        st.sampled_from(Joint),
        st.integers(min_value=0, max_value=len(text)),
        st.text(max_size=5),
        st.one_of(st.none(), st.integers(min_value=0, max_value=99)),
    )
    return text, draw(st.lists(mark, max_size=30))


def check(text: str, pieces: Sequence[Piece]) -> None:
    covered = bytearray(len(text))
    for piece in pieces:
        assert text[piece.start : piece.end] == piece.content
        assert piece.content.strip()
        assert estimate_tokens(piece.content) <= MAX_TOKENS
        covered[piece.start : piece.end] = b"\1" * len(piece.content)
    covered[: body_start(text)] = b"\1" * body_start(text)
    lost = [i for i, char in enumerate(text) if not covered[i] and not char.isspace()]
    assert not lost, f"{text[lost[0]]!r} at {lost[0]} is in no chunk"
    for before, after in pairwise(pieces):
        assert before.start < after.start
        assert before.end < after.end


slow = settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@pytest.mark.parametrize("kind", KINDS)
@slow
@given(marked())
def test_offsets_are_exact_and_nothing_is_lost(
    kind: str, text_and_marks: tuple[str, list[Mark]]
) -> None:
    text, marks = text_and_marks
    pieces = split(text, kind, marks)
    check(text, pieces)
    assert pieces == split(text, kind, marks)


@pytest.mark.parametrize("marks_too", [True, False])
@slow
@given(marked())
def test_code_keeps_every_character(
    marks_too: bool, text_and_marks: tuple[str, list[Mark]]
) -> None:
    text, marks = text_and_marks
    pieces = split(text, "code", marks if marks_too else ())
    check(text, pieces)
    assert all(before.end <= after.start for before, after in pairwise(pieces))


@given(st.text(characters, max_size=60), st.data())
def test_the_token_counter_counts_like_the_estimate(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    tokens = data.draw(st.integers(0, 20))
    counter = TokenCounter(text)
    assert counter.tokens(start, end) == estimate_tokens(text[start:end])
    end_within, start_within = counter.end_within(start, tokens), counter.start_within(end, tokens)
    assert counter.tokens(start, end_within) <= tokens
    assert end_within == len(text) or counter.tokens(start, end_within + 1) > tokens
    assert counter.tokens(start_within, end) <= tokens
    assert start_within == 0 or counter.tokens(start_within - 1, end) > tokens


def sentences(count: int, seed: int = 1) -> list[str]:
    rng = random.Random(seed)
    nouns = "harbour letter engine orchard window ledger comet violin".split()
    return [f"The {rng.choice(nouns)} number {n} was seen that day." for n in range(count)]


def paragraph(count: int, seed: int = 1) -> str:
    return " ".join(sentences(count, seed))


def added_texts(text: str, pieces: Sequence[Piece]) -> list[str]:
    """What each piece adds to the one before it."""
    ends = [0, *(piece.end for piece in pieces)]
    return [text[max(end, p.start) : p.end].lstrip() for end, p in zip(ends, pieces, strict=False)]


def last_lines(pieces: Iterable[Piece]) -> list[str]:
    return [piece.content.splitlines()[-1] for piece in pieces]


# Written text


@pytest.mark.parametrize("kind", PROSE)
def test_chunking_respects_boundaries(kind: str) -> None:
    """Long document is split at section/paragraph breaks, not mid-sentence."""
    sections = [f"## Part {n}\n\n{paragraph(20, n)}\n\n{paragraph(12, n)}" for n in range(6)]
    text = "# Report\n\n" + "\n\n".join(sections)
    pieces = split(text, kind)
    assert len(pieces) == 6
    check(text, pieces)
    assert all(added.startswith("#") for added in added_texts(text, pieces))
    assert all(piece.content.endswith("day.") for piece in pieces)


@pytest.mark.parametrize("kind", PROSE)
def test_chunk_overlap(kind: str) -> None:
    """Adjacent chunks share ~50 tokens of overlap for context continuity."""
    text = "\n\n".join(paragraph(5, n) for n in range(60))
    pieces = split(text, kind)
    assert len(pieces) > 5
    for before, after in pairwise(pieces):
        shared = text[after.start : before.end]
        assert OVERLAP_TOKENS / 2 <= estimate_tokens(shared) <= OVERLAP_TOKENS
        assert shared.startswith("The ")


def test_a_paragraph_longer_than_a_chunk_is_cut_between_sentences() -> None:
    pieces = split(paragraph(200))
    assert all(piece.content.startswith("The ") for piece in pieces)
    assert all(piece.content.endswith("day.") for piece in pieces)


def test_a_wrapped_paragraph_is_not_cut_where_a_line_ends() -> None:
    wrapped = paragraph(200).replace(" was ", "\nwas ")
    pieces = split(wrapped)
    assert len(pieces) > 3
    assert all(piece.content.startswith("The ") for piece in pieces)
    assert all(piece.content.endswith("day.") for piece in pieces)


def test_a_sentence_longer_than_a_chunk_is_cut_between_words() -> None:
    text = "First. " + " ".join(f"word{n}" for n in range(800)) + ". Last one here."
    pieces = split(text)
    check(text, pieces)
    words = set(text.split())
    assert all(set(piece.content.split()) <= words for piece in pieces)
    assert all(text[after.start : before.end] for before, after in pairwise(pieces))


def test_a_sentence_that_just_fits_is_not_cut_for_the_sake_of_overlap() -> None:
    long = "It is " + "very " * 390 + "long."
    text = f"{paragraph(30)} {long} {paragraph(30)}"
    assert any(long in piece.content for piece in split(text))


@pytest.mark.parametrize(
    "text",
    [
        "Dr. Smith met Mrs. Jones. They spoke.",
        "See Fig. 3 and No. 5 of it. They spoke.",
        "In the U.S. Army it was so. They spoke.",
        "It works, e.g. Python does. They spoke.",
        "J. R. Tolkien wrote it. They spoke.",
        "Version 3.14 came out. They spoke.",
        "He said “Why not?” to her. They spoke.",
        "Was it so? he asked me. They spoke.",
        "Es war am 5. März im 19. Jahrhundert so. They spoke.",
    ],
)
def test_an_abbreviation_does_not_end_a_sentence(text: str) -> None:
    long = " ".join([text] * 80)
    pieces = split(long)
    assert len(pieces) > 1
    first = text.removesuffix(" They spoke.")
    assert all(piece.content.startswith((first, "They spoke.")) for piece in pieces)
    assert all(piece.content.endswith((first, "They spoke.")) for piece in pieces)


@pytest.mark.parametrize(
    ("sentence", "end"),
    [
        ("今日は良い天気ですね。", "。"),
        ("你今天去哪里了？", "？"),
        ("他说：“好的。”", "。”"),
        ("यह एक वाक्य है। ", "।"),
        ("هل أنت بخير؟ ", "؟"),
        ("Τι ωραία μέρα είναι σήμερα. ", "."),
        ("¿Dónde está la biblioteca? ", "?"),
    ],
)
def test_sentences_end_in_every_script(sentence: str, end: str) -> None:
    text = (sentence * 800).strip()
    pieces = split(text)
    assert len(pieces) > 2
    assert all(piece.content.endswith(end) for piece in pieces)
    assert all(piece.content.startswith(sentence[:2]) for piece in pieces)


def test_a_grapheme_is_not_split() -> None:
    family, accented = "👨‍👩‍👧‍👦", "e\u0301"
    for unit in (family, accented):
        for piece in split(unit * 4_000):
            assert piece.content == unit * (len(piece.content) // len(unit))


# Headings

GUIDE = f"""# Guide

{paragraph(20)}

Install
-------

{paragraph(40, 2)}

```bash
# not a heading
```

### Linux

{paragraph(40, 3)}

## Use *it* [well](there)

{paragraph(40, 4)}
"""


def paths(pieces: Iterable[Piece]) -> list[tuple[str, ...]]:
    return list(dict.fromkeys(piece.heading_path for piece in pieces))


def test_a_chunk_knows_the_headings_above_it() -> None:
    assert paths(split(GUIDE, "markdown")) == [
        ("Guide",),
        ("Guide", "Install"),
        ("Guide", "Install", "Linux"),
        ("Guide", "Use it well"),
    ]


def test_headings_may_be_given_as_marks_by_the_extractor() -> None:
    text = f"Intro\n\n{paragraph(40)}\n\nMore\n\n{paragraph(40)}"
    marks = [
        Mark(Joint.HEADING, text.index("More"), "More", 2),
        Mark(Joint.HEADING, 0, "Intro", 1),
    ]
    assert paths(split(text, "docx", marks)) == [("Intro",), ("Intro", "More")]


def test_front_matter_is_not_a_heading() -> None:
    text = f"---\ntitle: Guide\ndate: 2026-01-01\n---\n\n{paragraph(3)}"
    assert [piece.heading_path for piece in split(text, "markdown")] == [()]


def test_a_heading_is_never_the_last_line_of_a_chunk() -> None:
    for seed in range(30):
        rng = random.Random(seed)
        parts = [
            f"{'#' * rng.randint(1, 4)} Part {n}\n\n{paragraph(rng.randint(1, 45), n)}"
            for n in range(20)
        ]
        pieces = split("\n\n".join(parts), "markdown")
        assert not [line for line in last_lines(pieces) if line.startswith("#")]


def test_a_title_that_is_not_marked_stays_with_its_text() -> None:
    parts = [f"{n}. Overview of {n}\n\n{paragraph(9 + n % 30, n)}" for n in range(40)]
    pieces = split("\n\n".join(parts))
    assert len(pieces) > 10
    assert all(line.endswith("day.") for line in last_lines(pieces))


def test_small_sections_are_joined() -> None:
    text = "\n\n".join(f"## Part {n}\n\n{paragraph(2, n)}" for n in range(60))
    pieces = split(text, "markdown")
    assert all(estimate_tokens(piece.content) > TARGET_TOKENS / 2 for piece in pieces[:-1])
    assert all(piece.content.startswith("## Part") for piece in pieces)


def test_the_last_chunk_is_never_tiny() -> None:
    for count in range(38, 60):
        pieces = split(paragraph(count))
        assert min(estimate_tokens(piece.content) for piece in pieces) >= 64


def test_fenced_code_stays_whole_if_possible() -> None:
    block = "```python\n" + "\n".join(f"value_{n} = {n}. # Not. A. Sentence." for n in range(30))
    block += "\n```"
    text = "\n\n".join(f"{paragraph(12, n)}\n\n{block}" for n in range(8))
    pieces = split(text, "markdown")
    assert sum(piece.content.count(block) for piece in pieces) == 8


def test_a_table_is_cut_between_its_rows() -> None:
    rows = "\n".join(f"| name {n} | It was {n}. Then more. |" for n in range(200))
    pieces = split(f"| a | b |\n|---|---|\n{rows}", "markdown")
    assert len(pieces) > 2
    assert all(line.endswith(" |") and line.startswith("| ") for line in last_lines(pieces))
    assert all(piece.content.startswith("| ") for piece in pieces)


# Pages


def paged(pages: Sequence[str]) -> tuple[str, list[Mark]]:
    marks, start = [], 0
    for number, page in enumerate(pages, 1):
        marks.append(Mark(Joint.PAGE, start, number=number))
        start += len(page) + 2
    return "\n\n".join(pages), marks


@pytest.mark.parametrize("size", [1, 8, 30])
def test_a_chunk_ends_with_its_page_however_short(size: int) -> None:
    text, marks = paged([paragraph(size, n) for n in range(12)])
    pieces = split(text, "pdf", marks)
    assert [piece.page for piece in pieces] == list(range(1, 13))
    assert [piece.start for piece in pieces] == [mark.start for mark in marks]


def test_a_last_page_of_a_few_words_is_a_chunk_of_its_page() -> None:
    text, marks = paged([paragraph(30), "The end."])
    assert [(piece.page, piece.content[:8]) for piece in split(text, "pdf", marks)][1:] == [
        (2, "The end.")
    ]


def test_every_chunk_carries_the_page_of_its_first_character() -> None:
    text, marks = paged([paragraph(1 + 17 * n % 60, n) for n in range(20)])
    for piece in split(text, "pdf", marks):
        page = max(int(mark.number or 0) for mark in marks if mark.start <= piece.start)
        assert piece.page == page


def test_a_long_page_has_several_chunks() -> None:
    text, marks = paged([paragraph(90, n) for n in range(3)])
    pages = [piece.page for piece in split(text, "pdf", marks)]
    assert pages == sorted(pages)
    assert {page: pages.count(page) for page in pages} == {1: 2, 2: 2, 3: 2}


def test_a_sentence_that_runs_over_the_page_is_not_cut() -> None:
    text, marks = paged([f"{paragraph(30)} It began here and", f"it ended there. {paragraph(30)}"])
    first, second = split(text, "pdf", marks)
    assert first.content.endswith("It began here and\n\nit ended there.")
    assert second.content.startswith("The ")
    assert (first.page, second.page) == (1, 2)


def test_pages_have_sections_too() -> None:
    text, marks = paged([f"# Part {n}\n\n{paragraph(30, n)}" for n in range(3)])
    pieces = split(text, "pdf", marks)
    assert [(piece.page, piece.heading_path) for piece in pieces] == [
        (1, ("Part 0",)),
        (2, ("Part 1",)),
        (3, ("Part 2",)),
    ]


# Speech


def spoken(turns: Sequence[tuple[str, str]], *, timed: bool = True) -> tuple[str, list[Mark]]:
    marks, lines, start = [], [], 0
    for number, (speaker, words) in enumerate(turns):
        line = f"{speaker}: {words}"
        marks.append(Mark(Joint.TURN, start, speaker))
        if timed:
            marks.append(Mark(Joint.TIME, start, number=number * 10.5))
        lines.append(line)
        start += len(line) + 1
    return "\n".join(lines), marks


@pytest.mark.parametrize("kind", ["audio", "video", "transcript", "conversation", "text"])
def test_a_conversation_is_cut_between_turns(kind: str) -> None:
    turns = [("Ann" if n % 2 else "Bob", paragraph(1 + n % 5, n)) for n in range(80)]
    text, marks = spoken(turns)
    pieces = split(text, kind, marks)
    assert len(pieces) > 3
    seconds = {mark.start: mark.number for mark in marks if mark.joint is Joint.TIME}
    assert all(piece.at_s == seconds[piece.start] for piece in pieces)
    assert all(piece.content.endswith("day.") for piece in pieces)


def test_turns_are_recognised_without_marks() -> None:
    turns = [("Ann Lee" if n % 2 else "Bob", paragraph(1 + n % 5, n)) for n in range(80)]
    text, _ = spoken(turns)
    pieces = split(text, "conversation")
    assert len(pieces) > 3
    assert all(piece.content.startswith(("Ann Lee: ", "Bob: ")) for piece in pieces)


def test_a_turn_longer_than_a_chunk_is_cut_between_sentences() -> None:
    text, marks = spoken([("Ann", "Hello."), ("Bob", paragraph(100)), ("Ann", "Well.")])
    pieces = split(text, "transcript", marks)
    check(text, pieces)
    assert all(piece.content.endswith((".", "day.")) for piece in pieces)


def test_subtitles_are_cut_where_a_sentence_ends() -> None:
    cues = [part for n in range(200) for part in (f"So the harbour {n}", "was seen that day.")]
    marks, start = [], 0
    for number, cue in enumerate(cues):
        marks.append(Mark(Joint.TIME, start, number=float(number)))
        start += len(cue) + 1
    pieces = split("\n".join(cues), "subtitles", marks)
    assert len(pieces) > 3
    assert all(piece.content.startswith("So ") for piece in pieces)
    assert all(piece.content.endswith("day.") for piece in pieces)
    assert all(
        f"So the harbour {int((piece.at_s or 0) / 2)}\n" in piece.content for piece in pieces
    )


def test_unpunctuated_text_is_split_between_time_stamps() -> None:
    cues = [f"and then we saw number {n} of them" for n in range(300)]
    text = "\n".join(cues)
    marks = [Mark(Joint.TIME, text.index(cue), number=n) for n, cue in enumerate(cues)]
    assert all(piece.content.startswith("and then") for piece in split(text, "audio", marks))


# Rows


@pytest.mark.parametrize("kind", ["csv", "json", "xlsx", "text"])
def test_rows_stay_whole(kind: str) -> None:
    rows = [f"name: Item {n}. Blue\nprice: {n}\nnote: It is. Good" for n in range(200)]
    text = "\n\n".join(rows)
    marks = [
        Mark(Joint.ROW, text.index(row + "\n" if n < 199 else row)) for n, row in enumerate(rows)
    ]
    pieces = split(text, kind, marks)
    assert len(pieces) > 3
    assert sum(piece.content.count("name: ") for piece in pieces) == 200
    assert all(piece.content.startswith("name: ") for piece in pieces)
    assert all(piece.content.endswith("note: It is. Good") for piece in pieces)


def test_a_sheet_is_named_above_its_rows() -> None:
    parts = [f"Sheet {s}\n" + "\n".join(f"row {s}/{n}: value" for n in range(90)) for s in range(4)]
    text = "\n\n".join(parts)
    sheets = [Mark(Joint.HEADING, text.index(f"Sheet {s}"), f"Sheet {s}", 1) for s in range(4)]
    rows = [Mark(Joint.ROW, text.index(f"row {s}/{n}:")) for s in range(4) for n in range(90)]
    pieces = split(text, "xlsx", [*sheets, *rows])
    assert paths(pieces) == [(f"Sheet {s}",) for s in range(4)]
    assert not [line for line in last_lines(pieces) if line.startswith("Sheet")]


def test_without_marks_lines_are_rows() -> None:
    pieces = split("\n".join(f"{n},It is. Good,{n}" for n in range(500)), "csv")
    assert all(piece.content.endswith(piece.content.split(",")[-1]) for piece in pieces)
    assert all(line.count(",") == 2 for piece in pieces for line in piece.content.splitlines())


def test_a_row_longer_than_a_chunk_is_split() -> None:
    text = f"name: a\nnote: {paragraph(100)}\n\nname: b"
    marks = [Mark(Joint.ROW, 0), Mark(Joint.ROW, text.index("name: b"))]
    pieces = split(text, "csv", marks)
    check(text, pieces)
    assert pieces[-1].content.endswith("name: b")


# Bounds


@pytest.mark.parametrize(
    ("kind", "unit"),
    [
        ("text", "The harbour was quiet, and nobody knew why. "),
        ("markdown", "# a\n\nb\n\n```\nc\n```\n\n"),
        ("markdown", "a\n---\n\n"),
        ("text", ". "),
        ("text", "日本語。"),
        ("transcript", "Ann: hello\n"),
        ("csv", "a,b\n"),
        ("code", "def f(x):\n    return x\n\n\n"),
        ("code", "((("),
        ("code", "'\"`"),
        ("code", "The quick brown fox isn't code. "),
    ],
)
def test_time_grows_linearly_with_length(kind: str, unit: str) -> None:
    short_s, long_s = (_cpu_time_of(kind, unit, length) for length in (40_000, 160_000))
    # Four times the text: linear work takes 4 times as long, quadratic work 16 times.
    assert long_s < 10 * short_s + 0.2
    assert long_s < 3


def _cpu_time_of(kind: str, unit: str, length: int) -> float:
    text = (unit * (length // len(unit) + 1))[:length]
    started = time.process_time()
    pieces = split(text, kind, code_language="python")
    took_s = time.process_time() - started
    assert all(estimate_tokens(piece.content) <= MAX_TOKENS for piece in pieces)
    return took_s
