"""A saved page says so, shows its highlights, and words are highlighted where they are read."""

import re
import struct
import zlib
from typing import Any

from tests.conftest import Person
from tests.extension import pages
from tests.extension.chrome import Chrome, click, fill, see
from tests.extension.sites import Sites
from tests.extension.test_saving import save
from tests.tools.waiting import until

LABEL = "words => [...document.querySelectorAll('label')].find(l => l.innerText.includes(words))"
SIDEWAYS = "(page => page.scrollWidth - page.clientWidth)(document.documentElement)"
MARKED = "[...CSS.highlights.get('remem') ?? []].map(r => r.toString())"


def highlights(owner: Person, id: str) -> list[dict[str, Any]]:
    return owner.http.get(f"/v3/documents/{id}/highlights").json()["highlights"]


def document_at(owner: Person, url: str) -> dict[str, Any] | None:
    query = {"source_url": url}
    found = owner.http.get("/v3/documents", params=query).json()["documents"]
    return found[0] if found else None


def test_a_saved_page_says_when_and_shows_its_highlights(
    chrome: Chrome, owner: Person, sites: Sites
) -> None:
    url = sites.put("news.example/fords", pages.article("Fords"))
    document = save(chrome, owner, url)
    path = f"/v3/documents/{document['id']}"
    body = {"quote": "salmon return every June", "note": "Ask Ada"}
    assert owner.post(f"{path}/highlights", body).status_code == 201
    owner.http.patch(path, json={"tags": ["water"], "archived": True})
    page, _ = chrome.visit(url)
    popup = chrome.click_icon(url)
    see(popup, "Saved on")
    for words in ("#water", "salmon return every June", "Ask Ada"):
        see(popup, words)
    page.wait(f"{MARKED}.length === 1")
    assert page.run(f"{MARKED}[0]") == "salmon return every June"
    chrome.close(page)


def test_the_popup_is_not_wider_than_its_window(
    chrome: Chrome, owner: Person, sites: Sites
) -> None:
    url = sites.put("news.example/weirs", pages.article("Weirs"))
    page, _ = chrome.visit(url)
    popup = chrome.click_icon(url)
    popup.wait("document.querySelector('#title')?.value")
    assert popup.run(SIDEWAYS) == 0
    chrome.close_popups()
    document = save(chrome, owner, url)
    path = f"/v3/documents/{document['id']}"
    owner.http.patch(path, json={"tags": ["w" * 90]})
    link = f"https://example.org/{'a' * 120}"
    body = {"quote": "salmon return every June", "note": f"See {link}"}
    assert owner.post(f"{path}/highlights", body).status_code == 201
    page.send("Page.bringToFront")
    popup = chrome.click_icon(url)
    see(popup, "salmon return every June")
    fill(popup, "#query", "salmon")
    popup.wait("document.querySelector('.results')")
    assert popup.run(SIDEWAYS) == 0
    chrome.close(page)


def test_a_highlight_saves_a_page_that_is_not_saved_yet(
    chrome: Chrome, owner: Person, sites: Sites
) -> None:
    url = sites.put("news.example/quays", pages.article("Quays and ice"))
    page, _ = chrome.visit(url)
    before = page.run("document.documentElement.outerHTML")
    page.run("getSelection().selectAllChildren(document.querySelector('#ice'));")
    popup = chrome.click_icon(url)
    see(popup, "Highlight the selection")
    click(popup, "Highlight the selection")
    see(popup, "Saved on")
    page.wait(f"{MARKED}.length === 1")
    document = until(lambda: document_at(owner, url))
    [item] = highlights(owner, document["id"])
    content = owner.http.get(f"/v3/documents/{document['id']}").json()["content"]
    assert "salmon" in content, "the whole page is saved"
    words = content[item["start"] : item["end"]]
    assert re.sub(r"\W", "", words).startswith("InApriltheicebreaks")
    assert page.run("document.documentElement.outerHTML") == before, "the page is not changed"
    # By the shortcut, on the saved page, the same words once.
    chrome.close_popups()
    chrome.press_shortcut(url, "highlight")
    page.run("getSelection().collapseToEnd()")
    assert [one["id"] for one in highlights(owner, document["id"])] == [item["id"]]
    chrome.close(page)


def test_a_page_is_saved_to_be_read_later(chrome: Chrome, owner: Person, sites: Sites) -> None:
    url = sites.put("news.example/locks", pages.article("Locks"))
    page, _ = chrome.visit(url)
    popup = chrome.click_icon(url)
    popup.wait("document.querySelector('#title')?.value")
    popup.run(f"({LABEL})('Read later').click()")
    click(popup, "Save to Memory")
    see(popup, "Saved")
    chrome.close(page)
    document = until(lambda: document_at(owner, url))
    assert document["unread"]


COPIED = """<!doctype html><title>Dams</title><link rel="stylesheet" href="/dams.css">
<style>main > p { color: rgb(1, 2, 3) }</style>
<main><h1>Dams</h1><p id="first" onclick="alert(1)">The dam of the upper lake was built in 1911
by the people of the valley, who carried every stone of it up the hill by hand.</p>
<img src="/dam.png" alt="The dam" width="20"><a href="/more">More</a>
<input value="secret"><iframe src="/frame"></iframe>
<p>It holds four million cubic metres, and the village drinks from it through the summer.</p></main>
<script>document.querySelector('#first').dataset.ran = 'yes'</script>"""


def test_a_copy_of_the_page_is_kept_without_scripts_and_requests(
    chrome: Chrome, owner: Person, sites: Sites
) -> None:
    sites.put("news.example/dams.css", "h1 { background: url(/dam.png) }", content_type="text/css")
    sites.put("news.example/dam.png", _picture(), content_type="image/png")
    sites.put("news.example/frame", "<p>frame</p>")
    url = sites.put("news.example/dams", COPIED)
    page, _ = chrome.visit(url)
    popup = chrome.click_icon(url)
    popup.wait("document.querySelector('#title')?.value")
    popup.run(f"({LABEL})('Keep a copy').click()")
    click(popup, "Save to Memory")
    see(popup, "Saved")
    chrome.close(page)
    document = until(lambda: document_at(owner, url))
    until(lambda: document_at(owner, url)["has_copy"])
    copy = owner.http.get(f"/v3/documents/{document['id']}/copy").text
    assert "The dam of the upper lake" in copy and "main > p" in copy
    assert copy.count("data:image/png;base64,") == 2, "the picture, and the one of the style"
    assert 'href="https://news.example/more"' in copy
    for part in ("<script", "onclick", "iframe", "secret", "dam.png", "<link"):
        assert part not in copy, part


def _picture() -> bytes:
    """A picture of two by two points; one of a single point is never copied, because it counts
    visits."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    header = struct.pack(">IIBBBBB", 2, 2, 8, 2, 0, 0, 0)
    rows = zlib.compress((b"\0" + b"\x20\x60\xa0" * 2) * 2)
    parts = chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + parts
