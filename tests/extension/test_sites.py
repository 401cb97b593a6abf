"""Other sites and other things to save: a video, a document, a chat, a PDF, a link, a huge page."""

import base64
import json
from typing import Any

from tests.conftest import Person
from tests.extension import pages
from tests.extension.chrome import Chrome, click, see, wait_until_shown
from tests.extension.sites import Sites
from tests.extension.test_large_pages import LONG_WORDS
from tests.extension.test_saving import save, saved
from tests.tools.waiting import until

PDF = b"""%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 100]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>
>>>>endobj 4 0 obj<</Length 58>>stream
BT /F1 12 Tf 20 50 Td (The heron nests in the poplar.) Tj ET
endstream endobj 5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj
trailer<</Root 1 0 R>>
"""

# One red dot.
PICTURE = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
)


def test_a_video_has_its_transcript(chrome: Chrome, owner: Person, sites: Sites) -> None:
    document = save(chrome, owner, sites.put("www.youtube.com/watch", pages.VIDEO) + "?v=mill1&t=9")
    assert document["title"] == "How a water mill works"
    assert document["source_url"] == "https://www.youtube.com/watch?v=mill1"
    assert "all its wheels and stones" in document["content"]
    assert "**0:07** The big wheel turns six times a minute." in document["content"]
    assert document["metadata"]["author"] == "The Mill"
    assert document["metadata"]["transcript"] is True


def test_a_document_comes_from_its_export(chrome: Chrome, owner: Person, sites: Sites) -> None:
    url = sites.put("docs.google.com/document/d/abc/edit", pages.DOCS)
    text = "# Plan for May\n\nPaint the boats **blue** before the fair begins."
    sites.put("docs.google.com/document/d/abc/export", text, content_type="text/markdown")
    document = save(chrome, owner, url)
    assert document["content"] == text
    assert document["title"] == "Plan for May"


def test_a_chat_is_saved_without_what_was_inserted(
    chrome: Chrome, owner: Person, sites: Sites
) -> None:
    document = save(chrome, owner, sites.put("chatgpt.com/c/1", pages.CHAT))
    assert "What paint do I need?" in document["content"]
    assert "marine" in document["content"]
    assert "From my memory" not in document["content"]
    assert "The boats are blue" not in document["content"]


def test_a_pdf_is_uploaded_as_a_file(chrome: Chrome, owner: Person, sites: Sites) -> None:
    url = sites.put("news.example/heron.pdf", PDF, content_type="application/pdf")
    document = save(chrome, owner, url, "About the heron")

    def read() -> bool:
        current = owner.http.get(f"/v3/documents/{document['id']}").json()
        return "heron nests" in (current["content"] or "")

    assert until(read)
    assert document["source_url"] == url


def test_a_picture_is_uploaded_as_a_file(chrome: Chrome, owner: Person, sites: Sites) -> None:
    url = sites.put("news.example/dot%zz.png", PICTURE, content_type="image/png")
    document = save(chrome, owner, url, "A red dot")
    assert document["source_url"] == url
    assert original(owner, document) == PICTURE


def original(owner: Person, document: dict[str, Any]) -> bytes:
    return owner.http.get(f"/v3/documents/{document['id']}/original").content


def test_a_link_is_fetched_by_the_server(chrome: Chrome, owner: Person, sites: Sites) -> None:
    url = sites.put("news.example/links", pages.article("Links"))
    page, _ = chrome.visit(url)
    chrome.grant(url)
    chrome.choose_menu(url, {"linkUrl": "https://news.example/far?utm_medium=x"})
    chrome.choose_menu(url, {"linkUrl": "javascript:alert(1)"})
    saved_links = until(
        lambda: [
            document
            for document in owner.http.get("/v3/documents").json()["documents"]
            if (document["source_url"] or "").startswith("https://news.example/far")
        ]
    )
    assert len(saved_links) == 1
    queue = chrome.own_page("options.html")
    assert "javascript" not in queue.text
    chrome.close(queue)
    chrome.close(page)


def test_a_long_page_is_cut_and_says_so(chrome: Chrome, owner: Person, sites: Sites) -> None:
    words = f"{LONG_WORDS} " * 20
    lines = "".join(f"<p>Line {n} {words}</p>" for n in range(2_000))
    url = sites.put("news.example/long", f"<title>A long roll</title><article>{lines}</article>")
    page, _ = chrome.visit(url)
    wait_until_shown(page)
    popup = chrome.click_icon(url)
    see(popup, "Only the first ")
    click(popup, "Save to Memory")
    see(popup, "Saved")
    document = saved(owner, "A long roll")
    assert len(document["content"]) <= 100_000
    assert document["metadata"]["cut_from_characters"] > 1_000_000
    chrome.close(page)


def test_a_hostile_page_is_saved_as_text(chrome: Chrome, owner: Person, sites: Sites) -> None:
    url = sites.put("news.example/hostile", pages.HOSTILE)
    document = save(chrome, owner, url, "A hostile page")
    assert "treasure lies under the third oak" in document["content"]
    assert "</memory>" in document["content"]
    assert "alert(1)" not in json.dumps(document["metadata"])
    assert "polluted" not in json.dumps(document)
