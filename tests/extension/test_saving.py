"""The five named tests of the specification, in a real browser against a real server."""

import json
from typing import Any

from tests.conftest import Person
from tests.extension import pages
from tests.extension.chrome import Chrome, click, evaluate, fill, see
from tests.extension.sites import Sites
from tests.tools.chromium import Page
from tests.tools.waiting import until


def save(chrome: Chrome, owner: Person, url: str, title: str | None = None) -> dict[str, Any]:
    """Save a page with the icon and the popup, and return the saved document."""
    page, _ = chrome.visit(url)
    popup = chrome.click_icon(url)
    popup.wait("document.querySelector('#title')?.value || document.querySelector('.notice')")
    if title:
        fill(popup, "#title", title)
    click(popup, "Save to Memory")
    see(popup, "Saved")
    shown_title = popup.run("document.querySelector('#title').value")
    chrome.close(page)
    return saved(owner, title or shown_title)


def saved(owner: Person, title: str) -> dict[str, Any]:
    def find() -> dict[str, Any] | None:
        listed = [
            document
            for project in owner.http.get("/v3/projects").json()["projects"]
            for document in owner.http.get(
                "/v3/documents", params={"project": project["id"], "limit": 100}
            ).json()["documents"]
        ]
        return next((document for document in listed if document["title"] == title), None)

    return owner.http.get(f"/v3/documents/{until(find)['id']}").json()


def test_save_full_page(chrome: Chrome, owner: Person, sites: Sites) -> None:
    url = sites.put("news.example/rivers", pages.ARTICLE) + "?utm_source=letter"
    document = save(chrome, owner, url)
    assert document["title"] == "Rivers of the north"
    assert document["source_url"] == "https://news.example/rivers"
    assert "salmon return every June" in document["content"]
    assert "newsletter" not in document["content"]
    assert "javascript:" not in document["content"]
    assert document["content_type"] == "html"
    assert document["metadata"]["author"] == "Ada Byron"
    assert document["metadata"]["language"] == "en"
    assert document["metadata"]["canonical"] == "https://news.example/rivers"
    assert document["metadata"]["extension_version"]


def test_a_page_saved_again_says_what_is_added_and_what_stays(
    chrome: Chrome, owner: Person, sites: Sites
) -> None:
    url = sites.put("news.example/mills", pages.article("Mills"))
    document = save(chrome, owner, url)
    page, _ = chrome.visit(url)
    popup = chrome.click_icon(url)
    popup.wait("document.querySelector('#title')?.value")
    fill(popup, "#tags", "water, stone")
    click(popup, "Save to Memory")
    see(popup, "Already saved; tags added: water, stone.")
    fill(popup, "#title", "Old mills")
    click(popup, "Save to Memory")
    see(popup, "Already saved; nothing has changed. Not changed: Title")
    chrome.close(page)
    again = owner.http.get(f"/v3/documents/{document['id']}").json()
    assert (again["title"], {"water", "stone"} <= set(again["tags"])) == ("Mills", True)


def test_save_selection(chrome: Chrome, owner: Person, sites: Sites) -> None:
    url = sites.put("news.example/ice", pages.article("Rivers and ice"))
    page, _ = chrome.visit(url)
    page_document = save_from_menu(chrome, page, url, {})
    page.run("getSelection().selectAllChildren(document.querySelector('#ice'));")
    selection = save_from_menu(chrome, page, url, {"selectionText": "cut off by the bro"})
    chrome.close(page)
    assert "salmon" in page_document["content"]
    assert selection["content"].startswith("In April the ice breaks")
    assert selection["content"].endswith("a hundred crowns.")
    assert selection["metadata"]["heading"] == "Ice"
    # The page's document is unchanged: a selection is not a version of it.
    assert selection["id"] != page_document["id"]
    assert selection["source_url"].startswith("https://news.example/ice#:~:text=In%20April")
    assert len(owner.http.get(f"/v3/documents/{page_document['id']}").json()["content"]) > 400


def test_capture_sends_no_requests(chrome: Chrome, owner: Person, sites: Sites) -> None:
    """Capturing requests neither deferred pictures nor tracking pixels, and changes no page."""
    url = sites.put("news.example/weirs", pages.with_pictures("Weirs"))
    sites.put("news.example/wide.css", pages.STYLE, content_type="text/css")
    sites.put("news.example/after", "")
    page, _ = chrome.visit(url)
    page.wait("document.readyState === 'complete'")
    before, markup = len(sites.requests), page.run("document.documentElement.outerHTML")
    popup = chrome.click_icon(url)
    popup.wait("document.querySelector('#title')?.value")
    click(popup, "Save to Memory")
    see(popup, "Saved")
    # Any request of the capture would be recorded before this one.
    evaluate(page, "fetch('/after').then(reply => reply.text())")
    requests = [
        request for request in sites.requests[before:] if not request.endswith("favicon.ico")
    ]
    assert requests == ["news.example/after"]
    assert page.run("document.documentElement.outerHTML") == markup
    chrome.close(page)
    content = saved(owner, "Weirs")["content"]
    for name in ("weir", "mill", "bridge", "otter"):
        assert f"https://news.example/later/{name}" in content, name
    assert "Otters came back" in content and "Share this story" not in content
    assert "pixel" not in content and "dot.gif" not in content


def save_from_menu(chrome: Chrome, page: Page, url: str, info: dict[str, str]) -> dict[str, Any]:
    before = {document["id"] for document in documents(chrome)}
    chrome.grant(url)
    chrome.choose_menu(url, info)
    new = until(
        lambda: [document for document in documents(chrome) if document["id"] not in before]
    )
    return chrome.person.http.get(f"/v3/documents/{new[0]['id']}").json()


def documents(chrome: Chrome) -> list[dict[str, Any]]:
    return chrome.person.http.get("/v3/documents").json()["documents"]


def test_twitter_extraction(chrome: Chrome, owner: Person, sites: Sites) -> None:
    url = sites.put("x.com/ada/status/11", pages.TWEET) + "?s=20"
    document = save(chrome, owner, url)
    text, parents = document["content"].split("\n---\n")
    assert text.startswith("**Ada Byron (@ada)** · 2026-11-02T09:11:00.000Z")
    assert "They sleep in the old hall ⛵\nnear the mill." in text
    assert "> **Grace (@grace)**\n> A ship in port is safe." in text
    assert "![A harbour at dawn](https://x.com/media/harbour.jpg)" in text
    assert text.index("painted blue") > text.index("old hall")
    assert "> **Bob (@bob)**\n> Where do the boats go" in parents
    assert "course" not in document["content"] and "javascript" not in document["content"]
    assert document["content_type"] == "tweet"
    assert document["source_url"] == "https://x.com/ada/status/11"
    assert document["metadata"]["status_id"] == "11"


def test_github_extraction(chrome: Chrome, owner: Person, sites: Sites) -> None:
    issue = save(chrome, owner, sites.put("github.com/mill/water/issues/7", pages.ISSUE))
    assert "**40 cm**" in issue["content"] and "`level`" in issue["content"]
    assert "```python\nif level < 40:\n    pump.stop()\n```" in issue["content"]
    assert "- it starts again at noon" in issue["content"]
    readme = save(chrome, owner, sites.put("github.com/mill/water", pages.README))
    assert readme["title"] == "mill/water: README"
    assert "pip install mill-water" in readme["content"]
    assert "Pull requests" not in readme["content"] and "3 days ago" not in readme["content"]
    code = save(chrome, owner, sites.put("github.com/mill/water/blob/main/src/pump.py", pages.CODE))
    assert code["content"] == "def stop(level):\n    return level < 40  # <b> & 'quotes'"
    assert code["content_type"] == "code"
    assert code["metadata"]["path"] == "src/pump.py"


def test_project_selection(chrome: Chrome, owner: Person, sites: Sites) -> None:
    project = owner.http.post("/v3/projects", json={"name": "Water mill"}).json()["id"]
    url = sites.put("news.example/mill", pages.article("Mills"))
    page, _ = chrome.visit(url)
    popup = chrome.click_icon(url)
    popup.wait("document.querySelector('#title')?.value")
    popup.wait(f"document.querySelector('#project option[value=\"{project}\"]')")
    change = "s.dispatchEvent(new Event('change', {bubbles: true}))"
    popup.run(
        f"(s => {{ s.value = {json.dumps(project)}; {change} }})"
        "(document.querySelector('#project'))"
    )
    fill(popup, "#title", "Mills by another name")
    fill(popup, "#tags", "water, #mill, water")
    click(popup, "Auto-forget after 30 days")
    click(popup, "Save to Memory")
    see(popup, "Saved")
    document = saved(owner, "Mills by another name")
    assert document["project_id"] == project
    assert sorted(document["tags"]) == ["mill", "water"]
    assert document["forget_after"][:4] in ("2026", "2027") and document["forget_after"]
    chrome.close_popups()
    # The project that was used last comes first and is selected.
    again = chrome.click_icon(url)
    again.wait("document.querySelectorAll('#project option').length > 1")
    assert again.run("document.querySelector('#project').value") == project
    assert again.run("document.querySelector('#project option').value") == project
    evaluate(
        again,
        "chrome.storage.local.get('settings').then(({settings}) => chrome.storage.local"
        ".set({settings: {...settings, lastProject: undefined}}))",
    )
    chrome.close(page)
