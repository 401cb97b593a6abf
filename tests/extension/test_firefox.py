"""Saving in Firefox: popup, shortcut and menu; files and bookmarks; without a server."""

import json
from typing import Any

from tests.conftest import Person, Server
from tests.extension import pages
from tests.extension.fox import Fox
from tests.extension.sites import Sites
from tests.extension.test_bookmarks import bookmarked, bookmarks_page
from tests.extension.test_saving import saved
from tests.extension.test_sites import PDF, PICTURE, original
from tests.tools.forwarder import Forwarder
from tests.tools.waiting import until

TITLE = "return !!document.querySelector('#title')?.value"


def saved_from(owner: Person, source: str) -> dict[str, Any]:
    def find() -> dict[str, Any] | None:
        listed = owner.http.get("/v3/documents", params={"limit": 100}).json()["documents"]
        return next((item for item in listed if source in (item["source_url"] or "")), None)

    return owner.http.get(f"/v3/documents/{until(find)['id']}").json()


def save_by_popup(fox: Fox) -> str:
    """Save with the popup and return the notice that it shows."""
    fox.click_icon()
    fox.wait_in_popup(TITLE)
    fox.click_in_popup("Save to Memory")
    notice = "return document.querySelector('form > .actions ~ .notice')?.innerText"
    text = until(lambda: fox.in_popup(notice))
    fox.close_popup()
    return text


def test_sign_in_in_firefox(fox: Fox, fox_owner: Person, server: Server) -> None:
    fox.open_options()
    assert fox.send_message(type="sign-out")["value"]["signedIn"] is False
    assert fox_owner.http.get("/v3/grants").json()["grants"] == []
    fox.sign_in(server, fox_owner)
    assert "remem extension" in json.dumps(fox_owner.http.get("/v3/grants").json()["grants"])


def test_save_full_page_in_firefox(fox: Fox, fox_owner: Person, sites: Sites) -> None:
    url = sites.put("news.example/birds", pages.with_pictures("Birds"))
    sites.put("news.example/wide.css", pages.STYLE, content_type="text/css")
    before = len(sites.requests)
    fox.firefox.open(f"{url}?utm_source=letter&part=2")
    fox.press_shortcut("S")
    document = saved(fox_owner, "Birds")
    assert "salmon return every June" in document["content"]
    assert "newsletter" not in document["content"]
    assert "Otters came back" in document["content"]
    assert document["source_url"] == f"{url}?part=2"
    assert not [request for request in sites.requests[before:] if "/later" in request]


def test_save_selection_in_firefox(fox: Fox, fox_owner: Person, sites: Sites) -> None:
    fox.firefox.open(sites.put("news.example/frogs", pages.article("Frogs")))
    fox.firefox.run("getSelection().selectAllChildren(document.querySelector('#ice + p'))")
    fox.press_shortcut("S")
    document = saved_from(fox_owner, ":~:text=All%20of%20this")
    content = document["content"]
    assert content.startswith("All of this is about Frogs") and "salmon" not in content


def test_the_popup_in_firefox(fox: Fox, fox_owner: Person, sites: Sites) -> None:
    fox.firefox.open(sites.put("news.example/foxes", pages.article("Foxes")))
    assert save_by_popup(fox).startswith("Saved")
    assert "salmon" in saved(fox_owner, "Foxes")["content"]
    fox.click_icon()
    fox.in_popup(
        "const field = document.querySelector('#query').wrappedJSObject;"
        "const { set } = Object.getOwnPropertyDescriptor("
        "content.wrappedJSObject.HTMLInputElement.prototype, 'value');"
        "set.call(field, 'salmon');"
        "field.dispatchEvent(new content.Event('input', { bubbles: true }))"
    )
    fox.wait_in_popup("return !!document.querySelector('.results')")
    fox.close_popup()


def test_a_late_answer_is_not_that_of_the_next_script(
    fox: Fox, fox_owner: Person, sites: Sites
) -> None:
    """A busy machine answers late; then a notice was `True`, the value of the script before."""
    fox.firefox.open(sites.put("news.example/mice", pages.article("Mice")))
    fox.click_icon()
    late = "await new Promise(done => setTimeout(done, 300)); return"
    assert fox.in_popup(f"{late} 'the first'", deadline_ms=100) is None
    assert fox.in_popup(f"{late} 'the second'") == "the second"
    fox.close_popup()


def test_the_menu_in_firefox(fox: Fox, fox_owner: Person, sites: Sites) -> None:
    fox.firefox.open(sites.put("news.example/newts", pages.article("Newts")))
    fox.choose_menu()
    assert "salmon" in saved(fox_owner, "Newts")["content"]
    fox.firefox.run("getSelection().selectAllChildren(document.querySelector('#ice'))")
    fox.choose_menu(selectionText="cut off by the bro")
    selected = saved_from(fox_owner, "newts#:~:text=In%20April")
    assert selected["content"].endswith("a hundred crowns.")
    fox.choose_menu(linkUrl="https://news.example/afar")
    assert saved_from(fox_owner, "news.example/afar")


def test_a_pdf_in_firefox(fox: Fox, fox_owner: Person, sites: Sites) -> None:
    """No script can run in the viewer, so Firefox asks for access to the site; here it is granted
    at once."""
    url = sites.put("news.example/stork.pdf", PDF, content_type="application/pdf")
    fox.show(url)
    save_by_popup(fox)
    document = saved_from(fox_owner, url)
    until(lambda: "heron nests" in (saved_from(fox_owner, url)["content"] or ""))
    assert document["source_url"] == url
    until(lambda: fox.hosts() == {"http://127.0.0.1/*", "http://localhost/*"})


def test_a_picture_in_firefox(fox: Fox, fox_owner: Person, sites: Sites) -> None:
    url = sites.put("news.example/fox.png", PICTURE, content_type="image/png")
    fox.show(url)
    save_by_popup(fox)
    assert original(fox_owner, saved_from(fox_owner, url)) == PICTURE


def test_bookmarks_in_firefox(fox: Fox, fox_owner: Person, sites: Sites) -> None:
    fox.firefox.open(bookmarks_page(sites, start=2_000, count=6))
    fox.click_icon()
    fox.click_in_popup("Save all my bookmarks")
    until(
        lambda: (
            len([document for document in bookmarked(fox_owner) if "/20" in document["source_url"]])
            == 6
        )
    )


def test_offline_in_firefox(fox: Fox, fox_owner: Person, server: Server, sites: Sites) -> None:
    forwarder = Forwarder(server.url)
    fox.connect_with_key(forwarder.url, fox_owner.key)
    forwarder.stop()
    fox.firefox.open(sites.put("news.example/toads", pages.article("Toads")))
    assert "Waiting for the server: 1" in save_by_popup(fox)
    assert fox.badge() == "1"
    forwarder.start()
    fox.open_options()
    assert fox.send_message(type="queue", action="retry")["value"]["queue"] == []
    assert "salmon" in saved(fox_owner, "Toads")["content"]
    assert fox.badge() == ""
    fox.connect_with_key(server.url, fox_owner.key)
    forwarder.stop()


def test_a_selection_is_highlighted_in_firefox(fox: Fox, fox_owner: Person, sites: Sites) -> None:
    url = sites.put("news.example/reeds", pages.article("Reeds and ice"))
    fox.firefox.open(url)
    fox.firefox.run("getSelection().selectAllChildren(document.querySelector('#ice'))")
    fox.press_shortcut("H")
    document = saved_from(fox_owner, url)
    path = f"/v3/documents/{document['id']}/highlights"
    [item] = until(lambda: fox_owner.http.get(path).json()["highlights"])
    assert document["content"][item["start"] : item["end"]].startswith("In April the ice breaks")
    marked = "return [...CSS.highlights.get('remem') ?? []].length"
    until(lambda: fox.firefox.run(marked) == 1)
