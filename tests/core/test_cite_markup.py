"""Citations without Markdown."""

import pytest

from remem.core.answers.cite import _plain
from remem.core.answers.sentences import SentenceSpan


@pytest.mark.parametrize(
    ("sentence", "marked", "plain"),
    [
        (
            "The key is in the **blue box** at home.",
            "blue box",
            "The key is in the blue box at home.",
        ),
        ("- [The key](https://a.example) is at *Ola's*.", "Ola's", "The key is at Ola's."),
        ("It takes *ten* seconds.", "ten* seconds", "It takes ten seconds."),
        ("The key is at home.", "home", "The key is at home."),
        ("The box and the **box**.", "box", "The box and the box."),
    ],
)
def test_a_citation_has_no_markdown_and_keeps_its_mark(
    sentence: str, marked: str, plain: str
) -> None:
    start = sentence.rindex(marked)
    text, mark = _plain(sentence, SentenceSpan(0, len(sentence)), (start, start + len(marked)))
    assert text == plain
    assert text[slice(*mark)] == marked.replace("*", "") and mark[0] == plain.rindex(
        marked.replace("*", "")
    )
