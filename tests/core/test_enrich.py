"""What is said of a text without a language model, and that nothing is invented."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remem.core.enrich.rules import enrich

ARTICLE = """# The glaciers of Patagonia

By Jane Holloway
Published: 2024-03-15

Patagonia's glaciers are losing ice faster than any others. The ice fields of Patagonia lost forty
metres in a decade. Researchers measured the ice fields by satellite every month.

Share this article
"""


def test_an_article() -> None:
    said = enrich(ARTICLE, "markdown", None, {})
    assert said.title == "The glaciers of Patagonia"
    assert said.author == "Jane Holloway"
    assert said.published_at == "2024-03-15"
    assert said.language == "en"
    assert said.summary and said.summary.startswith("Patagonia's glaciers are losing ice")
    assert "Share this" not in said.summary
    assert "ice fields" in said.tags


def test_what_is_given_and_found_goes_first() -> None:
    found = {"title": "Found", "author": "A. File", "language": "fr", "published_at": "2020-01-01"}
    said = enrich(ARTICLE, "pdf", None, found)
    assert (said.title, said.author, said.language) == ("Found", "A. File", "fr")
    assert enrich(ARTICLE, "pdf", "Given", found).title == "Given"


def test_code_is_told_by_its_own_words() -> None:
    code = '"""Counts sheep."""\n\nclass Flock:\n    def count(self):\n        return 1\n'
    said = enrich(code, "code", None, {"code_language": "python"})
    assert said.summary == "Counts sheep. Defines Flock, count."
    assert said.category == "code"
    assert said.tags == ()
    assert said.language is None


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Der Zug nach Hamburg fährt heute leider erst gegen Mitternacht ab.", "de"),
        ("Le train pour Paris part demain matin à huit heures précises.", "fr"),
        ("明日の朝八時に東京駅で会いましょう。", "ja"),
        ("明天早上八点在火车站见面。", "zh"),
        ("รถไฟไปเชียงใหม่ออกตอนเย็น", "th"),
    ],
)
def test_languages(text: str, language: str) -> None:
    assert enrich(text, "text", None, {}).language == language


@pytest.mark.parametrize("text", ["ok", "42", "May I come in?"])
def test_too_little_to_tell(text: str) -> None:
    said = enrich(text, "text", None, {})
    assert said.language is None
    assert said.author is None
    assert said.published_at is None
    assert said.tags == ()


def test_a_conversation() -> None:
    text = "user: where is the key?\nassistant: under the pot\nuser: which pot?\nassistant: blue"
    assert enrich(text, "text", None, {}).category == "conversation"


@given(st.text(max_size=2_000), st.sampled_from(["text", "markdown", "html", "code", "csv"]))
def test_nothing_is_invented(text: str, content_type: str) -> None:
    said = enrich(text, content_type, None, {})
    assert said.author is None or said.author in text
    assert said.published_at is None or said.published_at in text
    lowered = text.lower()
    assert all(word in lowered for tag in said.tags for word in tag.split())
    assert len(said.tags) <= 5
    assert said.title
