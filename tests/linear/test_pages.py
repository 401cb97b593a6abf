"""Parsing a page takes work proportional to its length and loses no word, at any nesting."""

import sys
from functools import cache
from types import FrameType
from typing import Any

import pytest

from remem.adapters.extractors import article
from remem.adapters.extractors.html import MAX_OPEN, main_content, parse, whole_content
from remem.adapters.extractors.page import page_metadata

# Elements to nest in each other, none of them closed.
NESTED = (
    "<table><tr><td>", "<table><thead><tr><th>", "<table><tr><td><ul><li>", "<table><caption>",
    "<div>", "<blockquote>", "<ul><li>", "<ol><li>", "<dl><dd>", "<dl><dt>", "<section>", "<b>",
    "<span>", "<b><div>", "<del><p>", "<h1><h2>", "<pre>", "<details><summary>", "<q>", "<x-y>",
    "<figure><figcaption>", "<em><strong>", "<article>", "<main>", "<ruby><rt>", "<svg><g>",
)  # fmt: skip
# Repeated elements, after or inside nested ones.
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

    def trace_line(_: FrameType, event: str, __: Any) -> Any:
        nonlocal count
        count += event == "line"
        if count > limit:
            raise TooMuch
        return trace_line

    @cache
    def is_counted(path: str) -> bool:
        return any(name in path for name in ("/remem/", "/justext/", "/trafilatura/"))

    def trace(frame: FrameType, _: str, __: Any) -> Any:
        return trace_line if is_counted(frame.f_code.co_filename) else None

    previous_trace = sys.gettrace()
    sys.settrace(trace)
    try:
        root = parse(markup)
        page_metadata(root, None)
        main_content(root, None, None)
    finally:
        sys.settrace(previous_trace)
    return count


@pytest.fixture(autouse=True, scope="module")
def libraries_are_loaded() -> None:
    main_content(parse("<p>x</p>"), None, None)


@pytest.mark.parametrize("pump", NESTED)
def test_work_grows_linearly_with_the_nesting(pump: str) -> None:
    few = lines_run("<p>x</p>" + pump * 8 + " a", 2_000_000)
    lines_run("<p>x</p>" + pump * 64 + " a", 16 * few)


@pytest.mark.parametrize("name", REPEATED)
def test_work_grows_linearly_with_the_number_of_blocks(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(article, "COMPARED_BLOCKS", 50)
    prefix, pump = REPEATED[name]
    few = lines_run(f"<p>x</p>{prefix}" + pump * 60, 10_000_000)
    lines_run(f"<p>x</p>{prefix}" + pump * 240, 6 * few)


@pytest.mark.parametrize("levels", [90, 300, MAX_OPEN + 100])
@pytest.mark.parametrize("pump", ["<div>", "<b>", "<blockquote>", "<table><tr><td>", "<ul><li>"])
def test_no_word_is_lost_at_any_depth(pump: str, levels: int) -> None:
    inside = "".join(f"{pump}w{number} " for number in range(levels))
    text = whole_content(f"<p>first</p>{inside}</div></table></ul><p>last</p>")
    words = set(text.replace("*", " ").replace("|", " ").split())
    assert {"first", "last", *(f"w{number}" for number in range(levels))} <= words


def test_hidden_elements_stay_hidden_at_any_depth() -> None:
    text = whole_content("<div>" * 300 + "seen<script>unseen()</script><p>apart</p>")
    assert text.split() == ["seen", "apart"]


def test_quotes_are_indented_at_most_twelve_levels() -> None:
    assert whole_content("<blockquote>" * 60 + "said").count(">") == 12


def test_the_author_is_found_in_nested_markup() -> None:
    marked = "<div itemprop=author><p><b itemprop=name> <i>Ann Lee</i></b></p></div>"
    assert page_metadata(parse(marked), None)["author"] == "Ann Lee"
    assert page_metadata(parse("<p class='small byline'>By Bo Ek</p>"), None)["author"] == "Bo Ek"
