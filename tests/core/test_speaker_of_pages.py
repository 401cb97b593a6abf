"""In a web page "I" is not the user."""

import pytest

from remem.core.answers.model import Source
from remem.core.answers.people import may_answer
from remem.core.documents.voice import is_page
from remem.core.language.person import page_speaker
from remem.core.time import new_id


@pytest.mark.parametrize(
    ("content_type", "url", "metadata", "expected"),
    [
        ("html", None, {}, True),
        ("markdown", "https://blog.example.org/a", {}, True),
        ("text", None, {"canonical": "https://blog.example.org/a"}, True),
        ("markdown", "https://notes.example.org/a", {"connection_id": "1"}, False),
        ("markdown", "file:///home/me/note.md", {}, False),
        ("pdf", None, {}, False),
    ],
)
def test_a_document_from_the_web_is_a_page(
    content_type: str, url: str | None, metadata: dict[str, str], expected: bool
) -> None:
    assert is_page(content_type, url, metadata) is expected


@pytest.mark.parametrize(
    ("question", "answers"),
    [("Where do I live?", False), ("What is my favourite drink?", False),
     ("Who lives in Oslo?", True), ("Tell me about Oslo.", True)],
)  # fmt: skip
def test_a_page_answers_nothing_about_the_user(question: str, answers: bool) -> None:
    content = "I live in Oslo, and my favourite drink is aquavit."
    page = Source(content, "chunk", new_id(), speaker=page_speaker("My life in the north"))
    assert may_answer(question, page) is answers
    assert may_answer(question, Source(content, "chunk", new_id()))


@pytest.mark.parametrize(
    ("speaker", "content", "answers"),
    [
        ("Viktor", "Viktor: My boat is called Swallow.", False),
        ("Viktor", "Viktor: Your boat is called Swallow.", True),
        ("assistant", "assistant: I think your boat is called Swallow.", True),
        ("user", "user: My boat is called Swallow.", True),
    ],
)
def test_statements_of_others_about_themselves_answer_nothing_about_the_user(
    speaker: str, content: str, answers: bool
) -> None:
    turn = Source(content, "chunk", new_id(), speaker=speaker)
    assert may_answer("What is my boat called?", turn) is answers
    assert may_answer("What is Viktor's boat called?", turn)
