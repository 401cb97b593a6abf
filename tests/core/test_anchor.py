"""A quotation is found in a text by its letters, whatever markup and signs are between them."""

import pytest

from remem.core.memories.rules.anchor import find_quote, quoted_words

CASES = [
    # markup that a reader does not see
    ("He said **never** again.", "said never again", "said **never** again"),
    ("[The docs](https://e.org/a_(b)) now.", "docs now", "docs](https://e.org/a_(b)) now"),
    ("One\n\n> two\n> three", "two three", "two\n> three"),
    ("a ![Cat](https://e.org/cat.png) b", "a b", "a ![Cat](https://e.org/cat.png) b"),
    ("Tom &amp; Ann ran", "Tom & Ann", "Tom &amp; Ann"),
    # white space, case, accents written in two ways, ligatures
    ("line one\nline two", "ONE  line\ttwo", "one\nline two"),
    ("Der Cafe\u0301besuch", "Cafébesuch", "Cafe\u0301besuch"),
    ("eﬃcient", "efficient", "eﬃcient"),
    # other scripts, and characters that are two units in JavaScript
    ("今日は😀雨です。明日は晴れ。", "雨です。", "雨です。"),
    ("😀😀 Она сказала «да» 😀", "сказала «да»", "сказала «да»"),
    ("नमस्ते दुनिया", "नमस्ते", "नमस्ते"),
    ("مرحبا بالعالم", "بالعالم", "بالعالم"),
    # the signs of the quotation are part of it, others are not
    ("“Yes.” He left.", "“Yes.”", "“Yes.”"),
    ("(see below), he left", "see below", "see below"),
    ("😀 only 😀", "😀", "😀"),
]


@pytest.mark.parametrize(("text", "quote", "found"), CASES)
def test_a_quote_is_found(text: str, quote: str, found: str) -> None:
    offsets = find_quote(text, quote)
    assert offsets and text[slice(*offsets)] == found


def test_a_quote_that_is_not_there_is_not_found() -> None:
    assert find_quote("Nothing of that.", "something else") is None
    assert find_quote("", "") is None


def test_of_several_places_the_one_with_the_same_surroundings_is_taken() -> None:
    text = "The dog ran home. The cat ran home. The cow ran home."
    for animal in ("dog", "cat", "cow"):
        offsets = find_quote(text, "ran home", before=f"The {animal} ", after=". The")
        assert offsets and text[: offsets[0]].endswith(f"{animal} ")
    near = find_quote(text, "ran home", near=44)
    assert near == (44, 52)


def test_the_quoted_words_are_without_markup() -> None:
    text = "- **Never** trust [them](https://e.org), `really`."
    assert quoted_words(text, 0, len(text)) == "Never trust them, really."
    assert quoted_words(text, 0, text.index("]")) == "Never trust them"
    assert quoted_words(text, text.index("them"), len(text)) == "them, really."
