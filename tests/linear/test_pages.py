"""A page takes work in proportion to its length, however its elements are nested, and loses no
word by that."""

import sys
from types import FrameType
from typing import Any

import pytest

from remem.adapters.extractors import article
from remem.adapters.extractors.html import main_content, parse, whole_content
from remem.adapters.extractors.nesting import MAX_OPEN
from remem.adapters.extractors.page import page_metadata

# Elements inside each other, none of them closed.
NESTED = (
    "<table><tr><td>", "<table><thead><tr><th>", "<table><tr><td><ul><li>", "<table><caption>",
    "<div>", "<blockquote>", "<ul><li>", "<ol><li>", "<dl><dd>", "<dl><dt>", "<section>", "<b>",
    "<span>", "<b><div>", "<del><p>", "<h1><h2>", "<pre>", "<details><summary>", "<q>", "<x-y>",
    "<figure><figcaption>", "<em><strong>", "<article>", "<main>", "<ruby><rt>", "<svg><g>",
)  # fmt: skip
# One after the other, beside or inside some that are nested.
REPEATED = {
    "items": ("<ul><li>a" * 40, "<li>b"),
    "tables": ("", "<table><tr><td><table><tr><td>a</table></table>"),
    "lines of a quote": ("<blockquote>" * 90 + "<pre>", "a\n"),
    "spans": ("<b>" * 60, "<span>a</span>"),
    "breaks": ("<div>", "a<br><br>"),
    "names": ("<div itemprop=author><div itemprop=name>" * 45, "<i>x</i>"),
}


class TooMuch(Exception):
    """More lines of Python ran than the test allows."""


def lines_run(markup: str, limit: int) -> int:
    count = 0

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal count
        if event == "call" and not any(
            name in frame.f_code.co_filename for name in ("/remem/", "/justext/", "/trafilatura/")
        ):
            return None
        count += event == "line"
        if count > limit:
            raise TooMuch
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        root = parse(markup)
        page_metadata(root, None)
        main_content(root, None, None)
    finally:
        sys.settrace(before)
    return count


@pytest.fixture(autouse=True, scope="module")
def libraries_are_loaded() -> None:
    main_content(parse("<p>x</p>"), None, None)


@pytest.mark.parametrize("pump", NESTED)
def test_a_level_more_costs_no_more_than_the_one_before(pump: str) -> None:
    few = lines_run("<p>x</p>" + pump * 8 + " a", 2_000_000)
    lines_run("<p>x</p>" + pump * 64 + " a", 16 * few)


@pytest.mark.parametrize("name", REPEATED)
def test_a_block_more_costs_no_more_than_the_one_before(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(article, "COMPARED_BLOCKS", 50)
    around, pump = REPEATED[name]
    few = lines_run(f"<p>x</p>{around}" + pump * 60, 10_000_000)
    lines_run(f"<p>x</p>{around}" + pump * 240, 6 * few)


@pytest.mark.parametrize("levels", [90, 300, MAX_OPEN + 100])
@pytest.mark.parametrize("pump", ["<div>", "<b>", "<blockquote>", "<table><tr><td>", "<ul><li>"])
def test_no_word_is_lost_however_deep(pump: str, levels: int) -> None:
    inside = "".join(f"{pump}w{number} " for number in range(levels))
    text = whole_content(f"<p>first</p>{inside}</div></table></ul><p>last</p>")
    words = set(text.replace("*", " ").replace("|", " ").split())
    assert {"first", "last", *(f"w{number}" for number in range(levels))} <= words


def test_what_a_browser_hides_stays_hidden_however_deep() -> None:
    text = whole_content("<div>" * 300 + "seen<script>unseen()</script><p>apart</p>")
    assert text.split() == ["seen", "apart"]


def test_quotes_indent_a_dozen_levels_at_most() -> None:
    assert whole_content("<blockquote>" * 60 + "said").count(">") == 12


def test_the_author_is_found_in_nested_marks() -> None:
    marked = "<div itemprop=author><p><b itemprop=name> <i>Ann Lee</i></b></p></div>"
    assert page_metadata(parse(marked), None)["author"] == "Ann Lee"
    assert page_metadata(parse("<p class='small byline'>By Bo Ek</p>"), None)["author"] == "Bo Ek"
