"""Stored text: refused, cleaned, titled, hashed."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remem.core.text import clean, content_hash, lead, shorten, title_of, unstorable_reason

texts = st.text(st.one_of(st.characters(), st.sampled_from(" \t\n\r\n.#>*-é\u0301😀日")))


@given(texts)
def test_cleaning_twice_changes_nothing_more(text: str) -> None:
    assert clean(clean(text)) == clean(text)


@given(texts)
def test_cleaning_changes_only_white_space_and_normalisation(text: str) -> None:
    assert clean(text).split() == unicodedata.normalize("NFC", text).split()


@given(texts)
def test_clean_text_has_no_superfluous_white_space(text: str) -> None:
    cleaned = clean(text)
    assert cleaned == cleaned.strip()
    assert "\r" not in cleaned
    assert "\n\n\n" not in cleaned
    assert " \n" not in cleaned
    assert "\t\n" not in cleaned


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("  one two  ", "one two"),
        ("one\r\ntwo\rthree", "one\ntwo\nthree"),
        ("one\n\n\n\n\ntwo", "one\n\ntwo"),
        ("one\n \n\t\n  \ntwo", "one\n\ntwo"),
        ("one  \t\n  two", "one\n  two"),
        ("cafe\u0301", "café"),
        ("    code\n        indented", "code\n        indented"),
        (" \n\t ", ""),
    ],
)
def test_cleaning(text: str, cleaned: str) -> None:
    assert clean(text) == cleaned


def test_differently_encoded_text_has_the_same_hash() -> None:
    assert content_hash(clean("cafe\u0301 \r\nnoir")) == content_hash(clean("café\nnoir"))
    assert content_hash("café") != content_hash("cafe")


@pytest.mark.parametrize(
    ("text", "reason"),
    [("a\x00b", "NUL"), ("a\ud800b", "surrogate"), ("\udfff", "surrogate")],
)
def test_the_reason_why_text_cannot_be_stored(text: str, reason: str) -> None:
    assert reason in (unstorable_reason(text) or "")


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00")))
def test_any_other_text_can_be_stored(text: str) -> None:
    assert unstorable_reason(text) is None


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("A plain line\nand more", "A plain line"),
        ("## A heading\n\nText", "A heading"),
        ("> - quoted item", "quoted item"),
        ("---\n\n***\nAfter the rules", "After the rules"),
        ("", "Untitled"),
        ("***", "Untitled"),
    ],
)
def test_a_title_is_the_first_line_with_words(text: str, title: str) -> None:
    assert title_of(text) == title


@given(texts, st.integers(min_value=1, max_value=100))
def test_a_shortened_text_is_a_prefix_within_its_limit(text: str, limit: int) -> None:
    short = shorten(text, limit)
    assert len(short) <= limit
    assert text.startswith(short.removesuffix("…")) or short == text
    if len(text) <= limit:
        assert short == text


def test_a_text_is_cut_at_a_word() -> None:
    assert shorten("The quick brown fox jumps", 18) == "The quick brown…"
    assert shorten("x" * 50, 10) == "x" * 9 + "…"


def test_the_lead_is_the_opening_sentences() -> None:
    text = "# Title.\n\nFirst one! Second one? Third one. Fourth one."
    assert lead(text) == "Title. First one! Second one?"
    assert lead("一つ目。 二つ目。 三つ目。 四つ目。") == "一つ目。 二つ目。 三つ目。"
    assert lead("") == ""


@given(texts)
def test_the_lead_is_limited(text: str) -> None:
    assert len(lead(text)) <= 400
