"""Pages that are huge, deep or busy: reading is bounded, and a cut is reported."""

import threading

import pytest

from tests.conftest import Person
from tests.extension import pages
from tests.extension.chrome import Chrome, click, see, wait_until_shown
from tests.extension.sites import Sites
from tests.extension.test_saving import save, saved
from tests.tools.waiting import until

# More than two hundred words: with fewer, the reader tries all its methods.
SENTENCES = 16
STORY = "".join(
    f"<p>Sentence number {n} is about the mill, its river, and the miller who lived there.</p>"
    for n in range(SENTENCES)
)
HIDE = "<style>.hidden { display: none }</style>"
# Chromium's parser turns elements nested deeper than 512 into siblings; a script can nest deeper.
NESTED = f"<title>Deep</title><article>{STORY}</article>" + "<div>" * 20_000 + "The bottom of it."
NESTED_BY_SCRIPT = f"""<title>Deeper</title><article>{STORY}</article><div hidden id="top"></div>
<script>let at = document.getElementById('top'); for (let n = 0; n < 20_000; n += 1)
{{ const next = document.createElement('div'); at.append(next); at = next }}
at.append('The bottom of it.')</script>"""
# Few long words, because the work of embedding a saved text grows with the number of words.
LONG_WORDS = "responsibility administration"
SIBLINGS = "<title>Wide</title>" + "".join(f"<p>{n} {LONG_WORDS}</p>" for n in range(20_000))
HIDDEN = (
    f"<title>Hidden</title>{HIDE}"
    + "".join(f"<div class=hidden>Nobody sees number {n}.</div>" for n in range(10_000))
    + f"<article>{STORY}</article>"
)
HIDDEN_INSIDE = (
    f"<title>Inside</title>{HIDE}"
    + "<div style='display: none'>Nobody sees it." * 10_000
    + "</div>" * 10_000
    + f"<article>{STORY}</article>"
)
TEXT = "<title>Text</title><pre>" + f"The {LONG_WORDS}.\n" * 15_000
PICTURE = f'<img alt="A dot" src="data:image/png;base64,{"A" * 300_000}">'
PICTURES = f"<title>Pictures</title><article>{STORY}{PICTURE * 4}{STORY}</article>"
SCRIPTS = f"<title>Data</title><script>'{'x' * 5_000_000}'</script><article>{STORY}</article>"
RULES = "".join(f"@media (max-width: 700px) {{ .c{n} {{ display: none }} }}" for n in range(20_000))
STYLES = f"<title>Styles</title><style>{RULES}</style><article>{STORY}</article>"
WHOLE = {
    "Deep": NESTED,
    "Deeper": NESTED_BY_SCRIPT,
    "Hidden": HIDDEN,
    "Inside": HIDDEN_INSIDE,
    "Pictures": PICTURES,
    "Data": SCRIPTS,
    "Styles": STYLES,
}
# Makes timers thirty times faster: the 30 s that a page may take pass in one second.
QUICK_CLOCK = """self.usualClock ??= setTimeout;
self.setTimeout = (called, ms, ...given) => usualClock(called, ms / 30, ...given)"""
LAST = f"Sentence number {SENTENCES - 1} is about the mill"


@pytest.mark.parametrize("title", WHOLE)
def test_all_visible_text_is_saved(chrome: Chrome, owner: Person, sites: Sites, title: str) -> None:
    document = save(chrome, owner, sites.put(f"news.example/large-{title}", WHOLE[title]))
    assert LAST in document["content"]
    assert "Nobody sees" not in document["content"]
    assert len(document["content"]) < 10_000
    assert "cut_from_characters" not in document["metadata"]


@pytest.mark.parametrize(("title", "body"), [("Wide", SIBLINGS), ("Text", TEXT)])
def test_a_cut_is_reported(
    chrome: Chrome, owner: Person, sites: Sites, title: str, body: str
) -> None:
    url = sites.put(f"news.example/large-{title}", body)
    page, _ = chrome.visit(url)
    wait_until_shown(page)
    popup = chrome.click_icon(url)
    see(popup, "Only the first 100,000 of ")
    click(popup, "Save to Memory")
    see(popup, "Saved")
    document = saved(owner, title)
    assert 90_000 < len(document["content"]) <= 100_000
    assert document["metadata"]["cut_from_characters"] > 300_000


def test_a_page_of_too_many_elements_is_reported_as_cut(
    chrome: Chrome, owner: Person, sites: Sites
) -> None:
    """It has few characters, but too many elements."""
    url = sites.put("news.example/small", "<title>Small</title>" + "<b>a</b> " * 10_000)
    chrome.visit(url)
    popup = chrome.click_icon(url)
    see(popup, "This page is very large. Only its first part is saved.")


def test_a_page_that_never_answers(chrome: Chrome, owner: Person, sites: Sites) -> None:
    """The popup opens nevertheless and reports it. The page blocks on a synchronous request; an
    endless loop would have the same effect, but would keep a CPU busy."""
    answer = threading.Event()
    worker = chrome.worker()
    worker.run(QUICK_CLOCK)
    sites.put("news.example/late", "", after=answer)
    page, _ = chrome.visit(sites.put("news.example/busy", pages.article("Busy")))
    page.run(
        "setTimeout(() => { const r = new XMLHttpRequest();"
        " r.open('GET', '/late', false); r.send() }, 0)"
    )
    try:
        until(lambda: "news.example/late" in sites.requests)
        popup = chrome.click_icon("https://news.example/busy")
        see(popup, "The page does not answer.")
    finally:
        answer.set()
        worker.run("self.setTimeout = self.usualClock")
