"""The five named tests of the specification, in a real browser against a real server."""

from tests.conftest import Person
from tests.extension.chrome import Chrome, click, see
from tests.extension.pages import ARTICLE
from tests.extension.sites import Sites


def test_save_full_page(chrome: Chrome, owner: Person, sites: Sites) -> None:
    url = sites.put("news.example/rivers", ARTICLE) + "?utm_source=letter"
    page, target = chrome.visit(url)
    popup = chrome.click_icon(target, url)
    popup.wait("document.querySelector('#title')?.value === 'Rivers of the north'")
    click(popup, "Save to Memory")
    see(popup, "Saved, 1 chunk.")
    [found] = owner.http.get("/v3/documents").json()["documents"]
    document = owner.http.get(f"/v3/documents/{found['id']}").json()
    assert document["title"] == "Rivers of the north"
    assert document["source_url"] == "https://news.example/rivers"
    assert "salmon return every June" in document["content"]
    assert "newsletter" not in document["content"]
    assert document["metadata"]["canonical"] == "https://news.example/rivers"
    chrome.close(page)
