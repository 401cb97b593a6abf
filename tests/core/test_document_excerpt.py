"""The beginning of a document's text as lists show it."""

import pytest

from remem.core.documents.excerpt import EXCERPT_CHARS, excerpt_of, text_start

MAIL = "# Lunch\n\nFrom: Ann <ann@example.org>\nDate: Tue, 17 Nov 2026 09:12:00 +0000\n\nAt noon?\n"


@pytest.mark.parametrize(
    ("text", "content_type", "excerpt"),
    [
        ("200 g lentils\n\n\n2 carrots", "text", "200 g lentils\n2 carrots"),
        ("---\ntitle: Espresso\ntags: [coffee]\n---\n\n18 g in.", "markdown", "18 g in."),
        (MAIL, "email", "At noon?"),
        ("Note: call Ann\nTime: noon\n\nand Bo", "text", "Note: call Ann\nTime: noon\nand Bo"),
        (
            "# Lunch\n\nFrom: Ann <ann@example.org>\n\n",
            "email",
            "# Lunch\nFrom: Ann <ann@example.org>",
        ),
        ("", "text", ""),
    ],
)
def test_the_text_without_the_fields_above_it(text: str, content_type: str, excerpt: str) -> None:
    assert excerpt_of(text, content_type) == excerpt


def test_a_long_text_is_cut_and_its_start_is_known() -> None:
    excerpt = excerpt_of("many words " * 200, "text")
    assert len(excerpt) <= EXCERPT_CHARS and excerpt.endswith("…")
    assert MAIL[text_start(MAIL, "email") :] == "At noon?\n"
